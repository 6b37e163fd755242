internal import CLinux
internal import Glibc

/// Makers of internet sockets; each is close-on-exec and non-blocking.
package enum InternetSocket {
    /// A datagram socket bound to `address`; with `isShared`, others of this user may bind the same one.
    ///
    /// Sharing is SO_REUSEPORT: unlike SO_REUSEADDR it keeps other users out. Of the sockets that share an address the
    /// kernel picks, for each datagram, the one connected to its sender, and an unconnected one where none is.
    package static func datagram(at address: SocketAddress, isShared: Bool = false) throws(SystemError)
        -> FileDescriptor
    {
        let socket = try open(address, isStream: false)
        if isShared { try option("SO_REUSEPORT", clinux_share_port(socket.raw)) }
        try bind(socket, to: address)
        return socket
    }

    /// As `datagram(at:isShared:)`, and hearing `peer` only.
    ///
    /// A shared address has a moment between binding and connecting: what others sent then waits in the socket and is
    /// to be told by its sender.
    package static func datagram(at address: SocketAddress, connectedTo peer: SocketAddress, isShared: Bool = false)
        throws(SystemError) -> FileDescriptor
    {
        let socket = try datagram(at: address, isShared: isShared)
        try connect(socket, to: peer)
        return socket
    }

    /// A datagram socket of an address and port that the kernel chooses, connected to `peer`.
    package static func datagram(connectedTo peer: SocketAddress) throws(SystemError) -> FileDescriptor {
        let socket = try open(peer, isStream: false)
        try connect(socket, to: peer)
        return socket
    }

    package static func listen(at address: SocketAddress, backlog: Int32 = 16) throws(SystemError) -> FileDescriptor {
        let socket = try open(address, isStream: true)
        try option("SO_REUSEADDR", clinux_reuse_address(socket.raw))
        try bind(socket, to: address)
        let raw = socket.raw
        try systemCall("listen \(address)") { Glibc.listen(raw, backlog) }
        return socket
    }

    /// The next waiting connection; nil when none waits.
    package static func accept(
        on listener: borrowing FileDescriptor, _ body: (consuming FileDescriptor, SocketAddress) -> Void
    ) throws(SystemError) -> Bool {
        let raw = listener.raw
        var peer = clinux_address()
        guard let connection = try nonBlockingCall("accept", { clinux_inet_accept(raw, &peer) }) else { return false }
        body(FileDescriptor(owning: connection), SocketAddress(peer))
        return true
    }

    /// A stream on its way to `peer`: once it is writable, `pendingError` says whether it arrived.
    package static func stream(connectingTo peer: SocketAddress) throws(SystemError) -> FileDescriptor {
        let socket = try open(peer, isStream: true)
        let raw = socket.raw
        var kernel = peer.kernel
        do throws(SystemError) {
            try systemCall("connect \(peer)") { clinux_inet_connect(raw, &kernel) }
        } catch {
            guard error.code == EINPROGRESS else { throw error }
        }
        return socket
    }

    private static func open(_ address: SocketAddress, isStream: Bool) throws(SystemError) -> FileDescriptor {
        let isV6: Int32 = address.isV6 ? 1 : 0
        return FileDescriptor(owning: try systemCall("socket") { clinux_inet_socket(isV6, isStream ? 1 : 0) })
    }

    private static func bind(_ socket: borrowing FileDescriptor, to address: SocketAddress) throws(SystemError) {
        let raw = socket.raw
        var kernel = address.kernel
        try systemCall("bind \(address)") { clinux_inet_bind(raw, &kernel) }
    }

    private static func connect(_ socket: borrowing FileDescriptor, to peer: SocketAddress) throws(SystemError) {
        let raw = socket.raw
        var kernel = peer.kernel
        try systemCall("connect \(peer)") { clinux_inet_connect(raw, &kernel) }
    }

    static func option(_ name: StaticString, _ result: Int32) throws(SystemError) {
        let code = errno
        if result == -1 { throw SystemError(call: "setsockopt(\(name))", code: code) }
    }
}

extension FileDescriptor {
    /// The address this socket is bound to.
    package func localAddress() throws(SystemError) -> SocketAddress {
        let raw = raw
        var address = clinux_address()
        try systemCall("getsockname") { clinux_inet_local(raw, &address) }
        return SocketAddress(address)
    }

    /// Takes and clears what went wrong since the last call, a failed connection among it; 0 when nothing did.
    package var pendingError: Int32 { clinux_socket_error(raw) }

    /// Tells the peer that nothing more will come, and goes on reading.
    package func shutdownWriting() throws(SystemError) {
        let raw = raw
        try systemCall("shutdown") { clinux_shutdown_write(raw) }
    }

    /// Sends small segments at once: what is relayed has been gathered by its maker.
    package func setNoDelay() throws(SystemError) { try InternetSocket.option("TCP_NODELAY", clinux_set_no_delay(raw)) }

    /// Asks for kernel buffers of these sizes; 0 leaves one as it is, and the system's limits cut them silently.
    package func setBuffers(send: Int32 = 0, receive: Int32 = 0) throws(SystemError) {
        try InternetSocket.option("SO_SNDBUF", clinux_set_buffers(raw, send, receive))
    }

    /// Has the kernel throw away a part of what arrives, at random: a lossy link without privileges.
    ///
    /// The part is per mille of the packets; 1000 is all.
    package func dropAtRandom(perMille: UInt32) throws(SystemError) {
        let threshold = UInt32(clamping: UInt64(min(perMille, 1000)) << 32 / 1000)
        try InternetSocket.option("SO_ATTACH_FILTER", clinux_drop_at_random(raw, threshold))
    }
}
