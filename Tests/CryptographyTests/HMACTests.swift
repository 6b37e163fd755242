import Cryptography
import Octets
import Testing

@Test("HMAC-SHA-256, RFC 4231 case 1") func hmac() throws {
    let key = SecretKey(copying: [UInt8](repeating: 0x0b, count: 20))
    let code = try hmacSHA256(key: key, Array("Hi There".utf8))
    #expect(code == [UInt8](hex: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"))
}

@Test("the P-256 generator is the standard's") func generator() throws {
    let x = try P256Group().generatorX()
    #expect(x == [UInt8](hex: "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"))
}
