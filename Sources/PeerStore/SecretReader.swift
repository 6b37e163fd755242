internal import Cryptography

/// A cursor over octets that must not be copied into arrays; every step is checked.
struct SecretReader {
    private let octets: UnsafeRawBufferPointer
    private var offset = 0

    init(_ octets: UnsafeRawBufferPointer) { self.octets = octets }

    var remaining: Int { octets.count - offset }

    private mutating func take(_ count: Int, _ field: String) throws(StateFormatError) -> UnsafeRawBufferPointer {
        guard count >= 0, count <= remaining else { throw .invalid(field: field) }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: octets[offset..<offset + count])
    }

    private mutating func integer<Value: FixedWidthInteger>(
        _ type: Value.Type, _ field: String
    ) throws(StateFormatError) -> Value {
        try take(Value.bitWidth / 8, field).reversed().reduce(0) { $0 << 8 | Value($1) }
    }

    mutating func u8(_ field: String) throws(StateFormatError) -> UInt8 { try integer(UInt8.self, field) }
    mutating func u16(_ field: String) throws(StateFormatError) -> UInt16 { try integer(UInt16.self, field) }
    mutating func u32(_ field: String) throws(StateFormatError) -> UInt32 { try integer(UInt32.self, field) }
    mutating func u64(_ field: String) throws(StateFormatError) -> UInt64 { try integer(UInt64.self, field) }

    mutating func octets(_ count: Int, _ field: String) throws(StateFormatError) -> [UInt8] {
        Array(try take(count, field))
    }

    mutating func slice(_ count: Int, _ field: String) throws(StateFormatError) -> SecretReader {
        SecretReader(try take(count, field))
    }

    /// One length octet and UTF-8.
    mutating func text(_ field: String) throws(StateFormatError) -> String {
        let count = Int(try u8(field))
        guard count <= StateFormat.maximumNameLength,
            let text = String(validating: try octets(count, field), as: UTF8.self)
        else { throw .invalid(field: field) }
        return text
    }

    mutating func key(_ count: Int, _ field: String) throws(StateFormatError) -> SecretKey {
        guard StateFormat.keyLengths.contains(count) else { throw .invalid(field: field) }
        let octets = try take(count, field)
        return SecretKey(count: count) { $0.copyMemory(from: octets) }
    }
}
