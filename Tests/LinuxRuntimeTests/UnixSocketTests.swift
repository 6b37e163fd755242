import Foundation
import Glibc
import LinuxRuntime
import Testing

@Suite("Unix sockets", .timeLimit(.minutes(1))) struct UnixSocketTests {
    private let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString.prefix(13))"

    @Test("a stream carries octets both ways, knows its peer and its end") func stream() throws {
        let address = try UnixAddress(path: path)
        let listener = try UnixSocket.listen(at: address, mode: 0o660)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o660)
        if let unexpected = try UnixSocket.accept(on: listener) { Issue.record("connected: \(unexpected.raw)") }
        let accepted: Int32
        do {
            let client = try UnixSocket.connect(to: address)
            guard let server = try UnixSocket.accept(on: listener) else {
                Issue.record("nobody connected")
                return
            }
            let peer = try UnixSocket.credentials(of: server)
            #expect(peer.processID == getpid() && peer.userID == geteuid() && peer.groupID == getegid())
            let nothing = try server.read(limit: 8)
            #expect(nothing == .nothing)
            let sent = try client.write([1, 2, 3], from: 1)
            let read = try server.read(limit: 8)
            #expect(sent == 2 && read == .octets([2, 3]))
            accepted = server.release()
        }
        let server = FileDescriptor(owning: accepted)
        let end = try server.read(limit: 8)
        #expect(end == .end)
        #expect(throws: SystemError(call: "send", code: EPIPE)) { try server.write([1]) }
    }

    @Test("a full stream takes nothing, without waiting") func full() throws {
        let address = try UnixAddress(path: path)
        let listener = try UnixSocket.listen(at: address)
        let client = try UnixSocket.connect(to: address)
        guard let server = try UnixSocket.accept(on: listener) else { return }
        let chunk = [UInt8](repeating: 1, count: 1 << 20)
        var count = 0
        repeat { count = try server.write(chunk) } while count > 0
        #expect(count == 0)
        _ = consume client
    }

    @Test("a dead owner's socket is replaced, a live one's is not, and other files never") func abandoned() throws {
        let address = try UnixAddress(path: path)
        do { _ = try UnixSocket.listen(at: address) }
        let second = try UnixSocket.listen(at: address)
        #expect(throws: SystemError(call: "bind \(path)", code: EADDRINUSE)) { _ = try UnixSocket.listen(at: address) }
        #expect(throws: SystemError.self) { _ = try UnixSocket.datagram(at: address) }
        _ = consume second
        unlink(path)
        try DurableFile(path: path).write([1])
        #expect(throws: SystemError(call: "bind \(path)", code: EADDRINUSE)) { _ = try UnixSocket.listen(at: address) }
        let kept = try DurableFile(path: path).read(limit: 1)
        #expect(kept == [1])
    }

    @Test("datagrams go to a name, and say when nobody is there or no room is left") func datagrams() throws {
        let one = try UnixAddress(path: path + "a")
        let two = try UnixAddress(path: path + "b")
        let sender = try UnixSocket.datagram(at: one)
        let gone = try sender.send([1], to: two)
        #expect(gone == .gone)
        do {
            let receiver = try UnixSocket.datagram(at: two)
            var outcome = try sender.send([1, 2], to: two)
            let received = try receiver.receive(limit: 9)
            #expect(outcome == .sent && received == [1, 2])
            repeat { outcome = try sender.send([3], to: two) } while outcome == .sent
            #expect(outcome == .full)
        }
        let deserted = try sender.send([1], to: two)
        #expect(deserted == .gone)
        let again = try UnixSocket.datagram(at: two)  // its dead owner's file is no obstacle
        _ = consume again
    }

    @Test("a path that does not fit is an error") func longPath() {
        let long = "/" + String(repeating: "x", count: 107)
        #expect(throws: SystemError(call: "bind \(long)", code: ENAMETOOLONG)) { try UnixAddress(path: long) }
        #expect(throws: SystemError(call: "bind ", code: EINVAL)) { try UnixAddress(path: "") }
    }
}
