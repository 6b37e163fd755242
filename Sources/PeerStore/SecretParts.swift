internal import Cryptography

/// Pieces of a file to be: plain octets, and keys by reference, joined once into memory that is wiped.
struct SecretParts {
    private enum Part {
        case octets([UInt8])
        case key(SecretKey)
    }

    private var parts: [Part] = []
    private(set) var count = 0

    mutating func octets(_ octets: [UInt8]) {
        parts.append(.octets(octets))
        count += octets.count
    }

    mutating func key(_ key: SecretKey) {
        parts.append(.key(key))
        count += key.count
    }

    mutating func append(_ other: SecretParts) {
        parts += other.parts
        count += other.count
    }

    mutating func u8(_ value: UInt8) { octets([value]) }
    mutating func u32(_ value: UInt32) { integer(value) }
    mutating func u64(_ value: UInt64) { integer(value) }

    private mutating func integer<Value: FixedWidthInteger>(_ value: Value) {
        octets((0..<Value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }

    mutating func key(_ key: SecretKey, tag: StateFormat.Tag) { record(tag) { $0.key(key) } }

    /// Tag, 16-bit length, and what `body` adds.
    mutating func record(_ tag: StateFormat.Tag, _ body: (inout SecretParts) -> Void) {
        var record = SecretParts()
        body(&record)
        u8(tag.rawValue)
        integer(UInt16(truncatingIfNeeded: record.count))
        append(record)
    }

    func joined() -> SecretKey {
        SecretKey(count: count) { buffer in
            var rest = buffer[...]
            for part in parts {
                switch part {
                case .octets(let octets):
                    UnsafeMutableRawBufferPointer(rebasing: rest).copyBytes(from: octets)
                    rest = rest.dropFirst(octets.count)
                case .key(let key):
                    key.withOctets { UnsafeMutableRawBufferPointer(rebasing: rest).copyBytes(from: $0) }
                    rest = rest.dropFirst(key.count)
                }
            }
        }
    }
}
