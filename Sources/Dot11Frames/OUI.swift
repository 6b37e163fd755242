package import Octets

/// Organisation that numbered a vendor element, a suite or a KDE: 24 bits, first octet most significant.
package struct OUI: WireCodable, Hashable, CustomStringConvertible {
    package let bits: UInt32
    package init(bits: UInt32) { self.bits = bits & 0xFF_FFFF }

    /// Wi-Fi Alliance, 50-6F-9A.
    package static let wifiAlliance = Self(bits: 0x50_6F_9A)
    /// IEEE 802.11, 00-0F-AC.
    package static let ieee80211 = Self(bits: 0x00_0F_AC)

    package init(from reader: inout ByteReader) throws(WireError) {
        let high = UInt32(try reader.u8("OUI"))
        bits = high << 16 | UInt32(try reader.u16BE("OUI"))
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(UInt8(truncatingIfNeeded: bits >> 16))
        writer.u16BE(UInt16(truncatingIfNeeded: bits))
    }

    package var description: String { encoded.map { [$0].hex.uppercased() }.joined(separator: "-") }
}
