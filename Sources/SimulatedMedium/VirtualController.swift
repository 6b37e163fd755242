package import BluetoothFrames
internal import Cryptography
package import Octets
package import Ports

/// The kernel's Bluetooth with one controller below it: answers the packets of the management channel and carries ATT.
///
/// As strict as Linux 7.3 about what may be asked when (net/bluetooth/mgmt.c), so that what works here is what works
/// there. What it leaves out: BR/EDR, pairing without a passkey, and the resolving of private addresses.
package struct VirtualController: Sendable {
    package enum Event: Equatable, Sendable {
        case perform(BluetoothEffect)
        case heard(BluetoothAirFrame)
        /// rfkill, or somebody else's "power off".
        case switched(on: Bool)
        /// Pulled out, or put in again.
        case present(Bool)
        case deadlineReached
    }

    package enum Output: Equatable, Sendable {
        case event(BluetoothEvent)
        case air(BluetoothAirFrame)
    }

    package struct Configuration: Equatable, Sendable {
        /// Nil draws one.
        package var address: BluetoothAddress?
        package var isPresent = true
        /// Linux before 5.11 has no parameters of single advertisements.
        package var hasAdvertisingParameters = true

        package init() {}
    }

    struct Instance: Equatable, Sendable {
        var flags: AdvertisingFlags
        var interval: UInt32
        var data: [UInt8] = []
        var scanResponse: [UInt8] = []
        var isComplete = false
    }

    struct Link: Equatable, Sendable {
        let id: BluetoothLinkID
        let peer: BluetoothAddress
        var isOpen: Bool
        var heard: MonotonicInstant
        var pairing: Pairing?
    }

    /// How long a link outlives its peer's silence (Core 5.4, Vol 6, Part B, 4.5.2), and how often each side speaks.
    static let supervision: Duration = .seconds(4)
    static let aliveInterval: Duration = .seconds(1)
    /// What the kernel lets a connect attempt take.
    static let connectTime: Duration = .seconds(4)
    static let linkLimit = 16

    let configuration: Configuration
    var entropy: Entropy
    var isPresent: Bool
    var isOpen = false
    var isServing = false
    var settings: ControllerSettings = []
    var isBlocked = false
    let publicAddress: BluetoothAddress
    /// What the air sees now.
    var address: BluetoothAddress
    var staticAddress: BluetoothAddress?
    var isScanning = false
    var instances: [UInt8: Instance] = [:]
    /// The instance that is on the air, and when it is next.
    var onAir: (number: UInt8, next: MonotonicInstant)?
    var defaultInterval: UInt32 = 0x0800
    var ioCapability = IOCapability.none
    var longTermKeys: [BluetoothAddress: SecretKey] = [:]
    var links: [UInt32: Link] = [:]
    var linkCount: UInt64 = 0
    var nextAlive: MonotonicInstant?
    var latest = MonotonicInstant(nanoseconds: 0)
    var outputs: [Output] = []

    package init(_ configuration: Configuration = Configuration(), entropy: Entropy) {
        self.configuration = configuration
        var entropy = entropy
        let drawn = BluetoothAddress(.public, bits: entropy.next() & 0x3FFF_FFFF_FFFF)
        publicAddress = configuration.address ?? drawn
        address = publicAddress
        isPresent = configuration.isPresent
        self.entropy = entropy
    }

    package var nextDeadline: MonotonicInstant? {
        var deadlines = [onAir?.next, nextAlive].compactMap { $0 }
        for link in links.values where !link.isOpen { deadlines.append(link.heard.advanced(by: Self.connectTime)) }
        deadlines += links.values.compactMap { $0.pairing?.deadline }
        return deadlines.min()
    }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Output] {
        latest = now
        switch event {
        case .perform(let effect): perform(effect)
        case .heard(let frame): heard(frame)
        case .switched(let isOn):
            isBlocked = !isOn
            if !isOn, settings.contains(.powered) {
                powerOff()
                tell(.newSettings(settings))
            }
        case .present(let isPresent): setPresent(isPresent)
        case .deadlineReached: expire()
        }
        defer { outputs = [] }
        return outputs
    }

    // MARK: Effects

    private mutating func perform(_ effect: BluetoothEffect) {
        switch effect {
        case .openManagement:
            isOpen = true
            outputs.append(.event(.managementOpened))
        case .managementSend(let octets, let key):
            guard isOpen, let packet = try? ManagementPacket(octets: octets, keyLength: key?.count ?? 0) else { return }
            manage(packet, key)
        case .serveAttributes:
            isServing = true
            outputs.append(.event(.attributesServed(.kernel)))
        case .attSend(let id, let octets):
            guard let (number, link) = link(id), link.isOpen else { return }
            send(.attribute(number, octets), to: link.peer)
        case .attDisconnect(let id):
            guard let (number, link) = link(id) else { return }
            send(.terminated(number), to: link.peer)
            end(number)
        case .attConnect(let peer): connect(peer)
        case .close:
            for (number, link) in links {
                send(.terminated(number), to: link.peer)
                end(number)
            }
            isServing = false
            isOpen = false
        }
    }

    func link(_ id: BluetoothLinkID) -> (UInt32, Link)? {
        links.first { $0.value.id == id }.map { ($0.key, $0.value) }
    }

    mutating func tell(_ event: ManagementEvent, key: SecretKey? = nil, index: UInt16 = 0) {
        guard isOpen else { return }
        outputs.append(.event(.managementReceived(event.packet(index: index), key: key)))
    }

    mutating func send(_ body: BluetoothAirFrame.Body, to peer: BluetoothAddress?) {
        outputs.append(.air(BluetoothAirFrame(source: address, destination: peer, body: body)))
    }

    private mutating func setPresent(_ present: Bool) {
        guard present != isPresent else { return }
        isPresent = present
        if present {
            tell(.indexAdded)
        } else {
            powerOff()
            settings = []
            instances = [:]
            longTermKeys = [:]
            tell(.indexRemoved)
        }
    }

    mutating func powerOff() {
        for (number, link) in links {
            send(.terminated(number), to: link.peer)
            end(number)
        }
        settings.remove(.powered)
        onAir = nil
        isScanning = false
    }

    // MARK: Links

    private mutating func connect(_ peer: BluetoothAddress) {
        guard settings.contains(.powered), links.count < Self.linkLimit else {
            let failure = BluetoothFailure(.gone, "no Bluetooth controller is powered")
            outputs.append(.event(.attConnectFailed(peer, failure)))
            return
        }
        let number = UInt32(truncatingIfNeeded: entropy.next())
        open(number, peer, isOpen: false)
        send(.connect(number), to: peer)
    }

    private mutating func open(_ number: UInt32, _ peer: BluetoothAddress, isOpen: Bool) {
        linkCount += 1
        links[number] = Link(id: BluetoothLinkID(linkCount), peer: peer, isOpen: isOpen, heard: latest)
        if nextAlive == nil { nextAlive = latest.advanced(by: Self.aliveInterval) }
    }

    mutating func end(_ number: UInt32) {
        guard let link = links.removeValue(forKey: number) else { return }
        if links.isEmpty { nextAlive = nil }
        if link.isOpen {
            tell(.disconnected(link.peer, reason: 3))
            outputs.append(.event(.attClosed(link.id)))
            resumeAdvertising()
        } else {
            outputs.append(.event(.attConnectFailed(link.peer, BluetoothFailure(.gone, "no answer"))))
        }
    }

    private mutating func announce(_ link: Link) {
        tell(.connected(link.peer))
        outputs.append(.event(.attConnected(link.id, peer: link.peer, mtu: 23)))
    }

    private mutating func heard(_ frame: BluetoothAirFrame) {
        guard settings.contains(.powered), frame.destination == nil || frame.destination == address else { return }
        if case .advertisement(let data, let scanResponse) = frame.body {
            guard isScanning else { return }
            tell(.found(FoundDevice(address: frame.source, signal: -48, data: data + scanResponse)))
            return
        }
        guard let number = frame.link else { return }
        if case .connect = frame.body {
            // A connectable advertisement is taken by one initiator, and ends with that.
            guard onAir != nil, isServing, links[number] == nil, links.count < Self.linkLimit else { return }
            onAir = nil
            open(number, frame.source, isOpen: true)
            send(.accepted(number), to: frame.source)
            if let link = links[number] { announce(link) }
            return
        }
        guard var link = links[number], link.peer == frame.source else { return }
        link.heard = latest
        links[number] = link
        switch frame.body {
        case .accepted where !link.isOpen:
            links[number]?.isOpen = true
            announce(link)
            encryptIfBonded(number)
        case .attribute(_, let octets) where link.isOpen:
            outputs.append(.event(.attReceived(link.id, octets)))
        case .terminated: end(number)
        case .security(_, let message) where link.isOpen: heard(message, number)
        default: break
        }
    }

    // MARK: Time

    private mutating func expire() {
        for (number, link) in links.sorted(by: { $0.key < $1.key }) {
            let limit = link.isOpen ? Self.supervision : Self.connectTime
            if link.heard.advanced(by: limit) <= latest { end(number) }
        }
        expirePairings()
        if let due = nextAlive, due <= latest {
            for (number, link) in links where link.isOpen { send(.alive(number), to: link.peer) }
            nextAlive = links.isEmpty ? nil : latest.advanced(by: Self.aliveInterval)
        }
        if let air = onAir, air.next <= latest, let instance = instances[air.number] {
            send(.advertisement(data: instance.data, scanResponse: instance.scanResponse), to: nil)
            onAir = (air.number, latest.advanced(by: pause(instance)))
        }
    }

    /// The interval and the random delay of at most 10 ms (Core 5.4, Vol 6, Part B, 4.4.2.2.1).
    private mutating func pause(_ instance: Instance) -> Duration {
        .microseconds(Int64(instance.interval) * 625 + Int64.random(in: 0...10_000, using: &entropy))
    }

    mutating func advertise(_ number: UInt8) { onAir = (number, latest) }

    private mutating func resumeAdvertising() {
        guard onAir == nil, settings.contains(.powered),
            let number = instances.filter({ $0.value.isComplete }).keys.min()
        else { return }
        advertise(number)
    }
}
