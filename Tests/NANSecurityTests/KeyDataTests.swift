import Cryptography
import NANSecurity
import Octets
import Testing

@Suite("Key data") struct KeyDataTests {
    private let vectors: Vectors
    init() throws { vectors = try Vectors.load() }

    @Test(
        "identity keys of every pairing are wrapped and unwrapped as hostap does it",
        arguments: [
            "pairing_sae_ncs128", "pairing_sae_ncs256", "pairing_opportunistic_ncs128",
        ])
    func identityKeys(_ name: String) throws {
        let pairing = try vectors["pairing", name]
        let vector = try pairing["pairing"]
        let kek = try vector.secret("NM-KEK")
        for (side, suffix) in [("initiator", ""), ("responder", "_2")] {
            let nik = try #require(IdentityKey(pairing.secret("\(side)_nik")))
            let content = IdentityKeyData(nik, lifetime: IdentityKeyData.defaultLifetime)
            let plain = try vector.octets("plain" + suffix)
            #expect(content.keyData.padded.revealed == plain)
            // The wrapped key data ends the attribute.
            let wrapped = Array(try vector.octets("SKDA_attr" + suffix).suffix(48))
            #expect(content.keyData.wrapped(with: kek) == wrapped)
            let read = try IdentityKeyData(KeyData(unwrapping: wrapped, with: kek))
            #expect(read == content)
        }
    }

    @Test("a lifetime may be absent, of other keys, or malformed, and the NIK still counts") func lifetimes() throws {
        let nik = try #require(IdentityKey(SecretKey(copying: Array(0..<16))))
        func read(_ extra: [KeyData.Element]) throws -> IdentityKeyData {
            try IdentityKeyData(KeyData(IdentityKeyData(nik, lifetime: nil).keyData.elements + extra))
        }
        func lifetime(_ octets: [UInt8]) -> KeyData.Element { KeyData.Element(.lifetime, SecretKey(copying: octets)) }
        let plain = try read([])
        #expect(plain.lifetime == nil)
        let limited = try read([lifetime([8, 0, 0, 0, 1, 0])])
        #expect(limited.lifetime == .seconds(256))
        let other = try read([lifetime([4, 0, 0, 0, 1, 0])])
        #expect(other.lifetime == nil)
        let short = try read([lifetime([8, 0, 0, 0, 1])])
        #expect(short.lifetime == nil)
    }

    @Test("a NIK that is missing, of another version or length is refused") func badIdentityKeys() throws {
        func read(_ elements: [KeyData.Element]) throws { _ = try IdentityKeyData(KeyData(elements)) }
        #expect(throws: KeyData.Failure.missing(.nik)) { try read([]) }
        for octets in [[1] + [UInt8](0..<16), [0] + [UInt8](0..<15), [0], []] {
            #expect(throws: KeyData.Failure.unusable(.nik)) {
                try read([KeyData.Element(.nik, SecretKey(copying: octets))])
            }
        }
    }

    @Test("group keys are padded and wrapped as published") func groupKeys() throws {
        let vector = try vectors["ndp", "Four way NDP and two way NDL channel 149 with CCMP 128"]
        let plain = try vector.secret("keydata_plain")
        let keyData = try KeyData(parsing: plain)
        #expect(keyData.elements.map(\.selector) == [.igtk, .bigtk, .gtk])
        let padded = try vector.octets("keydata_padded")
        #expect(keyData.padded.revealed == padded)
        let kek = try vector.secret("KEK")
        let wrapped = try vector.octets("keydata_wrapped")
        #expect(keyData.wrapped(with: kek) == wrapped)
        let read = try KeyData(unwrapping: wrapped, with: kek)
        #expect(read == keyData)
    }

    @Test("every prefix of key data is read or refused, never trapped on") func prefixes() throws {
        let vector = try vectors["ndp", "Four way NDP and two way NDL channel 149 with CCMP 128"]
        let plain = try vector.octets("keydata_padded")
        var outcomes: Set<Bool> = []
        for count in 0...plain.count {
            outcomes.insert((try? KeyData(parsing: SecretKey(copying: Array(plain.prefix(count))))) != nil)
        }
        #expect(outcomes == [true, false])
        for octets in [[0xDD, 3, 0, 0, 0], [0xDD, 200, 0], [0x30], [0x30, 1]] as [[UInt8]] {
            #expect(throws: KeyData.Failure.malformed) { try KeyData(parsing: SecretKey(copying: octets)) }
        }
        // An element that is no KDE is passed over, and a lone last DD is padding.
        let mixed = try KeyData(parsing: SecretKey(copying: [0x30, 2, 1, 1, 0xDD, 5, 0x50, 0x6F, 0x9A, 0x24, 9, 0xDD]))
        #expect(mixed.elements == [KeyData.Element(.nik, SecretKey(copying: [9]))])
    }

    @Test("key data wrapped for another key, or of no length, is refused") func wrongKey() {
        let key = SecretKey(copying: [UInt8](repeating: 1, count: 16))
        for count in [0, 8, 48] {
            #expect(throws: KeyData.Failure.unwrapFailed) {
                try KeyData(unwrapping: [UInt8](repeating: 3, count: count), with: key)
            }
        }
    }
}
