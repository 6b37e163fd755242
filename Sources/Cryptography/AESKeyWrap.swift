internal import CCryptoShim

/// AES key wrap with the default initial value (RFC 3394).
package enum AESKeyWrap {
    /// Eight octets longer than `plain`.
    ///
    /// - Precondition: `plain` is a multiple of 8 octets, at least 16; the key has 16, 24 or 32.
    package static func wrap(_ plain: SecretKey, with key: SecretKey) -> [UInt8] {
        precondition(plain.count >= 16 && plain.count % 8 == 0, "key wrap of \(plain.count) octets")
        var out = [UInt8](repeating: 0, count: plain.count + 8)
        let code = key.withBytes { kek in
            plain.withBytes { ccrypto_aes_wrap(kek, key.count, $0, plain.count, &out) }
        }
        precondition(code == 0, "mbedTLS cannot wrap a key: \(code)")
        return out
    }

    /// - Throws: `CryptoError.unwrapFailed` for an impossible length and when the integrity check fails.
    package static func unwrap(_ wrapped: [UInt8], with key: SecretKey) throws(CryptoError) -> SecretKey {
        guard wrapped.count >= 24, wrapped.count % 8 == 0 else { throw .unwrapFailed }
        let result = SecretKey.written(count: wrapped.count - 8) { out in
            key.withBytes { ccrypto_aes_unwrap($0, key.count, wrapped, wrapped.count, out) }
        }
        guard result.code == 0 else { throw .unwrapFailed }
        return result.key
    }
}
