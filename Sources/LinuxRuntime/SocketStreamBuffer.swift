internal import CLinux
internal import Glibc

/// A fixed amount of octets between two streams: what one has given and the other has not taken yet.
package final class StreamBuffer {
    package enum Filling: Equatable, Sendable {
        case some
        case nothing
        /// The stream has ended, in good order or by a reset.
        case end
    }

    private let storage: UnsafeMutableRawBufferPointer
    private var head = 0
    private var tail = 0

    package init(capacity: Int) {
        precondition(capacity > 0)
        storage = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit { storage.deallocate() }

    package var isEmpty: Bool { head == tail }
    package var hasRoom: Bool { tail < storage.count }

    /// Reads once from `stream` into the room there is.
    ///
    /// - Precondition: `hasRoom`.
    package func fill(from stream: borrowing FileDescriptor) throws(SystemError) -> Filling {
        let raw = stream.raw
        let room = UnsafeMutableRawBufferPointer(rebasing: storage[tail...])
        precondition(!room.isEmpty)
        do throws(SystemError) {
            let count = try nonBlockingCall("read") { read(raw, room.baseAddress, room.count) }
            guard let count else { return .nothing }
            tail += count
            return count == 0 ? .end : .some
        } catch {
            if error.code == ECONNRESET { return .end }
            throw error
        }
    }

    /// Writes once to the socket `stream` and returns how many octets it took.
    ///
    /// - Throws: `EPIPE` when the other end has closed; never a signal.
    package func drain(to stream: borrowing FileDescriptor) throws(SystemError) -> Int {
        guard head < tail else { return 0 }
        let raw = stream.raw
        let waiting = UnsafeRawBufferPointer(rebasing: storage[head..<tail])
        let count =
            try nonBlockingCall("send") { send(raw, waiting.baseAddress, waiting.count, CLINUX_NOSIGNAL) } ?? 0
        head += count
        // Room is at the end only: what was taken leaves it when all was taken, or moves up when half was.
        if head == tail {
            head = 0
            tail = 0
        } else if head >= storage.count / 2 {
            storage.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[head..<tail]))
            tail -= head
            head = 0
        }
        return count
    }
}
