internal import BluetoothFrames
internal import CBluetoothShim
internal import Cryptography
internal import LinuxRuntime
internal import Ports

/// The kernel's management channel: packets out and in, as they are.
final class ManagementChannel: Retired {
    /// The longest event is a found device's, some hundred octets.
    private static let longestPacket = 4096
    /// Packets taken in one turn of the loop: a scan among many devices must not stop it.
    private static let batch = 64

    private let descriptor: FileDescriptor
    private let tell: (BluetoothEvent) -> Void
    private var watch: EventSource?
    private var isStopped = false

    init(loop: EventLoop, _ tell: @escaping (BluetoothEvent) -> Void) throws(SystemError) {
        descriptor = FileDescriptor(owning: try systemCall("socket(HCI control)") { cbt_open_management() })
        self.tell = tell
        watch = try loop.watch(descriptor.raw) { [unowned self] in receive() }
    }

    deinit { watch = nil }

    func stop() {
        isStopped = true
        watch?.setEnabled(false)
    }

    /// The kernel takes a command whole, and at once.
    func send(_ octets: [UInt8], _ key: SecretKey?) throws(SystemError) {
        let raw = descriptor.raw
        func write(_ secret: UnsafeRawPointer?, _ count: Int) -> Int {
            cbt_send_management(raw, octets, octets.count, secret, count)
        }
        try systemCall("send(HCI control)") {
            key?.withOctets { write($0.baseAddress, $0.count) } ?? write(nil, 0)
        }
    }

    private func receive() {
        for _ in 0..<Self.batch where !isStopped {
            do throws(SystemError) {
                guard let (packet, key) = try receivePacket() else { return }
                guard !packet.isEmpty else {
                    return tell(
                        .managementFailed(BluetoothFailure(.gone, "the Bluetooth management channel has ended")))
                }
                tell(.managementReceived(packet, key: key))
            } catch {
                return tell(.managementFailed(BluetoothFailure(error, "the Bluetooth management channel")))
            }
        }
    }

    /// The next packet, and apart from it, in memory that is wiped, what is secret at its end; nil when there is none.
    private func receivePacket() throws(SystemError) -> ([UInt8], SecretKey?)? {
        let raw = descriptor.raw
        var header = [UInt8](repeating: 0, count: ManagementPacket.headerLength)
        let peeked = try nonBlockingCall("recv(HCI control)") { cbt_peek_management(raw, &header, header.count) }
        guard let peeked else { return nil }
        guard peeked == header.count else { return ([], nil) }
        let code = UInt16(header[0]) | UInt16(header[1]) << 8
        let length = Int(header[4]) | Int(header[5]) << 8
        let secretLength = min(ManagementEvent.keyLength(ofCode: code), length)
        let count = min(header.count + length - secretLength, Self.longestPacket)
        var octets = [UInt8](repeating: 0, count: count)
        guard secretLength > 0 else {
            let read = try nonBlockingCall("recv(HCI control)") {
                cbt_receive_management(raw, &octets, count, nil, 0)
            }
            return read.map { (Array(octets.prefix($0)), nil) }
        }
        let key = try SecretKey(count: secretLength) { secret throws(SystemError) in
            _ = try nonBlockingCall("recv(HCI control)") {
                cbt_receive_management(raw, &octets, count, secret.baseAddress, secret.count)
            }
        }
        return (octets, key)
    }
}
