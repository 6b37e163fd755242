internal import CLinux
internal import Glibc

/// Datagrams that lie in somebody else's memory, sent with one `sendmmsg` and without copying them first.
///
/// All its own memory is allocated in `init`; `append` and `flush` never allocate.
package final class BorrowedDatagrams {
    private let capacity: Int
    private let vectors: UnsafeMutablePointer<iovec>
    private let messages: UnsafeMutablePointer<clinux_mmsghdr>
    private var used = 0

    /// Has room for `capacity` datagrams; the kernel takes at most 1024 at once.
    package init(capacity: Int) {
        precondition(capacity > 0 && capacity <= 1024)
        self.capacity = capacity
        vectors = .allocate(capacity: capacity)
        messages = .allocate(capacity: capacity)
        for index in 0..<capacity {
            (vectors + index).initialize(to: iovec())
            var header = msghdr()
            header.msg_iov = vectors + index
            header.msg_iovlen = 1
            (messages + index).initialize(to: clinux_mmsghdr(msg_hdr: header, msg_len: 0))
        }
    }

    deinit {
        messages.deallocate()
        vectors.deallocate()
    }

    package var isFull: Bool { used == capacity }

    /// Notes a datagram; its octets stay where they are until `flush`.
    package func append(_ datagram: UnsafeRawBufferPointer) {
        precondition(!isFull)
        // The kernel only reads through it.
        vectors[used] = iovec(
            iov_base: UnsafeMutableRawPointer(mutating: datagram.baseAddress), iov_len: datagram.count)
        used += 1
    }

    /// Sends what was noted to the connected peer and returns how many datagrams the kernel took.
    ///
    /// A peer's earlier "port unreachable" is waiting in the socket instead of the first datagram's result: it is
    /// taken out and the datagrams are sent.
    package func flush(to descriptor: borrowing FileDescriptor) throws(SystemError) -> Int {
        let raw = descriptor.raw
        let count = UInt32(used)
        used = 0
        func attempt() throws(SystemError) -> Int {
            Int(try nonBlockingCall("sendmmsg") { clinux_sendmmsg(raw, messages, count, CLINUX_MSG_DONTWAIT) } ?? 0)
        }
        do throws(SystemError) { return try attempt() } catch {
            switch error.code {
            case ECONNREFUSED: return try attempt()
            case ENOBUFS: return 0
            default: throw error
            }
        }
    }
}
