import Foundation
import Identity
import LinuxRuntime
import MediaService
import Ports
import Testing

@Suite("TCP between phones and local programs") struct StreamForwardingTests {
    /// A forwarded connection with both of its ends in the test's hands.
    private struct Joined {
        let service: TestService
        let phone: BlockingStream
        let program: BlockingStream
    }

    private func join(_ family: Family) throws -> Joined {
        let (accessory, peer) = (family.address(), family.address())
        let listener = try InternetSocket.listen(at: SocketAddress(family.address(), port: 0))
        let service = try TestService()
        let at = try service.open(
            .forward(try endpoint(try listener.localAddress())), name: "_test._tcp", at: accessory, for: [peer])
        let phone = try BlockingStream(from: peer, to: at)
        #expect(try listener.waitUntilReadable(timeout: patience))
        var accepted: BlockingStream?
        _ = try InternetSocket.accept(on: listener) { (socket: consuming FileDescriptor, _) in
            accepted = BlockingStream(socket)
        }
        return Joined(service: service, phone: phone, program: try #require(accepted))
    }

    @Test("octets pass both ways, and the end of one way leaves the other open", arguments: Family.allCases)
    func halfClose(_ family: Family) throws {
        let joined = try join(family)
        #expect(joined.phone.send(Array("question".utf8)))
        try joined.phone.socket.shutdownWriting()
        #expect(joined.program.readToEnd() == Array("question".utf8))
        #expect(joined.program.send(Array("answer".utf8)))
        try joined.program.socket.shutdownWriting()
        #expect(joined.phone.readToEnd() == Array("answer".utf8))
        try joined.service.wait { $0 == .active(ConnectionID(0)) }
    }

    @Test("megabytes pass both ways at once, unaltered, through a reader that starts late") func bulk() throws {
        let joined = try join(.v4)
        let octets = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        let (phone, program) = (joined.phone, joined.program)
        try phone.setBlocking()
        try program.setBlocking()
        // Both write all before either reads: what the buffers do not hold has to wait at the writers.
        let writers = DispatchGroup()
        for stream in [phone, program] {
            let descriptor = stream.socket.raw
            DispatchQueue.global().async(group: writers) {
                var sent = 0
                while sent < octets.count {
                    let count = octets.withUnsafeBytes {
                        send(descriptor, $0.baseAddress.map { $0 + sent }, octets.count - sent, 0)
                    }
                    guard count > 0 else { return }
                    sent += count
                }
                shutdown(descriptor, Int32(SHUT_WR))
            }
        }
        let atProgram = program.readToEnd()
        let atPhone = phone.readToEnd()
        writers.wait()
        let same = atProgram == octets && atPhone == octets
        #expect(same)
    }

    @Test("a sender whose reader does not read is held back") func backPressure() throws {
        let joined = try join(.v4)
        let piece = [UInt8](repeating: 7, count: 1 << 16)
        let dontWait: Int32 = 0x40  // MSG_DONTWAIT, which Glibc has in another type
        var sent = 0
        // Non-blocking: it ends when every buffer on the way is full, and has to end.
        while sent < 256 << 20 {
            var entry = pollfd(fd: joined.phone.socket.raw, events: Int16(POLLOUT), revents: 0)
            guard poll(&entry, 1, 300) > 0 else { break }
            let count = Glibc.send(joined.phone.socket.raw, piece, piece.count, dontWait)
            if count > 0 { sent += count }
        }
        #expect(sent < 64 << 20)
        #expect(sent > 64 << 10)
    }

    @Test("a stranger's connection is closed and counted") func foreign() throws {
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        let listener = try InternetSocket.listen(at: SocketAddress(TestAddress.fresh(), port: 0))
        let service = try TestService()
        let at = try service.open(
            .forward(try endpoint(try listener.localAddress())), name: "_test._tcp", at: accessory, for: [peer])
        let stranger = try BlockingStream(from: TestAddress.fresh(), to: at)
        #expect(stranger.readToEnd() == [])
        #expect(service.media.counters.foreign == 1)
        #expect(try !listener.waitUntilReadable(timeout: .zero))
    }

    @Test("without a local program the phone's connection ends and is counted") func absentProgram() throws {
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        let home = SocketAddress(TestAddress.fresh(), port: 9)
        let service = try TestService()
        let at = try service.open(
            .forward(try endpoint(home)), name: "_test._tcp", at: accessory, for: [peer])
        let phone = try BlockingStream(from: peer, to: at)
        #expect(phone.readToEnd() == [])
        #expect(service.media.counters.undeliverable == 1)
    }

    @Test("a disconnect ends the streams") func disconnect() throws {
        let joined = try join(.v4)
        try joined.service.send(.disconnect(ConnectionID(0)))
        #expect(joined.phone.readToEnd() == [])
        #expect(joined.program.readToEnd() == [])
    }
}

/// A stream that the test reads with a deadline.
final class BlockingStream {
    let socket: FileDescriptor

    init(_ socket: consuming FileDescriptor) { self.socket = socket }

    /// Connected from a given address.
    init(from local: IPAddress, to peer: SocketAddress) throws {
        let descriptor = Glibc.socket(peer.isV6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        socket = FileDescriptor(owning: descriptor)
        let first = SocketAddress(local, port: 0)
        try #require(call(descriptor, first, bind) == 0)
        try #require(call(descriptor, peer, connect) == 0)
    }

    func setBlocking() throws {
        let flags = fcntl(socket.raw, F_GETFL)
        try #require(fcntl(socket.raw, F_SETFL, flags & ~O_NONBLOCK) == 0)
    }

    func send(_ octets: [UInt8]) -> Bool { Glibc.send(socket.raw, octets, octets.count, 0) == octets.count }

    /// All until the other end has closed; what has come when that takes too long.
    func readToEnd() -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while (try? socket.waitUntilReadable(timeout: patience)) == true {
            let count = read(socket.raw, &piece, piece.count)
            guard count > 0 else { return all }
            all += piece[..<count]
        }
        return all
    }
}

private func call(
    _ descriptor: Int32, _ address: SocketAddress, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
    func with<Address>(_ address: Address) -> Int32 {
        withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }
    switch address.host {
    case .v4(let bits):
        var kernel = sockaddr_in()
        kernel.sin_family = sa_family_t(AF_INET)
        kernel.sin_port = address.port.bigEndian
        kernel.sin_addr.s_addr = bits.bigEndian
        return with(kernel)
    case .v6:
        var kernel = sockaddr_in6()
        kernel.sin6_family = sa_family_t(AF_INET6)
        kernel.sin6_port = address.port.bigEndian
        kernel.sin6_addr = in6addr_loopback
        return with(kernel)
    }
}
