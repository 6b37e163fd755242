internal import CLinux
internal import Glibc

/// What one read of a stream found.
package enum StreamRead: Equatable, Sendable {
    case octets([UInt8])
    /// Nothing yet.
    case nothing
    /// The other end has closed.
    case end
}

extension FileDescriptor {
    /// Reads once, at most `limit` octets; a reset connection has ended.
    package func read(limit: Int) throws(SystemError) -> StreamRead {
        let raw = raw
        var buffer = [UInt8](repeating: 0, count: limit)
        do throws(SystemError) {
            guard let count = try nonBlockingCall("read", { Glibc.read(raw, &buffer, limit) }) else { return .nothing }
            if count == 0 { return .end }
            buffer.removeLast(limit - count)
            return .octets(buffer)
        } catch {
            if error.code == ECONNRESET { return .end }
            throw error
        }
    }

    /// Writes once to a socket, from `offset` on; returns how many octets the kernel took, 0 when it has no room.
    ///
    /// - Throws: `EPIPE` when the other end has closed; never a signal.
    package func write(_ octets: [UInt8], from offset: Int = 0) throws(SystemError) -> Int {
        let raw = raw
        guard offset < octets.count else { return 0 }
        return try octets.withUnsafeBytes { buffer in
            Result { () throws(SystemError) in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                return try nonBlockingCall("send") {
                    Glibc.send(raw, rest.baseAddress, rest.count, CLINUX_NOSIGNAL)
                } ?? 0
            }
        }.get()
    }

    /// Waits until there is something to read or the other end has closed; false when the time is over.
    ///
    /// For tools that wait for one thing only, for ever if `timeout` is nil; a service watches on its loop.
    package func waitUntilReadable(timeout: Duration?) throws(SystemError) -> Bool {
        var entry = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        let milliseconds = timeout.map { duration in
            let parts = duration.components
            return Int32(clamping: parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
        }
        return try systemCall("poll") { poll(&entry, 1, milliseconds ?? -1) } > 0
    }
}
