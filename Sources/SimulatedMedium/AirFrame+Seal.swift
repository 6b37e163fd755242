internal import Cryptography
package import Ports

extension AirFrame.Seal {
    /// Of a frame under a key: covers the cipher, the addresses, the sequence number and the body, not the Retry bit.
    package init(_ octets: [UInt8], under key: PairwiseKey) {
        let suite = (0..<4).map { UInt8(truncatingIfNeeded: key.cipher.rawValue >> UInt32(8 * $0)) }
        let covered: [UInt8] = Array("simulated air".utf8) + suite
        let message = covered + Array(octets.dropFirst(4))
        let code = HashFunction.sha256.authenticationCode(key: key.key, message)
        self.init(code: code.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
}
