extension JSONValue {
    /// The value as one line of JSON text.
    package var text: String {
        var text = ""
        write(to: &text, indent: nil)
        return text
    }

    /// The value as a file for people: two spaces of indent, one member a line, ending in a line break.
    package var prettyText: String {
        var text = ""
        write(to: &text, indent: 0)
        return text + "\n"
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        // JSON has no word for what is not finite.
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            // A list of plain values reads best on one line.
            let isFlat = values.allSatisfy { $0.array == nil && $0.object == nil }
            list(values.count, ("[", "]"), to: &text, indent: isFlat ? nil : indent, isSpaced: indent != nil) {
                values[$0].write(to: &$1, indent: $2)
            }
        case .object(let object):
            list(object.members.count, ("{", "}"), to: &text, indent: indent, isSpaced: false) { index, text, inner in
                Self.write(object.members[index].name, to: &text)
                text += inner == nil ? ":" : ": "
                object.members[index].value.write(to: &text, indent: inner)
            }
        }
    }

    private func list(
        _ count: Int, _ brackets: (String, String), to text: inout String, indent: Int?, isSpaced: Bool,
        _ element: (Int, inout String, Int?) -> Void
    ) {
        text += brackets.0
        let inner = indent.map { $0 + 2 }
        for index in 0..<count {
            if index > 0 { text += isSpaced && indent == nil ? ", " : "," }
            if let inner { text += "\n" + String(repeating: " ", count: inner) }
            element(index, &text, inner)
        }
        if let indent, count > 0 { text += "\n" + String(repeating: " ", count: indent) }
        text += brackets.1
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
