package import Octets

/// A UUID of a service or characteristic: one of the Bluetooth SIG's 16-bit numbers, or anybody's 128 bits.
///
/// Equality is of the value: a short one equals its long form on the Bluetooth base (Core 5.4, Vol 3, Part B, 2.5.1).
package struct BluetoothUUID: Hashable, Sendable, CustomStringConvertible {
    /// Most significant half of 00000000-0000-1000-8000-00805F9B34FB.
    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(_ short: UInt16) {
        high = UInt64(short) << 32 | Self.baseHigh
        low = Self.baseLow
    }

    /// Four hexadecimal digits, or 8-4-4-4-12 of them.
    package init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0.utf8.allSatisfy(Self.isHexDigit) }) else { return nil }
        switch parts.map(\.utf8.count) {
        case [4]:
            guard let short = UInt16(parts[0], radix: 16) else { return nil }
            self.init(short)
        case [8, 4, 4, 4, 12]:
            guard let high = UInt64(parts[0...2].joined(), radix: 16),
                let low = UInt64(parts[3...4].joined(), radix: 16)
            else { return nil }
            self.init(high: high, low: low)
        default: return nil
        }
    }

    private static func isHexDigit(_ digit: UInt8) -> Bool {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Its 16-bit number, nil when it is not on the Bluetooth base or is larger.
    package var short: UInt16? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
        return UInt16(exactly: high >> 32)
    }

    /// As ATT and advertising carry it, least significant octet first: 2 octets where that says it all, else 16.
    package var octets: [UInt8] {
        var writer = ByteWriter()
        if let short {
            writer.u16(short)
        } else {
            writer.u64(low)
            writer.u64(high)
        }
        return writer.bytes
    }

    /// Reads one of 2 or 16 octets.
    package init(from reader: inout ByteReader, count: Int, _ field: StaticString) throws(WireError) {
        switch count {
        case 2: self.init(try reader.u16(field))
        case 16:
            let low = try reader.u64(field)
            self.init(high: try reader.u64(field), low: low)
        default: throw .invalid(field: "\(field) length", offset: reader.offset, value: UInt64(clamping: count))
        }
    }

    /// In capitals, as phones' frameworks want it.
    package var description: String {
        if let short { return Self.digits(UInt64(short), 4) }
        return [
            Self.digits(high >> 32, 8), Self.digits(high >> 16 & 0xFFFF, 4), Self.digits(high & 0xFFFF, 4),
            Self.digits(low >> 48, 4), Self.digits(low & 0xFFFF_FFFF_FFFF, 12),
        ].joined(separator: "-")
    }

    private static func digits(_ value: UInt64, _ count: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
