import Foundation
import LinuxRuntime
import Octets
import Testing
import Varlink

@Suite("awared: its life") struct AwaredLifeTests {
    @Test("the first line says what runs; SIGTERM and SIGINT end it in good order", arguments: [SIGTERM, SIGINT])
    func end(signal: Int32) throws {
        let accessory = try Accessory()
        let program = try accessory.run()
        let first = try #require(program.log.split(separator: "\n").first)
        #expect(first.hasPrefix("awared: start version=0.1.0 commit="))
        #expect(first.contains("radio=simulated kernel=") && first.hasSuffix("profile=built-in"))
        #expect(first.contains("identity=\(accessory.folder.file("identity.json"))"))
        program.process.send(signal: signal)
        #expect(try program.end() == .exited(0))
        #expect(program.output == "READY\nBLANK\n")
        #expect(program.log.hasSuffix("awared: ended\n"), "\(program.log)")
        #expect(accessory.folder.contents("air").isEmpty, "its radio is off the air")
        #expect(!accessory.folder.contents().contains("control"))
    }

    @Test("a display that hangs delays the end by its patience only, and a second signal by nothing") func hungDisplay()
        throws
    {
        for signals in [1, 2] {
            let accessory = try Accessory()
            let pipe = try FileDescriptor.pipe()
            // Full before it starts: not even the first word can be written.
            try systemCall("fcntl") { fcntl(pipe.writer, F_SETFL, O_NONBLOCK) }
            let junk = [UInt8](repeating: 0, count: 65536)
            while write(pipe.writer, junk, junk.count) > 0 {}
            try systemCall("fcntl") { fcntl(pipe.writer, F_SETFL, 0) }
            let program = try Program("awared", accessory.arguments, output: pipe)
            try program.waitForLog("udp port 5004 is ready")
            program.process.send(signal: SIGTERM)
            try program.waitForLog("ending")
            if signals == 2 { program.process.send(signal: SIGTERM) }
            #expect(try program.end() == .exited(signals == 2 ? 1 : 0))
            #expect(program.log.contains("ending at once") == (signals == 2))
        }
    }

    @Test("SIGHUP starts over in the same process with the new identity, and ignores a wrong one") func reload() throws
    {
        let accessory = try Accessory()
        let program = try accessory.run()
        try accessory.writeIdentity(window: "sometimes")
        program.process.send(signal: SIGHUP)
        try program.waitForLog("the new configuration is refused; the old one stays")
        #expect(try accessory.status().identity.pairingName == "Test Board")

        try accessory.writeIdentity(pairingName: "New Name")
        program.process.send(signal: SIGHUP)
        #expect(try program.read { $0.log.components("udp port 5004 is ready") == 2 }, "\(program.log)")
        #expect(program.log.components("awared: start ") == 2)
        let name = try #require(FileHandle(forReadingAtPath: "/proc/\(program.process.processID)/comm"))
        #expect(String(decoding: try name.readToEnd() ?? Data(), as: UTF8.self) == "awared\n")
        #expect(try accessory.status().identity.pairingName == "New Name")
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }

    @Test("the service manager hears that it is ready, how it stands, and that it ends") func manager() throws {
        let accessory = try Accessory()
        let path = accessory.folder.file("notify")
        let socket = try UnixSocket.datagram(at: UnixAddress(path: path))
        let program = try accessory.run(environment: ["NOTIFY_SOCKET": path])
        var messages = ""
        func hear(_ text: String) throws -> Bool {
            while !messages.contains(text) {
                guard try socket.waitUntilReadable(timeout: Program.patience) else { return false }
                if let octets = try socket.receive(limit: 4096) {
                    messages += String(decoding: octets, as: UTF8.self) + "\n"
                }
            }
            return true
        }
        #expect(try hear("READY=1"), "\(messages)")
        #expect(try hear("STATUS=1 of 1 services ready; 0 paired, 0 connected; pairing window open"), "\(messages)")
        program.process.send(signal: SIGHUP)
        #expect(try hear("RELOADING=1\nMONOTONIC_USEC="), "\(messages)")
        messages = ""
        #expect(try hear("READY=1"), "\(messages)")
        program.process.send(signal: SIGTERM)
        #expect(try hear("STOPPING=1"), "\(messages)")
        #expect(try program.end() == .exited(0))
    }

    @Test("the watchdog is answered") func watchdog() throws {
        let accessory = try Accessory()
        let path = accessory.folder.file("notify")
        let socket = try UnixSocket.datagram(at: UnixAddress(path: path))
        let program = try accessory.run(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"])
        var messages = ""
        while messages.components("WATCHDOG=1") < 3 {
            try #require(try socket.waitUntilReadable(timeout: Program.patience), "\(messages)")
            if let octets = try socket.receive(limit: 4096) { messages += String(decoding: octets, as: UTF8.self) }
        }
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }

    @Test("no core dump can be made of it, unless that is asked for", arguments: [false, true])
    func coreLimit(allowed: Bool) throws {
        let accessory = try Accessory()
        let program = try accessory.run(allowed ? ["--allow-core-dumps"] : [])
        let limits = try #require(FileHandle(forReadingAtPath: "/proc/\(program.process.processID)/limits"))
        let text = String(decoding: try limits.readToEnd() ?? Data(), as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        let isForbidden = line.split(separator: " ").suffix(3).prefix(2) == ["0", "0"]
        // Where the tests themselves may not dump, leave is worth nothing.
        var own = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &own)
        #expect(isForbidden == !(allowed && own.rlim_max > 0), "\(line)")
        #expect(program.log.contains("core dumps are allowed") == allowed)
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }

    @Test("a service that cannot be served fails with its reason, and the others are served") func failedService()
        throws
    {
        let accessory = try Accessory()
        let text = Accessory.identity(window: "always", pairingName: "P")
        let second = """
            "services": [{"name": "_camera._udp", "port": 5006, "handler": {"video": {"file": "/nowhere/clip.h264"}}},
            """
        try accessory.folder.write(text.replacingFirst("\"services\": [", with: second), to: "identity.json")
        let program = try accessory.run()
        let services = try accessory.status().services
        #expect(services.map(\.state) == [.failed, .ready])
        #expect(services.map(\.isPublished) == [false, true])
        #expect(services[0].reason?.contains("/nowhere/clip.h264") == true)
        #expect(program.log.contains("service: udp port 5006 is failed reason="))
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }

    @Test("lines have priorities where the journal reads them, and nowhere else") func priorities() throws {
        let accessory = try Accessory()
        let program = try Program("awared", accessory.arguments, namesJournal: true)
        try program.waitForLog("<6>service: udp port 5004 is ready")
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
        #expect(program.log.split(separator: "\n").allSatisfy { $0.hasPrefix("<6>") }, "\(program.log)")
    }

    @Test("it starts without a terminal, a home or a configuration folder") func bareEnvironment() throws {
        let accessory = try Accessory()
        let program = try Program("awared", accessory.arguments, environment: ["HOME": "/nonexistent"])
        try program.waitForLog("udp port 5004 is ready")
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }
}

extension String {
    /// How often `part` occurs.
    func components(_ part: String) -> Int { ranges(of: part).count }
}
