package import Octets

/// A Bluetooth LE device address with its type.
///
/// On the wire the octets go least significant first (Core 5.4, Vol 6, Part B, 1.3); printed, most significant first.
package struct BluetoothAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address type as the kernel numbers it (mgmt-api.txt, "Address_Type"; `BDADDR_LE_…` of bluetooth.h).
    package enum Kind: UInt8, Hashable, Sendable {
        case classic = 0
        case `public` = 1
        case random = 2
    }

    package let kind: Kind
    /// The 48 bits; the two highest tell a random address's sort.
    package let bits: UInt64

    package init(_ kind: Kind, bits: UInt64) {
        self.kind = kind
        self.bits = bits & 0xFFFF_FFFF_FFFF
    }

    /// Random, and for as long as the device is powered (Vol 6, Part B, 1.3.2.1).
    package var isStatic: Bool { kind == .random && bits >> 46 == 0b11 }
    /// Random, and told from others only with its owner's identity key (Vol 6, Part B, 1.3.2.2).
    package var isResolvable: Bool { kind == .random && bits >> 46 == 0b01 }

    package var description: String { MACAddress(bits: bits).description }
}

extension BluetoothAddress: WireCodable {
    /// As the management interface has it: six octets, then the type.
    package init(from reader: inout ByteReader) throws(WireError) {
        var bits: UInt64 = 0
        for shift in 0..<6 { bits |= UInt64(try reader.u8("Bluetooth address")) << (8 * UInt64(shift)) }
        let at = reader.offset
        let type = try reader.u8("address type")
        guard let kind = Kind(rawValue: type) else {
            throw .invalid(field: "address type", offset: at, value: UInt64(type))
        }
        self.init(kind, bits: bits)
    }

    package func encode(into writer: inout ByteWriter) {
        for shift in 0..<6 { writer.u8(UInt8(truncatingIfNeeded: bits >> (8 * UInt64(shift)))) }
        writer.u8(kind.rawValue)
    }
}
