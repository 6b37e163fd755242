import Cryptography
import Octets
import Testing

@Suite("Hash functions") struct HashFunctionTests {
    private func octets(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }
    private func secret(_ hex: String) throws -> SecretKey { SecretKey(copying: try octets(hex)) }

    @Test("digests of \"abc\", FIPS 180-2, B.1 and D.1") func digest() throws {
        let short = try octets("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let long = try octets(
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7")
        #expect(HashFunction.sha256.digest(Array("abc".utf8)) == short)
        #expect(HashFunction.sha384.digest(Array("abc".utf8)) == long)
    }

    @Test("HMAC, RFC 4231 case 1 and 2") func hmac() throws {
        let key = SecretKey(copying: [UInt8](repeating: 0x0B, count: 20))
        let short = try octets("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let long = try octets(
            "afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59cfaea9ea9076ede7f4af152e8b2fa9cb6")
        #expect(HashFunction.sha256.authenticationCode(key: key, Array("Hi There".utf8)) == short)
        #expect(HashFunction.sha384.authenticationCode(key: key, Array("Hi There".utf8)) == long)
        let jefe = SecretKey(copying: Array("Jefe".utf8))
        let question = SecretKey(copying: Array("what do ya want for nothing?".utf8))
        let answer = try secret("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(HashFunction.sha256.authenticationCode(key: jefe, secret: question) == answer)
    }

    @Test("HKDF, RFC 5869 A.1") func hkdf() throws {
        let input = SecretKey(copying: [UInt8](repeating: 0x0B, count: 22))
        let prk = HashFunction.sha256.extract(salt: try octets("000102030405060708090a0b0c"), input)
        let expected = try secret("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5")
        #expect(prk == expected)
        let output = HashFunction.sha256.expand(42, from: prk, info: try octets("f0f1f2f3f4f5f6f7f8f9"))
        let okm = try secret(
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        #expect(output == okm)
    }

    @Test("PBKDF2 with HMAC-SHA-256, RFC 7914 11, and the longer RFC 6070 inputs") func pbkdf2() throws {
        let first = HashFunction.sha256.stretch(
            64, from: SecretKey(copying: Array("passwd".utf8)), salt: Array("salt".utf8), iterations: 1)
        let expected = try secret(
            "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783")
        #expect(first == expected)
        let second = HashFunction.sha256.stretch(
            40, from: SecretKey(copying: Array("passwordPASSWORDpassword".utf8)),
            salt: Array("saltSALTsaltSALTsaltSALTsaltSALTsalt".utf8), iterations: 4096)
        let known = try secret("348c89dbcbd32b2f32d814b8116e84cf2b17347ebc1800181c4e2a1fb8dd53e1c635518c7dac47e9")
        #expect(second == known)
    }

    @Test("the 802.11 KDF counts its rounds from one and tells its length") func kdf() throws {
        // From the definition: HMAC(key, 0100 ‖ label ‖ context ‖ LE16(bits)) ‖ HMAC(key, 0200 ‖ …), cut off.
        let key = SecretKey(copying: [1, 2, 3])
        func round(_ number: UInt8) -> [UInt8] {
            HashFunction.sha256.authenticationCode(
                key: key, [number, 0] + Array("label".utf8) + [9, 8] + [0x40, 0x01])
        }
        let derived = HashFunction.sha256.derive(40, from: key, label: "label", context: [9, 8])
        #expect(derived == SecretKey(copying: Array((round(1) + round(2)).prefix(40))))
    }
}
