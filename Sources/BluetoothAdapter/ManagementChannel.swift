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
                guard let packet = try descriptor.receive(limit: Self.longestPacket) else { return }
                guard !packet.isEmpty else {
                    return tell(
                        .managementFailed(BluetoothFailure(.gone, "the Bluetooth management channel has ended")))
                }
                tell(.managementReceived(packet))
            } catch {
                return tell(.managementFailed(BluetoothFailure(error, "the Bluetooth management channel")))
            }
        }
    }
}
