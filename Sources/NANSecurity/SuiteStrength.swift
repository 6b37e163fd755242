package import Cryptography

/// What the cipher suites of one strength share: NCS-SK-128 and NCS-PK-PASN-128 (CSID 1 and 7), or
/// NCS-SK-256 and NCS-PK-PASN-256 (CSID 2 and 8).
package enum SuiteStrength: Equatable, Hashable, Sendable, CaseIterable {
    /// CCMP-128.
    case bits128
    /// GCMP-256.
    case bits256

    /// The strength of a cipher suite identifier, nil for suites this implementation has no keys for.
    package init?(csid: UInt8) {
        switch csid {
        case 1, 7: self = .bits128
        case 2, 8: self = .bits256
        default: return nil
        }
    }

    /// The hash of everything but PASN itself, which goes by its AKM too.
    package var hash: HashFunction {
        switch self {
        case .bits128: .sha256
        case .bits256: .sha384
        }
    }

    /// The group of a pairing with NCS-PK-PASN of this strength (hostap nan_pairing.c).
    package var group: EllipticCurveGroup {
        switch self {
        case .bits128: .p256
        case .bits256: .p384
        }
    }

    /// Octets of NM-TK and ND-TK.
    package var temporalKeyLength: Int { self == .bits128 ? 16 : 32 }
    /// Octets of NM-KEK and ND-KEK.
    package var keyEncryptionKeyLength: Int { self == .bits128 ? 16 : 32 }
    /// Octets of ND-KCK; PASN's KCK always has 32.
    package var dataPathConfirmationKeyLength: Int { self == .bits128 ? 16 : 24 }
    /// Octets of the MIC in a data path handshake; PASN's goes by its AKM too.
    package var dataPathMICLength: Int { self == .bits128 ? 16 : 24 }
}
