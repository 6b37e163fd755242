/// A value as D-Bus carries it, as far as this product's peers use them.
package indirect enum BusValue: Equatable, Sendable {
    case bool(Bool)
    case byte(UInt8)
    case u16(UInt16)
    case u32(UInt32)
    case i32(Int32)
    case u64(UInt64)
    case string(String)
    case path(String)
    case octets([UInt8])
    /// `of` is the elements' signature, which an empty array has too.
    case array(of: String, [BusValue])
    /// An array of entries; signatures of key and value as above.
    case dictionary(key: String, value: String, [BusEntry])
    case structure([BusValue])
    case variant(BusValue)
    /// Of a type that is not among these; read, never written.
    case other

    package var signature: String {
        switch self {
        case .bool: "b"
        case .byte: "y"
        case .u16: "q"
        case .u32: "u"
        case .i32: "i"
        case .u64: "t"
        case .string: "s"
        case .path: "o"
        case .octets: "ay"
        case .array(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{" + key + value + "}"
        case .structure(let members): "(" + members.map(\.signature).joined() + ")"
        case .variant: "v"
        case .other: ""
        }
    }

    /// A dictionary of variants by name, which is how D-Bus passes options and properties.
    package static func properties(_ entries: [(String, BusValue)]) -> BusValue {
        .dictionary(key: "s", value: "v", entries.map { BusEntry(.string($0.0), .variant($0.1)) })
    }

    /// What is in a variant, or the value itself.
    package var content: BusValue {
        if case .variant(let value) = self { return value.content }
        return self
    }

    package var text: String? {
        switch content {
        case .string(let text), .path(let text): text
        default: nil
        }
    }

    /// The value of a dictionary's entry with this text as its key.
    package subscript(name: String) -> BusValue? {
        guard case .dictionary(_, _, let entries) = content else { return nil }
        return entries.first { $0.key.text == name }?.value.content
    }

    package var entries: [BusEntry] {
        guard case .dictionary(_, _, let entries) = content else { return [] }
        return entries
    }
}

package struct BusEntry: Equatable, Sendable {
    package var key: BusValue
    package var value: BusValue

    package init(_ key: BusValue, _ value: BusValue) {
        self.key = key
        self.value = value
    }
}
