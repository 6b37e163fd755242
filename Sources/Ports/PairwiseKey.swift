package import Cryptography

/// The pairwise cipher of a NAN key: what the radio encrypts with.
package enum PairwiseCipher: UInt32, Hashable, Sendable {
    /// 00-0F-AC:4, cipher suites NCS-SK-128 and NCS-PK-PASN-128.
    case ccmp128 = 0x000F_AC04
    /// 00-0F-AC:9, cipher suites NCS-SK-256 and NCS-PK-PASN-256.
    case gcmp256 = 0x000F_AC09

    /// Octets of its temporal key.
    package var keyLength: Int { self == .ccmp128 ? 16 : 32 }
}

/// A temporal key with its cipher: an NM-TK for management frames or an ND-TK for data.
package struct PairwiseKey: Equatable, Sendable {
    package let cipher: PairwiseCipher
    package let key: SecretKey

    package init(cipher: PairwiseCipher, key: SecretKey) {
        self.cipher = cipher
        self.key = key
    }
}
