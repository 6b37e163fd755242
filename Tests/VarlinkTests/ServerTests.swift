import Foundation
import JSONText
import LinuxRuntime
import Synchronization
import Testing
import Varlink

@Suite("Varlink service", .timeLimit(.minutes(1))) struct ServerTests {
    /// Counts across threads.
    private final class Counter: Sendable {
        private let value = Mutex(0)
        func add() { value.withLock { $0 += 1 } }
        var count: Int { value.withLock { $0 } }
    }

    private static let answer: ControlService.Script = { server, _, event in
        guard case .called(let call) = event else { return }
        do throws(VarlinkFault) {
            switch try ControlCall(call) {
            case .status: server.reply(call.id, ["snapshot": Control.Snapshot.example.json])
            case .watch:
                for count in 1...3 {
                    var snapshot = Control.Snapshot.example
                    snapshot.uptimeMilliseconds = count
                    server.reply(call.id, ["snapshot": snapshot.json], continues: count < 3)
                }
            case .openPairingWindow(let seconds):
                server.reply(call.id, ["closes_in_ms": .integer(Int64(seconds ?? 120) * 1000)])
            case .forget(let id): throw .noSuchPeer(id)
            case .report(let connection, _):
                if connection == 7 { server.reply(call.id, ["report": []], continues: true) }  // and never another
            default: server.reply(call.id, [:])
            }
        } catch { server.fail(call.id, error) }
    }

    @Test("introspection answers as varlink.org says, word for word") func introspection() throws {
        let service = try ControlService(Self.answer)
        let raw = try service.raw()
        try raw.send("{\"method\":\"org.varlink.service.GetInfo\"}\0")
        let info = try raw.messages(1)
        #expect(
            info == [
                #"{"parameters":{"vendor":"V","product":"P","version":"1","url":"https://example.org","#
                    + #""interfaces":["org.varlink.service","io.awareaccessory.Control"]}}"#
            ])
        for name in ["org.varlink.service", ControlInterface.name] {
            let client = try VarlinkClient(path: service.path)
            let reply = try client.call("org.varlink.service.GetInterfaceDescription", ["interface": .string(name)])
            let interface = try InterfaceDescription(#require(reply["description"]?.string))
            #expect(interface.name == name)
        }
        try service.stop()
    }

    @Test("calls are answered, streams end, errors keep their parameters") func calls() throws {
        let service = try ControlService(Self.answer)
        let client = try VarlinkClient(path: service.path)
        let status = try Control.snapshot(in: client.call("\(ControlInterface.name).Status"))
        #expect(status == .example)
        var uptimes: [Int] = []
        try client.stream("\(ControlInterface.name).Watch") { parameters throws(VarlinkClientError) in
            uptimes.append(try Control.snapshot(in: parameters).uptimeMilliseconds)
            return true
        }
        #expect(uptimes == [1, 2, 3])
        #expect(throws: VarlinkClientError.refused(.noSuchPeer("x"))) {
            try client.call("\(ControlInterface.name).Forget", ["id": "x"])
        }
        let window = try client.call("\(ControlInterface.name).OpenPairingWindow", ["seconds": 60])
        #expect(window == ["closes_in_ms": 60000])
        try service.stop()
        #expect(!FileManager.default.fileExists(atPath: service.path))
    }

    @Test(
        "a call that the interface does not allow is refused before the service sees it",
        arguments: [
            ("org.example.None", [:], VarlinkFault.interfaceNotFound("org.example")),
            ("nodot", [:], .interfaceNotFound("nodot")),
            ("org.varlink.service.None", [:], .methodNotFound("org.varlink.service.None")),
            ("io.awareaccessory.Control.None", [:], .methodNotFound("io.awareaccessory.Control.None")),
            ("io.awareaccessory.Control.Status", ["x": 1], .invalidParameter("x")),
            ("io.awareaccessory.Control.OpenPairingWindow", ["seconds": "60"], .invalidParameter("seconds")),
            ("io.awareaccessory.Control.OpenPairingWindow", ["seconds": 5], .invalidParameter("seconds")),
            ("io.awareaccessory.Control.Forget", [:], .invalidParameter("id")),
            ("io.awareaccessory.Control.Forget", ["id": "a", "all": true], .invalidParameter("all")),
            ("io.awareaccessory.Control.Send", ["id": "a", "text": ""], .invalidParameter("text")),
            (
                "io.awareaccessory.Control.Send", ["id": "a", "text": .string(String(repeating: "x", count: 256))],
                .invalidParameter("text")
            ),
            ("io.awareaccessory.Control.Capture", ["path": "relative"], .invalidParameter("path")),
            ("io.awareaccessory.Control.Watch", [:], .expectedMore),
            ("org.varlink.service.GetInterfaceDescription", ["interface": "a.b"], .interfaceNotFound("a.b")),
            ("org.varlink.service.GetInterfaceDescription", [:], .invalidParameter("interface")),
        ] as [(String, JSONObject, VarlinkFault)])
    func refusals(_ method: String, _ parameters: JSONObject, _ fault: VarlinkFault) throws {
        let service = try ControlService(Self.answer)
        let client = try VarlinkClient(path: service.path)
        #expect(throws: VarlinkClientError.refused(fault)) { try client.call(method, parameters) }
        try service.stop()
    }

    @Test("calls sent at once are answered in order, and one that wants no reply gets none") func pipelining() throws {
        let service = try ControlService(Self.answer)
        let raw = try service.raw()
        let open = "{\"method\":\"io.awareaccessory.Control.OpenPairingWindow\",\"parameters\":{\"seconds\":"
        try raw.send(open + "10}}\0" + open + "20},\"oneway\":true}\0" + open + "30}}\0" + open + "1}}\0")
        let replies = try raw.messages(3)
        #expect(
            replies == [
                "{\"parameters\":{\"closes_in_ms\":10000}}", "{\"parameters\":{\"closes_in_ms\":30000}}",
                "{\"error\":\"org.varlink.service.InvalidParameter\",\"parameters\":{\"parameter\":\"seconds\"}}",
            ])
        try service.stop()
    }

    @Test(
        "a hostile connection is closed and no other suffers",
        arguments: [
            "nonsense\0", "{\"method\":5}\0", "\0", String(repeating: "x", count: 70_000),
            String(repeating: "[", count: 1000) + "\0",
        ])
    func hostile(_ text: String) throws {
        let service = try ControlService(Self.answer)
        let client = try VarlinkClient(path: service.path)
        _ = try client.call("\(ControlInterface.name).Status")
        let raw = try service.raw()
        try? raw.send(text)
        let isClosed = try raw.isClosed()
        #expect(isClosed)
        _ = try client.call("\(ControlInterface.name).Status")
        try service.stop()
    }

    @Test("a reader too slow is dropped, and the service is told") func slowReader() throws {
        let cancelled = DispatchSemaphore(value: 0)
        var limits = VarlinkServer.Limits()
        limits.outputOctets = 64 * 1024
        let service = try ControlService(limits: limits) { server, _, event in
            switch event {
            case .called(let call):
                let chunk = String(repeating: "x", count: 32 * 1024)
                // More than the socket's own buffer and the queue together.
                for _ in 0..<64 { server.reply(call.id, ["chunk": .string(chunk), "octets": 1], continues: true) }
            case .cancelled: cancelled.signal()
            }
        }
        let raw = try service.raw()
        try raw.send("{\"method\":\"io.awareaccessory.Control.Capture\",\"more\":true}\0")
        let isTold = cancelled.wait(timeout: .now() + 30)  // nothing is read before
        #expect(isTold == .success)
        let isClosed = try raw.isClosed()
        #expect(isClosed)
        try service.stop()
    }

    @Test("a caller that leaves cancels its call") func cancellation() throws {
        let cancelled = Counter()
        let service = try ControlService { server, _, event in
            switch event {
            case .called(let call): server.reply(call.id, ["report": []], continues: true)
            case .cancelled: cancelled.add()
            }
        }
        do {
            let raw = try service.raw()
            try raw.send("{\"method\":\"io.awareaccessory.Control.Report\",\"more\":true}\0")
            let replies = try raw.messages(1)
            #expect(replies == ["{\"parameters\":{\"report\":[]},\"continues\":true}"])
        }
        try service.stop()  // its connection comes after the end of the other one
        #expect(cancelled.count == 1)
    }

    @Test("a full house makes room by closing the longest idle, never one at work") func eviction() throws {
        var limits = VarlinkServer.Limits()
        limits.connections = 3
        let service = try ControlService(limits: limits, Self.answer)
        let busy = try service.raw()
        try busy.send(
            "{\"method\":\"io.awareaccessory.Control.Report\",\"parameters\":{\"connection\":7},\"more\":true}\0")
        let first = try busy.messages(1)
        #expect(first.count == 1)
        let idle = try VarlinkClient(path: service.path)
        _ = try idle.call("\(ControlInterface.name).Status")
        let third = try VarlinkClient(path: service.path)
        _ = try third.call("\(ControlInterface.name).Status")
        let fourth = try VarlinkClient(path: service.path)
        _ = try fourth.call("\(ControlInterface.name).Status")
        #expect(throws: VarlinkClientError.refused(.busy)) { try idle.call("\(ControlInterface.name).Status") }
        _ = try third.call("\(ControlInterface.name).Status")
        try service.stop()
    }

    @Test("a caller for whom there is no room is told so before it is closed") func busy() throws {
        var limits = VarlinkServer.Limits()
        limits.connections = 1
        let service = try ControlService(limits: limits, Self.answer)
        do {
            let watcher = try service.raw()
            try watcher.send(
                "{\"method\":\"io.awareaccessory.Control.Report\",\"parameters\":{\"connection\":7},\"more\":true}\0")
            let first = try watcher.messages(1)
            #expect(first.count == 1)
            let turnedAway = try VarlinkClient(path: service.path)
            #expect(throws: VarlinkClientError.refused(.busy)) {
                try turnedAway.call("\(ControlInterface.name).Status")
            }
        }
        // The server may see this connection before it sees the end of the watcher's.
        while true {
            do { return try service.stop() } catch VarlinkClientError.refused(.busy) { continue }
        }
    }

    @Test("nobody at the socket is an error that names it") func unreachable() {
        #expect(
            throws: VarlinkClientError.unreachable(
                path: "/nonexistent/control", SystemError(call: "connect /nonexistent/control", code: 2))
        ) {
            try VarlinkClient(path: "/nonexistent/control")
        }
    }
}
