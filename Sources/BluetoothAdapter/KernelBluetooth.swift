internal import BluetoothFrames
internal import Cryptography
package import LinuxRuntime
package import Ports

/// The kernel's Bluetooth: its management channel, and the attribute channel of every controller's LE side.
///
/// Where bluetoothd runs the attribute channel is its own, and it hands us what centrals ask. Nothing is decided here,
/// repeated or timed; confined to its loop's thread.
package final class KernelBluetooth: BluetoothPort {
    /// Links at a time: controllers hold some ten, and the engine refuses before.
    static let linkLimit = 16

    package var onEvent: (BluetoothEvent) -> Void = { _ in }

    private let loop: EventLoop
    private let log: Logger
    private var management: ManagementChannel?
    private var listeners: [AttributeListener] = []
    private var links: [BluetoothLinkID: AttributeLink] = [:]
    private var daemon: BluetoothDaemon?
    private var lastLink: UInt64 = 0
    private var outbox: [BluetoothEvent] = []
    private var isFlushPosted = false

    package init(loop: EventLoop, logThreshold: LogLevel = .info) {
        self.loop = loop
        log = Logger("bluetooth", threshold: logThreshold)
    }

    package func perform(_ effect: BluetoothEffect) {
        switch effect {
        case .openManagement: openManagement()
        case .managementSend(let octets, let key): send(octets, key)
        case .serveAttributes(let services): serve(services)
        case .attSend(let link, let pdu): send(pdu, on: link)
        case .attDisconnect(let link): disconnect(link)
        case .attConnect(let address): connect(address)
        case .close: close()
        }
    }

    // MARK: Management

    private func openManagement() {
        retire(management.take())
        do throws(SystemError) {
            management = try ManagementChannel(loop: loop) { [unowned self] event in
                if case .managementFailed = event { retire(management.take()) }
                tell(event)
            }
            tell(.managementOpened)
        } catch { tell(.managementFailed(BluetoothFailure(error, "the Bluetooth management channel"))) }
    }

    private func send(_ octets: [UInt8], _ key: SecretKey?) {
        // Of one that is gone its end has been told.
        guard let management else { return }
        do throws(SystemError) { try management.send(octets, key) } catch {
            retire(self.management.take())
            tell(.managementFailed(BluetoothFailure(error, "the Bluetooth management channel")))
        }
    }

    // MARK: Attributes

    private func serve(_ services: [BluetoothService]) {
        stopServing()
        let daemon = BluetoothDaemon(loop: loop, services: services, log: log) { [unowned self] in nextLink() }
        daemon.onEvent = { [unowned self, unowned daemon] event in
            guard daemon === self.daemon else { return }
            if case .attributesFailed = event { closeLinks() }
            tell(event)
        }
        daemon.onAbsence = { [unowned self, unowned daemon] in
            guard daemon === self.daemon else { return }
            listen()
        }
        self.daemon = daemon
        daemon.start()
    }

    // The kernel looks for a listener of its own address's kind.
    private func listen() {
        do throws(SystemError) {
            for kind in [BluetoothAddress.Kind.public, .random] {
                listeners.append(
                    try AttributeListener(loop: loop, kind: kind) {
                        [unowned self] (link: consuming FileDescriptor, peer: BluetoothAddress) in
                        accepted(link, from: peer)
                    })
            }
            tell(.attributesServed(.kernel))
        } catch {
            retire(listeners)
            listeners = []
            tell(.attributesFailed(BluetoothFailure(error, "the Bluetooth attribute channel")))
        }
    }

    private func stopServing() {
        retire(listeners)
        listeners = []
        retire(daemon.take())
    }

    private func accepted(_ descriptor: consuming FileDescriptor, from peer: BluetoothAddress) {
        guard links.count < Self.linkLimit else {
            return log.log(.warning, "a link too many is closed at once", [("limit", "\(Self.linkLimit)")])
        }
        open(descriptor, peer, isConnected: true)
    }

    private func connect(_ address: BluetoothAddress) {
        guard links.count < Self.linkLimit else {
            return tell(.attConnectFailed(address, BluetoothFailure(.busy, "\(Self.linkLimit) links are open already")))
        }
        do throws(SystemError) {
            open(try AttributeLink.connect(to: address), address, isConnected: false)
        } catch { tell(.attConnectFailed(address, BluetoothFailure(error, "a link to \(address)"))) }
    }

    private func open(_ descriptor: consuming FileDescriptor, _ peer: BluetoothAddress, isConnected: Bool) {
        let id = nextLink()
        do throws(SystemError) {
            let link = try AttributeLink(
                loop: loop, descriptor: descriptor, id: id, peer: peer, isConnected: isConnected
            ) { [unowned self] event in
                switch event {
                case .attClosed, .attConnectFailed: retire(links.removeValue(forKey: id))
                default: break
                }
                tell(event)
            }
            links[id] = link
            if isConnected { tell(.attConnected(id, peer: peer, mtu: AttributeLink.firstMTU)) }
        } catch {
            // Never told of, so there is nothing to take back.
            log.log(.error, "a link could not be watched", [("error", "\(error)")])
            if !isConnected { tell(.attConnectFailed(peer, BluetoothFailure(error, "a link to \(peer)"))) }
        }
    }

    private func send(_ pdu: [UInt8], on id: BluetoothLinkID) {
        if let link = links[id] { link.send(pdu) } else { daemon?.send(pdu, on: id) }
    }

    private func disconnect(_ id: BluetoothLinkID) {
        if let link = links.removeValue(forKey: id) {
            retire(link)
            tell(.attClosed(id))
        } else {
            daemon?.disconnect(id)
        }
    }

    private func close() {
        closeLinks()
        stopServing()
        retire(management.take())
    }

    private func closeLinks() {
        for id in links.keys.sorted(by: { $0.rawValue < $1.rawValue }) { disconnect(id) }
    }

    private func nextLink() -> BluetoothLinkID {
        lastLink += 1
        return BluetoothLinkID(lastLink)
    }

    // MARK: Turns of the loop

    /// Lets go of it on a turn of its own: this may be the midst of its handler.
    private func retire(_ object: (any Retired)?) {
        guard let object else { return }
        object.stop()
        loop.post { withExtendedLifetime(object) {} }
    }

    private func retire(_ objects: [any Retired]) { for object in objects { retire(object) } }

    /// Tells it on the next turn, so that nothing is told from within `perform`.
    private func tell(_ event: BluetoothEvent) {
        outbox.append(event)
        guard !isFlushPosted else { return }
        isFlushPosted = true
        loop.post { [weak self] in self?.flush() }
    }

    private func flush() {
        isFlushPosted = false
        let events = outbox
        outbox = []
        for event in events { onEvent(event) }
    }
}

/// Something with a watch on the loop, which can be silenced before it is let go.
protocol Retired: AnyObject {
    func stop()
}
