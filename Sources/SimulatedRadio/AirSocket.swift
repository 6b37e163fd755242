internal import Glibc
internal import LinuxRuntime

/// A radio's socket in the air's folder, known by its inode: whoever sends looks for it there.
final class AirSocket {
    let address: UnixAddress
    let descriptor: FileDescriptor
    /// Let go before the descriptor it watches.
    var watch: EventSource?
    private let device: UInt64
    private let inode: UInt64

    init(at address: UnixAddress) throws(SystemError) {
        self.address = address
        descriptor = try UnixSocket.datagram(at: address)
        var status = stat()
        try systemCall("lstat \(address)") { lstat(address.path, &status) }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    deinit {
        watch = nil
        if isInPlace { UnixSocket.remove(address) }
    }

    /// Whether the file at the address is still this socket.
    var isInPlace: Bool {
        var status = stat()
        return lstat(address.path, &status) == 0 && UInt64(status.st_dev) == device
            && UInt64(status.st_ino) == inode
    }
}
