package import Cryptography
package import NANFrames
package import Octets

/// NAN Identity Key, NIK: by which paired devices know each other whatever their addresses (cipher version 0).
package struct IdentityKey: Equatable, Sendable {
    package static let length = 16
    /// Octets of the nonce and of the tag in a NIRA.
    package static let nonceLength = 8
    package static let tagLength = 8

    package let key: SecretKey

    /// Nil for another length than 16.
    package init?(_ key: SecretKey) {
        guard key.count == Self.length else { return nil }
        self.key = key
    }

    private init(checked key: SecretKey) { self.key = key }

    package static func draw(from entropy: inout Entropy) -> IdentityKey {
        IdentityKey(checked: SecretKey(drawing: length, from: &entropy))
    }

    /// The tag that tells holders of this key who sends from `address` (hostap nan_crypto.c).
    package func tag(for address: NMI, nonce: [UInt8]) -> [UInt8] {
        let message = Array("NIR".utf8) + address.wireOctets + nonce
        return Array(HashFunction.sha256.authenticationCode(key: key, message).prefix(Self.tagLength))
    }

    /// Whether the tag is this key's; in constant time.
    package func verifies(tag: [UInt8], for address: NMI, nonce: [UInt8]) -> Bool {
        constantTimeEqual(tag, self.tag(for: address, nonce: nonce))
    }
}
