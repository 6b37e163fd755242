internal import CLinux
internal import Glibc

/// Who is at the other end of a connection, as the kernel recorded it.
package struct PeerCredentials: Hashable, Sendable {
    package let processID: Int32
    package let userID: UInt32
    package let groupID: UInt32
}

/// Makers of Unix sockets; each is close-on-exec.
package enum UnixSocket {
    /// A non-blocking socket that listens at `address`.
    ///
    /// A socket file whose owner is gone is replaced. The file has `mode` before anybody can connect.
    /// - Throws: `EADDRINUSE` when somebody answers there, or something else than a socket is in the way.
    package static func listen(at address: UnixAddress, mode: UInt32 = 0o600, backlog: Int32 = 16)
        throws(SystemError) -> FileDescriptor
    {
        let socket = try open(CLINUX_STREAM, isBlocking: false)
        try bind(socket, to: address, mode: mode)
        let raw = socket.raw
        try systemCall("listen \(address)") { Glibc.listen(raw, backlog) }
        return socket
    }

    /// The next waiting connection, non-blocking; nil when none waits.
    package static func accept(on listener: borrowing FileDescriptor) throws(SystemError) -> FileDescriptor? {
        let raw = listener.raw
        return try nonBlockingCall("accept") { clinux_accept(raw) }.map { FileDescriptor(owning: $0) }
    }

    /// A stream connected to `address`, blocking: for tools, not for a loop.
    package static func connect(to address: UnixAddress) throws(SystemError) -> FileDescriptor {
        let socket = try open(CLINUX_STREAM, isBlocking: true)
        try connect(socket, to: address)
        return socket
    }

    /// A non-blocking datagram socket, bound to `address` so that others can send to it.
    package static func datagram(at address: UnixAddress, mode: UInt32 = 0o600) throws(SystemError) -> FileDescriptor {
        let socket = try open(CLINUX_DATAGRAM, isBlocking: false)
        try bind(socket, to: address, mode: mode)
        return socket
    }

    /// Takes a socket's file away; nobody can connect any more.
    package static func remove(_ address: UnixAddress) { unlink(address.path) }

    package static func credentials(of connection: borrowing FileDescriptor) throws(SystemError) -> PeerCredentials {
        let raw = connection.raw
        var process: pid_t = 0
        var user: uid_t = 0
        var group: gid_t = 0
        try systemCall("getsockopt(SO_PEERCRED)") { clinux_peer_credentials(raw, &process, &user, &group) }
        return PeerCredentials(processID: process, userID: user, groupID: group)
    }

    /// Who listens at `address`; nil when nobody answers there.
    package static func listener(at address: UnixAddress) -> PeerCredentials? {
        do throws(SystemError) {
            let socket = try open(CLINUX_STREAM, isBlocking: false)
            try connect(socket, to: address)
            return try credentials(of: socket)
        } catch { return nil }
    }

    private static func open(_ type: Int32, isBlocking: Bool) throws(SystemError) -> FileDescriptor {
        FileDescriptor(owning: try systemCall("socket") { clinux_unix_socket(type, isBlocking ? 0 : 1) })
    }

    private static func connect(
        _ socket: borrowing FileDescriptor, to address: UnixAddress
    ) throws(SystemError) {
        let raw = socket.raw
        try address.withSocketAddress { pointer, length throws(SystemError) in
            _ = try systemCall("connect \(address)") { Glibc.connect(raw, pointer, length) }
        }
    }

    private static func bind(
        _ socket: borrowing FileDescriptor, to address: UnixAddress, mode: UInt32
    ) throws(SystemError) {
        let raw = socket.raw
        // bind(2) takes the file's mode from the socket's inode, less the umask.
        try systemCall("fchmod socket") { fchmod(raw, mode & 0o700) }
        func attempt() throws(SystemError) {
            try address.withSocketAddress { pointer, length throws(SystemError) in
                _ = try systemCall("bind \(address)") { Glibc.bind(raw, pointer, length) }
            }
        }
        do throws(SystemError) { try attempt() } catch {
            guard error.code == EADDRINUSE, isAbandoned(address) else { throw error }
            unlink(address.path)
            try attempt()
        }
        try systemCall("chmod \(address)") { chmod(address.path, mode) }
    }

    /// Whether a socket file has lost its owner: connecting is refused, not merely unanswered.
    private static func isAbandoned(_ address: UnixAddress) -> Bool {
        var status = stat()
        guard lstat(address.path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return false }
        for type in [CLINUX_STREAM, CLINUX_DATAGRAM] {
            do throws(SystemError) {
                try connect(try open(type, isBlocking: false), to: address)
                return false
            } catch {
                if error.code == EPROTOTYPE { continue }
                return error.code == ECONNREFUSED
            }
        }
        return false
    }
}

/// What became of a datagram to a named socket.
package enum DatagramOutcome: Equatable, Sendable {
    case sent
    /// The receiver's queue is full; the datagram is dropped.
    case full
    /// Nobody is bound there any more.
    case gone
}

extension FileDescriptor {
    /// Sends one datagram to the socket at `address`, without waiting.
    package func send(_ datagram: [UInt8], to address: UnixAddress) throws(SystemError) -> DatagramOutcome {
        let raw = raw
        do throws(SystemError) {
            let sent = try address.withSocketAddress { pointer, length throws(SystemError) in
                try nonBlockingCall("sendto \(address)") {
                    sendto(raw, datagram, datagram.count, CLINUX_MSG_DONTWAIT | CLINUX_NOSIGNAL, pointer, length)
                }
            }
            return sent == nil ? .full : .sent
        } catch {
            switch error.code {
            case ENOBUFS: return .full
            case ENOENT, ECONNREFUSED: return .gone
            default: throw error
            }
        }
    }
}
