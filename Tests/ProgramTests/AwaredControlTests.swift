import Glibc
import JSONText
import LinuxRuntime
import Octets
import Testing
import Varlink

@Suite("awared: the control socket") struct AwaredControlTests {
    private typealias Method = ControlInterface.Method

    private func stop(_ program: Program) throws {
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }

    @Test("status tells the whole state; the socket is for owner and group") func status() throws {
        let accessory = try Accessory()
        let program = try accessory.run()
        let snapshot = try accessory.status()
        #expect(snapshot.radio == "simulated")
        #expect(snapshot.identity.vendorName == "Test Works")
        #expect(snapshot.services.map(\.name) == ["_test-board._udp"])
        #expect(snapshot.services.map(\.state) == [.ready])
        #expect(snapshot.services.map(\.isPublished) == [true])
        #expect(snapshot.pairing.isOpen && snapshot.pairing.policy == "always" && snapshot.pairing.attempt == .none)
        #expect(snapshot.peers.isEmpty && snapshot.connections.isEmpty)
        var status = stat()
        #expect(stat(accessory.folder.file("control"), &status) == 0 && status.st_mode & 0o777 == 0o660)
        try stop(program)
    }

    @Test("the pairing window opens, closes and is seen by a watcher") func window() throws {
        let accessory = try Accessory(window: "command")
        let program = try accessory.run()
        let control = try accessory.client()
        var seen: [Bool] = []
        try accessory.client().stream(Method.watch.qualifiedName, timeout: Program.patience) {
            reply throws(VarlinkClientError) in
            seen.append(try Control.snapshot(in: reply).pairing.isOpen)
            switch seen.count {
            case 1:
                let reply = try control.call(Method.openPairingWindow.qualifiedName, ["seconds": 30])
                #expect(29_000...30_000 ~= reply["closes_in_ms"]?.integer ?? 0)
            case 2: _ = try control.call(Method.closePairingWindow.qualifiedName)
            default: break
            }
            return seen.count < 3
        }
        #expect(seen == [false, true, false])
        try stop(program)
    }

    @Test("a window that is opened anew is a change, though it was open") func reopened() throws {
        let accessory = try Accessory(window: "command")
        let program = try accessory.run()
        let control = try accessory.client()
        var left: [Int] = []
        try accessory.client().stream(Method.watch.qualifiedName, timeout: Program.patience) {
            reply throws(VarlinkClientError) in
            left.append(try Control.snapshot(in: reply).pairing.closesInMilliseconds ?? 0)
            if left.count < 3 {
                _ = try control.call(Method.openPairingWindow.qualifiedName, ["seconds": left.count == 1 ? 600 : 60])
            }
            return left.count < 3
        }
        #expect(left.count == 3 && left[0] == 0 && left[1] > 60_000 && 1...60_000 ~= left[2], "\(left)")
        try stop(program)
    }

    @Test("a watcher gets at most five snapshots a second, the last of which is the state") func coalescing() throws {
        let accessory = try Accessory(window: "command")
        let program = try accessory.run()
        let control = try accessory.client()
        let started = MonotonicInstant.boot
        var count = 0
        try accessory.client().stream(Method.watch.qualifiedName, timeout: Program.patience) {
            reply throws(VarlinkClientError) in
            count += 1
            if count == 1 {
                for _ in 0..<100 {
                    _ = try control.call(Method.openPairingWindow.qualifiedName)
                    _ = try control.call(Method.closePairingWindow.qualifiedName)
                }
                _ = try control.call(Method.openPairingWindow.qualifiedName, ["seconds": 77])
            }
            let pairing = try Control.snapshot(in: reply).pairing
            return !(pairing.isOpen && pairing.closesInMilliseconds ?? 0 <= 77_000)
        }
        let seconds = started.duration(to: .boot) / .seconds(1)
        #expect(Double(count) <= 2 + 5 * seconds, "\(count) snapshots in \(seconds) s")
        try stop(program)
    }

    @Test("what is wrong with a call is said in the interface's errors") func faults() throws {
        let accessory = try Accessory(window: "command")
        let program = try accessory.run(["--display", "none"])
        let control = try accessory.client()
        func fault(_ method: Method, _ parameters: JSONObject = [:]) -> String? {
            do throws(VarlinkClientError) {
                _ = try control.call(method.qualifiedName, parameters)
                return nil
            } catch {
                if case .refused(let fault) = error { return fault.name }
                return "\(error)"
            }
        }
        #expect(fault(.forget, ["id": "0badcafe"]) == "io.awareaccessory.Control.NoSuchPeer")
        #expect(fault(.forget) == "org.varlink.service.InvalidParameter")
        #expect(fault(.send, ["id": "0badcafe", "text": "x"]) == "io.awareaccessory.Control.NoSuchPeer")
        #expect(fault(.report, ["connection": 5]) == "io.awareaccessory.Control.NoSuchConnection")
        #expect(fault(.openPairingWindow) == "io.awareaccessory.Control.NotPossible", "nobody would see the PIN")
        #expect(fault(.openPairingWindow, ["seconds": 5]) == "org.varlink.service.InvalidParameter")
        #expect(fault(.watch) == "org.varlink.service.ExpectedMore")
        let taken = accessory.folder.file("identity.json")
        #expect(fault(.capture, ["path": .string(taken)]) == "io.awareaccessory.Control.CaptureFailed")
        #expect(fault(.forget, ["all": true]) == nil)
        #expect(fault(.peers) == nil)
        try stop(program)
    }

    @Test("a disk that fills ends the capture, and nothing else") func fullDisk() throws {
        let accessory = try Accessory()
        let program = try accessory.startOnFullDisk(
            blocks: 16, ["--capture", accessory.folder.file("frames.pcapng")])
        try program.waitForLog("File too large")
        // More blocks than the one that failed were under way; whatever they do they have done by the next windows.
        try program.waitForLog("udp port 5004 is ready")
        let status = try accessory.client().call(Method.status.qualifiedName)
        #expect(!status.members.isEmpty)
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }

    @Test("frames are captured as pcapng, in chunks, to a caller's file and from the start on") func capture() throws {
        let accessory = try Accessory()
        let program = try accessory.run(["--capture", accessory.folder.file("start.pcapng")])
        var chunks: [UInt8] = []
        var total = 0
        try accessory.client().stream(
            Method.capture.qualifiedName, ["seconds": 2], timeout: Program.patience
        ) { reply throws(VarlinkClientError) in
            if let text = reply["chunk"]?.string { chunks += [UInt8](base64: text) ?? [] }
            total = Int(reply["octets"]?.integer ?? 0)
            return true
        }
        let path = accessory.folder.file("asked.pcapng")
        let reply = try accessory.client().call(
            Method.capture.qualifiedName, ["path": .string(path), "seconds": 2], timeout: Program.patience)
        try stop(program)
        #expect(chunks.count == total)
        let asked = try #require(try DurableFile(path: path).read(limit: 1 << 20))
        let start = try #require(try DurableFile(path: accessory.folder.file("start.pcapng")).read(limit: 1 << 20))
        #expect(reply["octets"]?.integer == Int64(asked.count))
        for capture in [chunks, asked, start] {
            // Section header block, then blocks to the very end: at least the discovery beacons of two seconds.
            #expect(capture.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]))
            var offset = 0
            var count = 0
            while offset + 8 <= capture.count {
                let length = (0..<4).reduce(0) { $0 | Int(capture[offset + 4 + $1]) << (8 * $1) }
                guard length >= 12 else { break }
                offset += length
                count += 1
            }
            #expect(offset == capture.count && count > 4)
        }
    }

    @Test("more callers than it serves at once harm nobody who is served") func crowd() throws {
        let accessory = try Accessory()
        let program = try accessory.run()
        let crowd = try (0..<40).map { _ in try accessory.client() }
        #expect(try accessory.status().services.count == 1)
        withExtendedLifetime(crowd) {}
        try stop(program)
    }

    @Test("it can be told to stop") func stopping() throws {
        let accessory = try Accessory()
        let program = try accessory.run()
        _ = try accessory.client().call(Method.stop.qualifiedName)
        #expect(try program.end() == .exited(0))
    }
}
