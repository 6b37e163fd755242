internal import CLinux
internal import Glibc

/// A buffer that datagrams are received into, one after the other, without allocating.
package final class DatagramReceiver {
    /// The largest UDP datagram and the datagram's end that proves it was not cut.
    private static let capacity = 65536

    private let storage = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
    private var from = clinux_address()
    private var reportedClass: Int32 = -1
    private var count = 0

    package init() {}

    deinit { storage.deallocate() }

    /// Takes the next datagram that waits in `socket`; false when none does.
    ///
    /// - Throws: also `ECONNREFUSED`, once for each datagram of ours that found no receiver.
    package func receive(from socket: borrowing FileDescriptor) throws(SystemError) -> Bool {
        let raw = socket.raw
        let received = try nonBlockingCall("recvmsg") {
            clinux_inet_receive(raw, storage.baseAddress, storage.count, &from, &reportedClass)
        }
        guard let received else { return false }
        count = received
        return true
    }

    /// The datagram received last; not to be kept.
    package var octets: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    package var sender: SocketAddress { SocketAddress(from) }

    /// Of the datagram received last, where the socket reports it.
    package var trafficClass: UInt8? { reportedClass < 0 ? nil : UInt8(truncatingIfNeeded: reportedClass) }
}

extension FileDescriptor {
    /// Sends one datagram to the connected peer and says whether the kernel took it.
    package func send(_ datagram: UnsafeRawBufferPointer) throws(SystemError) -> Bool {
        let raw = raw
        return try nonBlockingCall("send") {
            Glibc.send(raw, datagram.baseAddress, datagram.count, CLINUX_MSG_DONTWAIT)
        } != nil
    }
}
