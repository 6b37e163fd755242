internal import Glibc
package import LinuxRuntime

/// The program behind the accessory's control handler: sends every datagram back where it came from.
///
/// A real accessory has its flight controller there.
package final class EchoProgram {
    package let port: UInt16
    private let socket: FileDescriptor
    private var source: EventSource?

    /// Listens on a port of 127.0.0.1 that the kernel chooses.
    package init(on loop: EventLoop) throws(SystemError) {
        socket = try InternetSocket.datagram(at: SocketAddress(SocketAddress.Host.v4(0x7F00_0001), port: 0))
        port = try socket.localAddress().port
        source = try loop.watch(socket.raw) { [unowned self] in echo() }
    }

    deinit { source = nil }

    private func echo() {
        let raw = socket.raw
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            var sender = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isDone = withUnsafeMutablePointer(to: &sender) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    let count = recvfrom(raw, &buffer, buffer.count, 0, address, &length)
                    // What cannot be sent back is lost, as on any link.
                    if count >= 0 { sendto(raw, buffer, count, 0, address, length) }
                    return count < 0
                }
            }
            if isDone { return }
        }
    }
}
