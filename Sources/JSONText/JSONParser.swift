/// A strict reader of JSON (RFC 8259): no comments, no trailing commas, no name twice, UTF-8 only.
///
/// Its own, because it must say on which line a value stands, refuse duplicate names and cost a hostile
/// text's sender more than its reader.
package struct JSONParser {
    private let octets: [UInt8]
    private let limits: JSONLimits
    private var offset = 0
    private var line = 1
    private var values = 0
    private var lines: [JSONPath: Int]?
    private var path = JSONPath()

    /// The value that `octets` spell.
    package static func value(_ octets: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONValue {
        var parser = JSONParser(octets, limits, lines: nil)
        return try parser.document()
    }

    /// As `value`, with the line on which each value begins.
    package static func document(_ octets: [UInt8], limits: JSONLimits) throws(JSONError) -> JSONDocument {
        var parser = JSONParser(octets, limits, lines: [:])
        let root = try parser.document()
        return JSONDocument(root: root, lines: parser.lines ?? [:])
    }

    private init(_ octets: [UInt8], _ limits: JSONLimits, lines: [JSONPath: Int]?) {
        self.octets = octets
        self.limits = limits
        self.lines = lines
    }

    private mutating func document() throws(JSONError) -> JSONValue {
        guard octets.count <= limits.octets else { throw error(.tooLong(limit: limits.octets)) }
        let value = try value(depth: 0)
        skipSpace()
        guard offset == octets.count else { throw error(.expected("the end of the text")) }
        return value
    }

    private func error(_ reason: JSONError.Reason) -> JSONError {
        JSONError(reason: reason, offset: offset, line: line)
    }

    private var next: UInt8? { offset < octets.count ? octets[offset] : nil }

    private mutating func skipSpace() {
        while let octet = next {
            switch octet {
            case UInt8(ascii: "\n"): line += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): break
            default: return
            }
            offset += 1
        }
    }

    /// Takes the octet if it is the next one.
    private mutating func take(_ octet: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: octet) else { return false }
        offset += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipSpace()
        guard depth <= limits.depth else { throw error(.tooDeep(limit: limits.depth)) }
        values += 1
        guard values <= limits.values else { throw error(.tooManyValues(limit: limits.values)) }
        lines?[path] = line
        switch next {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
        default: throw error(.expected("a value"))
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        let text = Array("\(word)".utf8)
        guard octets.count - offset >= text.count, text.indices.allSatisfy({ octets[offset + $0] == text[$0] }) else {
            throw error(.expected("a value"))
        }
        offset += text.count
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        offset += 1
        var object = JSONObject()
        skipSpace()
        if take("}") { return object }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw error(.expected("a key in quotation marks")) }
            let at = (offset, line)
            let name = try string()
            guard object[name] == nil else {
                throw JSONError(reason: .duplicateName(name), offset: at.0, line: at.1)
            }
            skipSpace()
            guard take(":") else { throw error(.expected("a colon after the key \"\(name)\"")) }
            path.steps.append(.member(name))
            object[name] = try value(depth: depth + 1)
            path.steps.removeLast()
            skipSpace()
            if take("}") { return object }
            guard take(",") else { throw error(.expected("a comma or a closing brace")) }
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        offset += 1
        var array: [JSONValue] = []
        skipSpace()
        if take("]") { return array }
        while true {
            path.steps.append(.element(array.count))
            array.append(try value(depth: depth + 1))
            path.steps.removeLast()
            skipSpace()
            if take("]") { return array }
            guard take(",") else { throw error(.expected("a comma or a closing bracket")) }
        }
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = offset
        func digits() -> Int {
            var end = offset
            while end < octets.count, (0x30...0x39).contains(octets[end]) { end += 1 }
            return end - offset
        }
        var isInteger = true
        _ = take("-")
        let whole = digits()
        guard whole > 0, whole == 1 || next != UInt8(ascii: "0") else { throw error(.badNumber) }
        offset += whole
        if take(".") {
            isInteger = false
            let fraction = digits()
            guard fraction > 0 else { throw error(.badNumber) }
            offset += fraction
        }
        if take("e") || take("E") {
            isInteger = false
            _ = take("+") || take("-")
            let exponent = digits()
            guard exponent > 0 else { throw error(.badNumber) }
            offset += exponent
        }
        // Sixty-four digits are more than any number here has; converting more would be work for nothing.
        guard offset - start <= 64 else { throw error(.badNumber) }
        let text = String(decoding: octets[start..<offset], as: UTF8.self)
        if isInteger, let integer = Int64(text) { return .integer(integer) }
        guard let number = Double(text), number.isFinite else { throw error(.badNumber) }
        return .number(number)
    }
}

extension JSONParser {
    private mutating func string() throws(JSONError) -> String {
        offset += 1
        var text: [UInt8] = []
        while let octet = next {
            switch octet {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw error(.invalidUTF8) }
                offset += 1
                return string
            case UInt8(ascii: "\\"):
                offset += 1
                try escape(into: &text)
            case 0..<0x20: throw error(.controlCharacter)
            default:
                text.append(octet)
                offset += 1
            }
        }
        throw error(.expected("a closing quotation mark"))
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let octet = next else { throw error(.badEscape) }
        offset += 1
        switch octet {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(octet)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try codeUnit()
            if (0xD800..<0xDC00).contains(code) {
                guard take("\\"), take("u") else { throw error(.badEscape) }
                let low = try codeUnit()
                guard (0xDC00..<0xE000).contains(low) else { throw error(.badEscape) }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw error(.badEscape) }  // half of a pair
            text.append(contentsOf: Array(String(scalar).utf8))
        default: throw error(.badEscape)
        }
    }

    private mutating func codeUnit() throws(JSONError) -> UInt32 {
        guard octets.count - offset >= 4 else { throw error(.badEscape) }
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(octets[offset])).hexDigitValue, octets[offset] < 0x80 else {
                throw error(.badEscape)
            }
            code = code << 4 | UInt32(digit)
            offset += 1
        }
        return code
    }
}
