internal import BluetoothFrames
internal import CBluetoothShim
internal import LinuxRuntime
internal import Ports

/// One ATT bearer over L2CAP's fixed channel.
final class AttributeLink: Retired {
    /// Of the bearer until the two have exchanged others (Core 5.4, Vol 3, Part G, 5.2.1).
    static let firstMTU = 23
    /// The kernel hands on at most 672 octets (L2CAP_DEFAULT_MTU), and drops what is longer.
    private static let longestPDU = 1024
    /// PDUs taken in one turn of the loop: one central's flood must not stop it.
    private static let batch = 16
    /// PDUs that wait for a central that does not take them: a request has one answer, so only notifications pile up.
    private static let queueLimit = 32

    private let id: BluetoothLinkID
    private let peer: BluetoothAddress
    private let descriptor: FileDescriptor
    private let tell: (BluetoothEvent) -> Void
    private var watch: StreamWatch?
    private var waiting: [[UInt8]] = []
    private var isConnected: Bool
    private var security = BluetoothSecurity.none
    private var isStopped = false

    /// A socket that is connected or on its way.
    init(
        loop: EventLoop, descriptor: consuming FileDescriptor, id: BluetoothLinkID, peer: BluetoothAddress,
        isConnected: Bool, _ tell: @escaping (BluetoothEvent) -> Void
    ) throws(SystemError) {
        self.id = id
        self.peer = peer
        self.descriptor = descriptor
        self.isConnected = isConnected
        self.tell = tell
        watch = try loop.watch(
            self.descriptor.raw, readable: { [unowned self] in readable() }, writable: { [unowned self] in writable() })
        if !isConnected { watch?.setWaitsForRoom(true) }
    }

    deinit { watch = nil }

    /// The kernel has no room for what there is to send.
    var isWaiting: Bool { !waiting.isEmpty }

    static func connect(to address: BluetoothAddress) throws(SystemError) -> FileDescriptor {
        var raw = address.raw
        return FileDescriptor(
            owning: try systemCall("connect(L2CAP, ATT)") {
                cbt_connect_attributes(BluetoothAddress.Kind.public.rawValue, &raw)
            })
    }

    func stop() {
        isStopped = true
        watch?.setWaitsForRoom(false)
        watch?.setEnabled(false)
    }

    /// Sends it now, or when those before it have gone.
    func send(_ pdu: [UInt8]) {
        guard !isStopped else { return }
        guard waiting.isEmpty else {
            guard waiting.count < Self.queueLimit else { return end() }
            return waiting.append(pdu)
        }
        do throws(SystemError) {
            guard try !write(pdu) else { return }
            waiting.append(pdu)
            watch?.setWaitsForRoom(true)
        } catch { end() }
    }

    /// False when the kernel has no room.
    private func write(_ pdu: [UInt8]) throws(SystemError) -> Bool {
        let raw = descriptor.raw
        return try nonBlockingCall("send(ATT)") { cbt_send_attributes(raw, pdu, pdu.count) } != nil
    }

    private func writable() {
        guard !isStopped, decide() else { return }
        do throws(SystemError) {
            while let pdu = waiting.first {
                guard try write(pdu) else { return }
                waiting.removeFirst()
            }
            watch?.setWaitsForRoom(false)
        } catch { end() }
    }

    private func readable() {
        guard !isStopped, decide() else { return }
        for _ in 0..<Self.batch where !isStopped {
            do throws(SystemError) {
                guard let pdu = try descriptor.receive(limit: Self.longestPDU) else { return }
                // The end; a PDU without an opcode looks the same, and is no less one.
                guard !pdu.isEmpty else { return end() }
                tellSecurity()
                tell(.attReceived(id, pdu))
            } catch { return end() }
        }
    }

    /// Where it has changed, before the PDU that it may matter for.
    private func tellSecurity() {
        let level = BluetoothSecurity(rawValue: UInt8(clamping: cbt_security(descriptor.raw))) ?? .none
        guard level != security else { return }
        security = level
        tell(.attSecured(id, level))
    }

    /// Whether the link is up; what has become of one that was on its way is told here.
    private func decide() -> Bool {
        guard !isConnected else { return true }
        let code = cbt_error(descriptor.raw)
        guard code == 0 else {
            stop()
            tell(
                .attConnectFailed(peer, BluetoothFailure(SystemError(call: "connect", code: code), "a link to \(peer)"))
            )
            return false
        }
        isConnected = true
        tell(.attConnected(id, peer: peer, mtu: Self.firstMTU))
        return true
    }

    private func end() {
        stop()
        tell(.attClosed(id))
    }
}
