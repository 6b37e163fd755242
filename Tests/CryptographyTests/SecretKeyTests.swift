import Cryptography
import Octets
import Testing

@Suite("Secret keys") struct SecretKeyTests {
    /// What a machine or an effect looks like that carries a key: copyable, Equatable, Sendable.
    private struct Effect: Equatable, Sendable {
        let key: SecretKey?
    }

    @Test("keys are equal when their octets are") func equality() {
        let key = SecretKey(copying: [1, 2, 3])
        #expect(Effect(key: key) == Effect(key: SecretKey(copying: [1, 2, 3])))
        #expect(Effect(key: key) != Effect(key: SecretKey(copying: [1, 2, 4])))
        #expect(Effect(key: key) != Effect(key: SecretKey(copying: [1, 2])))
        #expect(Effect(key: key) != Effect(key: nil))
        #expect(SecretKey(copying: []) == SecretKey(copying: []))
    }

    @Test("a key is written in place") func filledInPlace() {
        let key = SecretKey(count: 3) { $0[1] = 7 }
        #expect(key == SecretKey(copying: [0, 7, 0]))
    }

    @Test("a failed fill leaves no key") func failedFill() {
        struct Failure: Error {}
        #expect(throws: Failure.self) { try SecretKey(count: 16) { _ in throw Failure() } }
    }

    @Test("no octet reaches text") func redaction() {
        let effect = Effect(key: SecretKey(copying: [UInt8](repeating: 213, count: 4)))
        var dumped = ""
        dump(effect, to: &dumped)
        for text in ["\(effect)", String(reflecting: effect), dumped] {
            #expect(!text.contains("213") && !text.lowercased().contains("d5d5"))
        }
    }

    @Test("taking octets over leaves none behind") func taking() {
        var octets: [UInt8] = [1, 2, 3]
        #expect(SecretKey(taking: &octets) == SecretKey(copying: [1, 2, 3]))
        #expect(octets.isEmpty)
    }

    @Test("keys are joined and parted") func parts() {
        let joined = SecretKey(concatenating: [1...3, 4...4, 5...9].map { SecretKey(copying: Array($0)) })
        #expect(joined == SecretKey(copying: Array(1...9)))
        #expect(joined.part(2..<5) == SecretKey(copying: [3, 4, 5]))
        #expect(SecretKey(concatenating: []).count == 0)
    }

    @Test("a drawn key is what the entropy says") func drawing() {
        var entropy = Entropy.scripted([7, 8, 9, 10])
        #expect(SecretKey(drawing: 3, from: &entropy) == SecretKey(copying: [7, 8, 9]))
    }

    @Test("codes of different lengths are not equal") func codes() {
        #expect(constantTimeEqual([1, 2], [1, 2]))
        #expect(!constantTimeEqual([1, 2], [1, 3]))
        #expect(!constantTimeEqual([1, 2], [1, 2, 3]))
        #expect(constantTimeEqual([], []))
    }
}
