/// A cipher suite selector, OUI and type as one big-endian number (802.11-2020, Table 9-149).
package struct CipherSuite: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let ccmp128 = Self(rawValue: 0x000F_AC04)
    package static let bipCMAC128 = Self(rawValue: 0x000F_AC06)
    /// Group addressed traffic not allowed: what PASN puts where a group cipher is due.
    package static let groupTrafficNotAllowed = Self(rawValue: 0x000F_AC07)
    package static let gcmp256 = Self(rawValue: 0x000F_AC09)
    package static let bipGMAC256 = Self(rawValue: 0x000F_AC0C)
}

/// An authentication and key management suite selector (802.11-2020, Table 9-151).
package struct AKMSuite: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let sae = Self(rawValue: 0x000F_AC08)
    package static let pasn = Self(rawValue: 0x000F_AC15)
}

/// A finite cyclic group by its IANA number; only the two that NAN uses have a known size.
package struct FiniteCyclicGroup: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let p256 = Self(rawValue: 19)
    package static let p384 = Self(rawValue: 20)

    /// Octets of a coordinate and of a scalar.
    package var primeLength: Int? {
        switch self {
        case .p256: 32
        case .p384: 48
        default: nil
        }
    }
}
