package import Octets

/// A finite cyclic group by its IANA number (IKEv2 Transform Type 4), as SAE and PASN name it.
package enum EllipticCurveGroup: UInt16, Equatable, Hashable, Sendable, CaseIterable {
    /// NIST P-256.
    case p256 = 19
    /// NIST P-384.
    case p384 = 20

    /// Octets of a coordinate and of a scalar.
    package var coordinateLength: Int {
        switch self {
        case .p256: 32
        case .p384: 48
        }
    }

    /// The hash that SAE's hash-to-element goes with (IEEE 802.11-2020, Table 12-1).
    package var hash: HashFunction {
        switch self {
        case .p256: .sha256
        case .p384: .sha384
        }
    }

    /// A private value, uniform in 2…r-1; draws one scalar's length of octets, more with a chance of 2⁻³² at most.
    package func drawScalar(from entropy: inout Entropy) -> SecretKey {
        while true {
            let candidate = SecretKey(drawing: coordinateLength, from: &entropy)
            if contains(scalar: candidate) { return candidate }
        }
    }

    /// Whether a scalar has the group's length and is between 2 and r - 1.
    ///
    /// Not in constant time: an own scalar that is refused is never used, and a peer's is public.
    package func contains(scalar: SecretKey) -> Bool {
        scalar.withOctets { octets in
            guard octets.count == coordinateLength else { return false }
            return octets.lexicographicallyPrecedes(order)
                && (octets.dropLast().contains { $0 != 0 } || octets[octets.count - 1] > 1)
        }
    }

    /// The group's order r (FIPS 186-4, D.1.2.3 and D.1.2.4), which starts with 32 one bits.
    private var order: [UInt8] {
        switch self {
        case .p256: Self.orderOfP256
        case .p384: Self.orderOfP384
        }
    }

    private static let orderOfP256: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    private static let orderOfP384: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xC7, 0x63, 0x4D, 0x81, 0xF4, 0x37, 0x2D, 0xDF,
        0x58, 0x1A, 0x0D, 0xB2, 0x48, 0xB0, 0xA7, 0x7A, 0xEC, 0xEC, 0x19, 0x6A, 0xCC, 0xC5, 0x29, 0x73,
    ]
}
