import Cryptography
import Octets
import Testing

@Suite("AES key wrap") struct AESKeyWrapTests {
    private struct Vector: Sendable {
        let key: String
        let plain: String
        let wrapped: String
    }

    /// RFC 3394, 4.1, 4.2, 4.3, 4.5 and 4.6.
    private static let vectors = [
        Vector(
            key: "000102030405060708090A0B0C0D0E0F", plain: "00112233445566778899AABBCCDDEEFF",
            wrapped: "1FA68B0A8112B447AEF34BD8FB5A7B829D3E862371D2CFE5"),
        Vector(
            key: "000102030405060708090A0B0C0D0E0F1011121314151617", plain: "00112233445566778899AABBCCDDEEFF",
            wrapped: "96778B25AE6CA435F92B5B97C050AED2468AB8A17AD84E5D"),
        Vector(
            key: "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
            plain: "00112233445566778899AABBCCDDEEFF", wrapped: "64E8C3F9CE0F5BA263E9777905818A2A93C8191E7D6E8AE7"),
        Vector(
            key: "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
            plain: "00112233445566778899AABBCCDDEEFF0001020304050607",
            wrapped: "A8F9BC1612C68B3FF6E6F4FBE30E71E4769C8B80A32CB8958CD5D17D6B254DA1"),
        Vector(
            key: "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F",
            plain: "00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F",
            wrapped: "28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21"),
    ]

    @Test("wraps and unwraps what RFC 3394 does", arguments: 0..<5) func published(_ index: Int) throws {
        let vector = Self.vectors[index]
        let key = SecretKey(copying: try #require([UInt8](hex: vector.key)))
        let plain = SecretKey(copying: try #require([UInt8](hex: vector.plain)))
        let wrapped = try #require([UInt8](hex: vector.wrapped))
        #expect(AESKeyWrap.wrap(plain, with: key) == wrapped)
        let unwrapped = try AESKeyWrap.unwrap(wrapped, with: key)
        #expect(unwrapped == plain)
    }

    @Test("one changed bit anywhere, or another key, unwraps to nothing") func tampered() throws {
        let key = SecretKey(copying: [UInt8](0..<16))
        let wrapped = AESKeyWrap.wrap(SecretKey(copying: [UInt8](repeating: 9, count: 24)), with: key)
        for bit in 0..<wrapped.count * 8 {
            var changed = wrapped
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: CryptoError.unwrapFailed) { try AESKeyWrap.unwrap(changed, with: key) }
        }
        #expect(throws: CryptoError.unwrapFailed) {
            try AESKeyWrap.unwrap(wrapped, with: SecretKey(copying: [UInt8](1..<17)))
        }
    }

    @Test("impossible lengths are refused", arguments: [0, 8, 16, 23, 25, 31]) func lengths(_ count: Int) {
        let key = SecretKey(copying: [UInt8](0..<16))
        #expect(throws: CryptoError.unwrapFailed) {
            try AESKeyWrap.unwrap([UInt8](repeating: 0, count: count), with: key)
        }
    }
}
