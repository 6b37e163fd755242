import JSONText
import Testing
import Varlink

@Suite("Varlink messages") struct MessageTests {
    @Test("a stream is cut at each NUL, whatever the pieces it comes in", arguments: 1...7)
    func framing(_ size: Int) throws {
        let stream = Array("one\0two\0\0three".utf8)
        var framer = VarlinkFramer(limit: 64)
        var messages: [String] = []
        for start in stride(from: 0, to: stream.count, by: size) {
            try framer.append(Array(stream[start..<min(start + size, stream.count)]))
            while let message = framer.next() { messages.append(String(decoding: message, as: UTF8.self)) }
        }
        #expect(messages == ["one", "two", ""])
    }

    @Test("what waits is bounded, and what was taken no longer counts") func bound() throws {
        var framer = VarlinkFramer(limit: 8)
        try framer.append(Array("1234567\0".utf8))
        #expect(framer.next()?.count == 7)
        try framer.append(Array("12345678".utf8))
        #expect(throws: VarlinkFramer.TooLong(limit: 8)) { try framer.append([0]) }
    }

    // The forms of https://varlink.org/Method-Call.
    @Test("calls are read as the specification writes them") func calls() {
        let plain = VarlinkRequest(Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8))
        #expect(plain == VarlinkRequest(method: "org.varlink.service.GetInfo"))
        let more = VarlinkRequest(Array(#"{"method":"a.b.C","parameters":{"x":1},"more":true,"later":0}"#.utf8))
        #expect(more == VarlinkRequest(method: "a.b.C", parameters: ["x": 1], wantsMore: true))
        let oneway = VarlinkRequest(Array(#"{"method":"a.b.C","parameters":null,"oneway":true,"more":false}"#.utf8))
        #expect(oneway == VarlinkRequest(method: "a.b.C", isOneway: true))
    }

    @Test(
        "what is no call is not taken for one",
        arguments: [
            "", "[]", "{}", #"{"method":1}"#, #"{"method":"a.b.C","parameters":[]}"#, #"{"method":"a.b.C","more":1}"#,
            #"{"method":"a.b.C","more":true,"oneway":true}"#, #"{"method":"a.b.C","upgrade":true}"#, #"{"method":"a""#,
        ])
    func refusals(_ text: String) { #expect(VarlinkRequest(Array(text.utf8)) == nil) }

    @Test("replies are written and read as the specification has them") func replies() {
        let limits = JSONLimits.file
        let reply = VarlinkReply.success(["a": 1], continues: true)
        #expect(String(decoding: reply.octets, as: UTF8.self) == "{\"parameters\":{\"a\":1},\"continues\":true}\0")
        let fault = VarlinkReply.failure(.invalidParameter("x"))
        #expect(
            String(decoding: fault.octets, as: UTF8.self)
                == "{\"error\":\"org.varlink.service.InvalidParameter\",\"parameters\":{\"parameter\":\"x\"}}\0")
        for reply in [reply, fault] { #expect(VarlinkReply(reply.octets.dropLast(), limits: limits) == reply) }
    }
}

@Suite("Varlink interfaces") struct InterfaceTests {
    @Test("the control interface's text says what the code can do") func control() throws {
        let interface = try ControlInterface.description()
        #expect(interface.name == ControlInterface.name)
        #expect(Set(interface.methods.keys) == Set(ControlInterface.Method.allCases.map(\.rawValue)))
        #expect(interface.types["ListenerState"] == .enumeration(Control.ListenerState.allCases.map(\.rawValue)))
    }

    // The example of https://varlink.org/Interface-Definition, its shapes in other words.
    @Test("every form of type is understood") func shapes() throws {
        let interface = try InterfaceDescription(
            """
            # comment
            interface org.example.more
            type State (start: ?bool, progress: ?int, end: ?bool)
            type Kind (one, two)
            method Test(a: []int, b: [string]State, c: (x: float, y: ?[]string), d: object) -> (k: Kind)
            error Bad (reason: string)
            """)
        #expect(interface.types["Kind"] == .enumeration(["one", "two"]))
        let good: JSONObject = ["a": [1, 2], "b": ["k": ["progress": 5]], "c": ["x": 1], "d": ["any": .null]]
        #expect(interface.fault(inInput: good, of: "Test") == nil)
        var bad = good
        bad["b"] = ["k": ["progress": "5"]]
        #expect(interface.fault(inInput: bad, of: "Test") == "b.k.progress")
        bad = good
        bad["a"] = [1, true]
        #expect(interface.fault(inInput: bad, of: "Test") == "a[1]")
        bad = good
        bad["e"] = 1
        #expect(interface.fault(inInput: bad, of: "Test") == "e")
        #expect(interface.fault(inInput: [:], of: "Test") == "a")
        #expect(interface.fault(inOutput: ["k": "three"], of: "Test") == "k")
    }

    @Test(
        "a text that is no description is refused with its line",
        arguments: [
            ("", 1), ("interface x", 1), ("interface a.b\ntype x (a: int)", 2), ("interface a.b\ntype X (a: int", 2),
            ("interface a.b\nmethod X()", 2), ("interface a.b\n\nmethod X(a: ??int) -> ()", 3),
            ("interface a.b\ntype X (a_: int)", 2), ("interface a.b\ntype X (a, b: int)", 2),
            ("interface a.b\ntype X (a: int)\ntype X (a: int)", 3), ("interface a.b\ntype X (a: Missing)", 0),
            ("interface a.b\nthing X ()", 2),
        ])
    func refusals(_ text: String, _ line: Int) {
        do {
            _ = try InterfaceDescription(text)
            Issue.record("accepted: \(text)")
        } catch { #expect(error.line == line) }
    }

    @Test("a snapshot is what the interface says, and is read back the same") func snapshot() throws {
        let interface = try ControlInterface.description()
        let snapshot = Control.Snapshot.example
        let output: JSONObject = ["snapshot": snapshot.json]
        #expect(interface.fault(inOutput: output, of: "Watch") == nil)
        let again = try Control.snapshot(in: output)
        #expect(again == snapshot)
    }

    @Test("peers and reports are what the interface says") func lists() throws {
        let interface = try ControlInterface.description()
        let peers: JSONObject = ["peers": .array(Control.Snapshot.example.peers.map(\.json))]
        #expect(interface.fault(inOutput: peers, of: "Peers") == nil)
        let performance = Control.Performance(
            connection: 1, peer: "p", service: "s", signalDBm: -40, sentOctets: 1, receivedOctets: 2,
            sentBitsPerSecond: 3,
            receivedBitsPerSecond: 4, roundTripP50Microseconds: 5, lossPartsPerMillion: 6)
        let report: JSONObject = ["report": [performance.json]]
        #expect(interface.fault(inOutput: report, of: "Report") == nil)
        let again = try Control.report(in: report)
        #expect(again == [performance])
    }

    @Test("time alone makes no change worth a snapshot") func differences() {
        var later = Control.Snapshot.example
        later.uptimeMilliseconds += 1000
        later.pairing.closesInMilliseconds = 1
        later.connections[0].ageMilliseconds += 1000
        #expect(!later.differs(from: .example))
        later.pairing.isOpen = false
        #expect(later.differs(from: .example))
    }
}
