internal import Cryptography

/// What an identity key exchange hands over: a NIK and for how long it is good.
package struct IdentityKeyData: Equatable, Sendable {
    package let identityKey: IdentityKey
    /// Nil when no expiry was told: an iPhone leaves the Key Lifetime KDE out.
    package let lifetime: Duration?

    /// hostap's default, 12 hours.
    package static let defaultLifetime = Duration.seconds(43_200)
    /// Bit 3 of the lifetime's key bitmap: the NIK.
    private static let bitmap: UInt16 = 1 << 3

    package init(_ identityKey: IdentityKey, lifetime: Duration?) {
        self.identityKey = identityKey
        self.lifetime = lifetime
    }

    package var keyData: KeyData {
        let nik = KeyData.Element(.nik, SecretKey(concatenating: [SecretKey(copying: [0]), identityKey.key]))
        guard let lifetime else { return KeyData([nik]) }
        let seconds = UInt32(clamping: lifetime.components.seconds)
        let content = [UInt8(Self.bitmap), 0] + (0..<4).map { UInt8(truncatingIfNeeded: seconds >> (24 - 8 * $0)) }
        return KeyData([nik, KeyData.Element(.lifetime, SecretKey(copying: content))])
    }

    /// - Throws: `KeyData.Failure`: `missing` or `unusable` NIK; an unusable lifetime, or one of other keys, is passed over.
    package init(_ keyData: KeyData) throws(KeyData.Failure) {
        guard let content = keyData.first(.nik) else { throw .missing(.nik) }
        guard content.count == 1 + IdentityKey.length, content.withOctets({ $0[0] }) == 0,
            let key = IdentityKey(content.part(1..<content.count))
        else { throw .unusable(.nik) }
        identityKey = key
        lifetime = keyData.first(.lifetime).flatMap { content in
            content.withOctets { octets -> Duration? in
                guard octets.count == 6, UInt16(octets[0]) & Self.bitmap != 0 else { return nil }
                return .seconds(octets[2..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
            }
        }
    }
}
