internal import Octets

/// The 24-octet 802.11 header, as far as the air and the simulated kernel look at it.
struct MACHeader {
    enum Kind: Equatable {
        case beacon
        case authentication
        case action
        case data
        case other
    }

    static let length = 24
    /// Longest management frame taken, header included (IEEE 802.11-2020, 9.2.4.7: 2304 octets of body).
    static let longestFrame = 2304 + length

    let kind: Kind
    let isRetry: Bool
    let isProtected: Bool
    let a1: MACAddress
    let a2: MACAddress
    let a3: MACAddress
    let sequence: UInt16

    init?(_ octets: [UInt8]) {
        guard octets.count >= Self.length, octets.count <= Self.longestFrame else { return nil }
        switch octets[0] {
        case 0x80: kind = .beacon
        case 0xB0: kind = .authentication
        case 0xD0: kind = .action
        case 0x08: kind = .data
        default: kind = .other
        }
        isRetry = octets[1] & 0x08 != 0
        isProtected = octets[1] & 0x40 != 0
        a1 = Self.address(octets, at: 4)
        a2 = Self.address(octets, at: 10)
        a3 = Self.address(octets, at: 16)
        sequence = (UInt16(octets[22]) | UInt16(octets[23]) << 8) >> 4
    }

    static func address(_ octets: [UInt8], at offset: Int) -> MACAddress {
        MACAddress(bits: octets[offset..<offset + 6].reduce(0) { $0 << 8 | UInt64($1) })
    }

    /// Gives `octets` what the sending MAC owns: sequence number, Retry and Protected bits.
    static func complete(_ octets: inout [UInt8], sequence: UInt16, isRetry: Bool, isProtected: Bool) {
        octets[1] = octets[1] & ~0x48 | (isRetry ? 0x08 : 0) | (isProtected ? 0x40 : 0)
        octets[22] = UInt8(truncatingIfNeeded: sequence << 4)
        octets[23] = UInt8(truncatingIfNeeded: sequence >> 4)
    }

    /// Category of an action frame.
    static func category(_ octets: [UInt8]) -> UInt8? { octets.count > length ? octets[length] : nil }

    /// The NAN OUI type of a vendor-specific public action, protected or not: 0x13 an SDF, 0x18 a NAF.
    static func nanType(_ octets: [UInt8]) -> UInt8? {
        guard octets.count >= length + 6 else { return nil }
        return Array(octets[length + 1..<length + 5]) == [0x09, 0x50, 0x6F, 0x9A] ? octets[length + 5] : nil
    }
}

extension MACAddress {
    var octets: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: bits >> UInt64(40 - 8 * $0)) } }
}
