internal import CCryptoShim

/// A hash (FIPS 180-4) and what is built on it: HMAC, the IEEE 802.11 KDF, HKDF and PBKDF2.
///
/// None of these can fail for a reason a peer could cause: mbedTLS refuses only what this type rules out.
package enum HashFunction: Int32, Equatable, Sendable, CaseIterable {
    case sha256 = 256
    case sha384 = 384

    /// Octets of a digest and of an HMAC.
    package var length: Int { Int(rawValue) / 8 }

    package func digest(_ message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: length)
        Self.check(ccrypto_hash(rawValue, message, message.count, &out))
        return out
    }

    /// HMAC (RFC 2104) of a message that is no secret: a code to send, or to compare with one received.
    package func authenticationCode(key: SecretKey, _ message: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: length)
        Self.check(key.withBytes { ccrypto_hmac(rawValue, $0, key.count, message, message.count, &out) })
        return out
    }

    /// HMAC (RFC 2104) of a secret, which makes a secret.
    package func authenticationCode(key: SecretKey, secret message: SecretKey) -> SecretKey {
        written(length) { out in
            key.withBytes { keyOctets in
                message.withBytes { ccrypto_hmac(rawValue, keyOctets, key.count, $0, message.count, out) }
            }
        }
    }

    /// The key derivation function of IEEE 802.11-2020 12.7.1.6.2.
    ///
    /// - Precondition: 1 to 8191 octets, because the length is told in bits and 16 bits hold it.
    package func derive(_ count: Int, from key: SecretKey, label: String, context: SecretKey) -> SecretKey {
        precondition(count > 0 && count <= 8191, "KDF of \(count) octets")
        let bits = UInt16(count * 8)
        let suffix = SecretKey(copying: [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)])
        let rounds = (count + length - 1) / length
        let blocks = (1...rounds).map { round in
            let counter = [UInt8(truncatingIfNeeded: round), UInt8(truncatingIfNeeded: round >> 8)]
            let prefix = SecretKey(copying: counter + Array(label.utf8))
            return authenticationCode(key: key, secret: SecretKey(concatenating: [prefix, context, suffix]))
        }
        return SecretKey(concatenating: blocks).part(0..<count)
    }

    package func derive(_ count: Int, from key: SecretKey, label: String, context: [UInt8]) -> SecretKey {
        derive(count, from: key, label: label, context: SecretKey(copying: context))
    }

    /// HKDF-Extract (RFC 5869 2.2).
    package func extract(salt: [UInt8], _ inputKey: SecretKey) -> SecretKey {
        written(length) { out in
            inputKey.withBytes { ccrypto_hkdf_extract(rawValue, salt, salt.count, $0, inputKey.count, out) }
        }
    }

    /// HKDF-Expand (RFC 5869 2.3).
    ///
    /// - Precondition: at most 255 digests of output.
    package func expand(_ count: Int, from key: SecretKey, info: [UInt8]) -> SecretKey {
        precondition(count <= 255 * length, "HKDF of \(count) octets")
        return written(count) { out in
            key.withBytes { ccrypto_hkdf_expand(rawValue, $0, key.count, info, info.count, out, count) }
        }
    }

    /// PBKDF2 with HMAC (RFC 8018 5.2).
    package func stretch(_ count: Int, from password: SecretKey, salt: [UInt8], iterations: UInt32) -> SecretKey {
        written(count) { out in
            password.withBytes {
                ccrypto_pbkdf2(rawValue, $0, password.count, salt, salt.count, iterations, out, count)
            }
        }
    }

    private func written(_ count: Int, by body: (UnsafeMutablePointer<UInt8>?) -> Int32) -> SecretKey {
        let result = SecretKey.written(count: count, by: body)
        Self.check(result.code)
        return result.key
    }

    private static func check(_ code: Int32) {
        precondition(code == 0, "mbedTLS cannot hash: \(code)")
    }
}
