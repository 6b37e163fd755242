import Glibc
import JSONText
import LinuxRuntime
import Octets
import Testing

/// A phone that reaches a `_tcp` service over its data path: the accessory passes its streams on to a local program.
@Suite("A _tcp service over a data path") struct ForwardedStreamTests {
    private static func identity(program: SocketAddress) -> String {
        """
        {
          "schema-version": 1,
          "vendor-name": "Test Works",
          "model-name": "Logger",
          "pairing-name": "Test Logger",
          "serial-number": "T-2",
          "services": [
            {"name": "_test-logger._tcp", "port": 8080, "handler": {"forward": {"local": "\(program)"}}}
          ],
          "pairing": {"window": "always"}
        }
        """
    }

    /// The addresses that the phone says it is connected with.
    private static func link(in output: String) throws -> (local: SocketAddress, service: SocketAddress) {
        let line = try #require(output.split(separator: "\n").first { $0.contains("\"event\":\"connected\"") })
        #expect(line.contains("\"transport\":\"tcp\""))
        func member(_ name: String) throws -> String {
            let rest = try #require(line.firstRange(of: "\"\(name)\":\"").map { line[$0.upperBound...] })
            return String(rest.prefix { $0 != "\"" })
        }
        let local = try #require(SocketAddress(v4: try member("local") + ":0"))
        return (local, try #require(SocketAddress(v4: try member("accessory"))))
    }

    /// Connects as an app does that is refused: again, for the accessory serves a moment after the phone is connected.
    private func reach(
        _ service: SocketAddress, from local: SocketAddress, while phone: Program
    ) throws -> TestStream {
        let end = MonotonicInstant.boot.advanced(by: Program.patience)
        while true {
            do { return try TestStream(from: local, to: service) } catch let error as SystemError {
                guard error.code == ECONNREFUSED, MonotonicInstant.boot < end else { throw error }
                try phone.read(for: .milliseconds(10))
            }
        }
    }

    @Test("octets pass both ways, one way's end leaves the other open, and a stranger's stream gets nothing")
    func bothWays() throws {
        let listener = try InternetSocket.listen(at: SocketAddress(.v4(0x7F00_0001), port: 0))
        let accessory = try Accessory()
        try accessory.folder.write(Self.identity(program: try listener.localAddress()), to: "identity.json")
        let program = try accessory.start()
        try program.waitForLog("tcp port 8080 is ready")
        let phone = try Program(
            "aware-factory",
            [
                "phone", "--json", "--service", "_test-logger._tcp", "--air", accessory.folder.file("air"), "--state",
                accessory.folder.file("phone"), "--pin-file", "-",
            ])
        #expect(try program.read { $0.output.contains("PIN ") && $0.output.hasSuffix("\n") }, "\(program.log)")
        let line = try #require(program.output.split(separator: "\n").first { $0.hasPrefix("PIN ") })
        try phone.type(String(line.dropFirst(4)))
        let isConnected = try phone.read {
            $0.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .contains { $0.contains("\"event\":\"connected\"") }
        }
        try #require(isConnected, "\(phone.output)\(phone.log)")
        try program.waitForLog("connection: connected")
        let link = try Self.link(in: phone.output)
        #expect(link.local.host != link.service.host)

        let stream = try reach(link.service, from: link.local, while: phone)
        try #require(try listener.waitUntilReadable(timeout: Program.patience))
        var accepted: TestStream?
        _ = try InternetSocket.accept(on: listener) { (socket: consuming FileDescriptor, _) in
            accepted = TestStream(socket)
        }
        let local = try #require(accepted)
        let question = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }
        let asked = try stream.send(question, readBy: local)
        #expect(asked)
        try stream.socket.shutdownWriting()
        #expect(try local.readToEnd() == [])
        let answer = question.reversed() as [UInt8]
        let answered = try local.send(answer, readBy: stream)
        #expect(answered)
        try local.socket.shutdownWriting()
        #expect(try stream.readToEnd() == [])

        // Nobody else's: an address without a data path.
        let stranger = try TestStream(from: SocketAddress(.v4(0x7FFE_0001), port: 0), to: link.service)
        #expect(try stranger.readToEnd() == [])
        #expect(try !listener.waitUntilReadable(timeout: .zero))

        phone.process.send(signal: SIGINT)
        let exit = try phone.end()
        #expect(exit == .exited(0), "\(phone.output)\(phone.log)")
        program.process.send(signal: SIGTERM)
        let last = try program.end()
        #expect(last == .exited(0))
    }
}

/// A TCP stream of a test, over IPv4.
private final class TestStream {
    let socket: FileDescriptor

    init(_ socket: consuming FileDescriptor) { self.socket = socket }

    init(from local: SocketAddress, to peer: SocketAddress) throws {
        socket = FileDescriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        try systemCall("bind \(local)") { Self.call(socket.raw, local, bind) }
        try systemCall("connect \(peer)") { Self.call(socket.raw, peer, connect) }
    }

    private static func call(
        _ descriptor: Int32, _ address: SocketAddress, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        guard case .v4(let bits) = address.host else { return -1 }
        var kernel = sockaddr_in()
        kernel.sin_family = sa_family_t(AF_INET)
        kernel.sin_port = address.port.bigEndian
        kernel.sin_addr.s_addr = bits.bigEndian
        return withUnsafePointer(to: kernel) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// Sends all of `octets` while `reader` takes them; whether it got the same.
    func send(_ octets: [UInt8], readBy reader: TestStream) throws -> Bool {
        var sent = 0
        var received: [UInt8] = []
        while received.count < octets.count {
            if sent < octets.count {
                sent += try socket.write(Array(octets[sent..<min(sent + 16384, octets.count)]))
            }
            guard let piece = try reader.readPiece() else { break }
            received += piece
        }
        return received == octets
    }

    /// What comes next; nil at the end of the stream.
    private func readPiece() throws -> [UInt8]? {
        try #require(try socket.waitUntilReadable(timeout: Program.patience), "nothing came, not even an end")
        guard case .octets(let octets) = try socket.read(limit: 1 << 16) else { return nil }
        return octets
    }

    func readToEnd() throws -> [UInt8] {
        var all: [UInt8] = []
        while let piece = try readPiece() { all += piece }
        return all
    }
}

extension SocketAddress {
    /// `127.0.0.1:80`.
    fileprivate init?(v4 text: String) {
        let parts = text.split(separator: ":")
        let octets = (parts.first ?? "").split(separator: ".").compactMap { UInt8($0) }
        guard parts.count == 2, octets.count == 4, let port = UInt16(parts[1]) else { return nil }
        self.init(.v4(octets.reduce(0) { $0 << 8 | UInt32($1) }), port: port)
    }
}
