import Cryptography
import NANSecurity
import Octets
import Testing

@Suite("PINs and names") struct PINTests {
    @Test("six digits are a PIN, anything else is none") func typed() {
        #expect(PIN(typed: "123456")?.password == SecretKey(copying: Array("123456".utf8)))
        #expect(PIN(typed: "000000") != nil)
        for text in ["", "12345", "1234567", "12345a", " 123456", "123 456", "１２３４５６", "-12345", "12345\u{0}"] {
            #expect(PIN(typed: text) == nil, "\(text)")
        }
    }

    @Test("a drawn PIN has six digits, and all ten digits occur in all places about equally often") func drawn() {
        var entropy = Entropy.seeded(1)
        var counts = [[Int]](repeating: [Int](repeating: 0, count: 10), count: 6)
        for _ in 0..<10_000 {
            PIN.draw(from: &entropy).withDigits { digits in
                for (place, digit) in digits.enumerated() { counts[place][Int(digit - UInt8(ascii: "0"))] += 1 }
            }
        }
        for place in counts {
            #expect(place.reduce(0, +) == 10_000)
            // 1000 expected, standard deviation 30.
            #expect(place.allSatisfy { $0 > 850 && $0 < 1150 })
        }
    }

    @Test("no digit reaches text") func redaction() throws {
        let pin = try #require(PIN(typed: "739182"))
        var dumped = ""
        dump(pin, to: &dumped)
        for text in ["\(pin)", String(reflecting: pin), dumped] { #expect(!text.contains("7")) }
    }

    @Test("service names hash as published, whatever their case") func serviceHashes() throws {
        let vectors = try Vectors.load()["service_id"]
        #expect(vectors.keys.count == 7)
        for name in vectors.keys {
            let expected = try vectors.octets(name)
            #expect(serviceHash(ofName: name) == expected)
            #expect(serviceHash(ofName: name.uppercased()) == expected)
        }
    }
}
