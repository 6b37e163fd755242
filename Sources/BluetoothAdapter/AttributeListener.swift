internal import BluetoothFrames
internal import CBluetoothShim
internal import LinuxRuntime

/// Where centrals arrive: the LE attribute channel of the controllers whose own address is of one kind.
final class AttributeListener: Retired {
    private static let backlog: Int32 = 8

    private let descriptor: FileDescriptor
    private let accepted: (consuming FileDescriptor, BluetoothAddress) -> Void
    private var watch: EventSource?
    private var isStopped = false

    init(
        loop: EventLoop, kind: BluetoothAddress.Kind,
        _ accepted: @escaping (consuming FileDescriptor, BluetoothAddress) -> Void
    ) throws(SystemError) {
        descriptor = FileDescriptor(
            owning: try systemCall("listen(L2CAP, ATT)") { cbt_listen_attributes(kind.rawValue, Self.backlog) })
        self.accepted = accepted
        watch = try loop.watch(descriptor.raw) { [unowned self] in accept() }
    }

    deinit { watch = nil }

    func stop() {
        isStopped = true
        watch?.setEnabled(false)
    }

    private func accept() {
        let raw = descriptor.raw
        for _ in 0..<Self.backlog where !isStopped {
            var address = cbt_address()
            do throws(SystemError) {
                let link = try nonBlockingCall("accept(L2CAP, ATT)") { cbt_accept_attributes(raw, &address) }
                guard let link else { return }
                accepted(FileDescriptor(owning: link), BluetoothAddress(address))
            } catch { return }  // a central that left before it was let in
        }
    }
}

extension BluetoothAddress {
    init(_ address: cbt_address) {
        var address = address
        let bits = withUnsafeBytes(of: &address.octets) { octets in
            octets.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        self.init(Kind(rawValue: address.kind) ?? .random, bits: bits)
    }

    var raw: cbt_address {
        var address = cbt_address()
        withUnsafeMutableBytes(of: &address.octets) { octets in
            for index in octets.indices { octets[index] = UInt8(truncatingIfNeeded: bits >> (8 * UInt64(index))) }
        }
        address.kind = kind.rawValue
        return address
    }
}
