import JSONText
import Testing

@Suite("JSON text") struct JSONTests {
    private let limits = JSONLimits(octets: 4096, depth: 8, values: 64)

    private func parse(_ text: String) throws -> JSONValue { try JSONParser.value(Array(text.utf8), limits: limits) }

    // The accepted forms of RFC 8259 2 to 7.
    static let texts: [(String, JSONValue)] = [
        ("null", JSONValue.null), (" true ", true), ("\tfalse\r\n", false), ("0", 0), ("-12", -12),
        ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number(9_223_372_036_854_775_808)),
        ("1.5e2", .number(150)), ("-0.25", .number(-0.25)), ("1E+2", .number(100)),
        (#""""#, ""), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e9\uD83D\uDE80""#, "é🚀"),
        ("[]", []), ("[1, [2], {}]", [1, [2], [:]]),
        (#"{"a":{"b":[true]},"c":null}"#, ["a": ["b": [true]], "c": .null]),
    ]

    @Test("valid texts are read", arguments: texts)
    func valid(_ text: String, _ value: JSONValue) throws {
        let parsed = try parse(text)
        #expect(parsed == value)
        let again = try parse(parsed.text)
        let pretty = try parse(parsed.prettyText)
        #expect(again == value && pretty == value)
    }

    @Test(
        "anything else is refused, with the line",
        arguments: [
            ("", JSONError.Reason.expected("a value"), 1), ("\n\nnul", .expected("a value"), 3),
            ("[1,]", .expected("a value"), 1), ("[1 2]", .expected("a comma or a closing bracket"), 1),
            ("{\"a\":1,}", .expected("a key in quotation marks"), 1),
            ("{\"a\" 1}", .expected("a colon after the key \"a\""), 1),
            ("{\n\"a\":1,\n\"a\":2}", .duplicateName("a"), 3), ("\"abc", .expected("a closing quotation mark"), 1),
            ("\"\\x\"", .badEscape, 1), ("\"\\ud800\"", .badEscape, 1), ("\"\\udc00\"", .badEscape, 1),
            ("\"\\u12\"", .badEscape, 1), ("\"\u{1}\"", .controlCharacter, 1), ("01", .badNumber, 1),
            ("-", .badNumber, 1),
            ("1.", .badNumber, 1), ("1e", .badNumber, 1), ("1e999", .badNumber, 1),
            ("1 2", .expected("the end of the text"), 1),
            ("// no\n1", .expected("a value"), 1), ("[[[[[[[[[[]]]]]]]]]]", .tooDeep(limit: 8), 1),
        ])
    func invalid(_ text: String, _ reason: JSONError.Reason, _ line: Int) {
        do {
            _ = try parse(text)
            Issue.record("accepted: \(text)")
        } catch {
            let error = error as? JSONError
            #expect(error?.reason == reason && error?.line == line)
        }
    }

    @Test("a text that is not UTF-8 is refused") func encoding() {
        #expect(throws: JSONError(reason: .invalidUTF8, offset: 3, line: 1)) {
            try JSONParser.value([0x22, 0xC3, 0x28, 0x22], limits: limits)
        }
    }

    @Test("the size and the number of values are bounded") func bounds() {
        let long = String(repeating: " ", count: 4096) + "1"
        #expect(throws: JSONError(reason: .tooLong(limit: 4096), offset: 0, line: 1)) { try parse(long) }
        let many = "[" + String(repeating: "1,", count: 64) + "1]"
        #expect(throws: JSONError.self) { try parse(many) }
    }

    @Test("every value's line is known, and an absent one's is its parent's") func lines() throws {
        let text = "{\n  \"a\": [\n    {\"b\": 1},\n    {\n      \"b\": 2\n    }\n  ]\n}\n"
        let document = try JSONParser.document(Array(text.utf8), limits: limits)
        let path = JSONPath().member("a").element(1)
        #expect(document.line(of: path.member("b")) == 5)
        #expect(document.line(of: path.member("absent")) == 4)
        #expect(document.line(of: JSONPath()) == 1)
        #expect("\(path.member("b"))" == "a[1].b")
    }

    @Test("mutated texts never trap, and what still parses is written back the same") func mutations() throws {
        let seed = Array(#"{"a":[1,-2.5e3,"x\u00e9\n",true,null,{"b":{"c":[[],{}]}}],"d":"🚀"}"#.utf8)
        var generator = SplitMix(state: 7)
        var parsed = 0
        for _ in 0..<20_000 {
            var octets = seed
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                octets[Int.random(in: octets.indices, using: &generator)] = UInt8.random(
                    in: .min ... .max, using: &generator)
            }
            guard let value = try? JSONParser.value(octets, limits: limits) else { continue }
            parsed += 1
            let again = try JSONParser.value(
                Array(value.text.utf8), limits: JSONLimits(octets: 8192, depth: 8, values: 64))
            #expect(again == value)
        }
        #expect(parsed > 100)
    }

    /// Repeatable, and independent of the code under test.
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }
}
