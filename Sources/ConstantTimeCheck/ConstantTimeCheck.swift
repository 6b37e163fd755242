internal import CCryptoShim
internal import Cryptography
internal import NANFrames
internal import NANSecurity
internal import Octets

/// Shows, under valgrind, that comparing MICs, confirms and tags does not branch on what is secret.
///
/// Keys are poisoned: to valgrind their octets are undefined, and so is all that is computed from them. Any branch or
/// address that depends on them is then an error, which `--error-exitcode` turns into the run's failure. The result of
/// each comparison is declared defined, because the caller may of course look at it.
///
///     valgrind --error-exitcode=9 --track-origins=no ConstantTimeCheck
///
/// With `--leaky`, a memcmp stands in for the comparisons, and the same run has to fail.
@main
struct ConstantTimeCheck {
    private let leaky: Bool
    private var failures = 0

    static func main() {
        var check = ConstantTimeCheck(leaky: CommandLine.arguments.contains("--leaky"))
        if !ccrypto_poison_works() {
            print("not under valgrind, or built without its headers: nothing is shown by this run")
        }
        check.run()
        print(check.failures == 0 ? "all comparisons right" : "\(check.failures) comparisons wrong")
        if check.failures > 0 { preconditionFailure("a comparison gave the wrong answer") }
    }

    private init(leaky: Bool) { self.leaky = leaky }

    private mutating func run() {
        let one = NMI(MACAddress(bits: 0x02AA_AAAA_AAAA))
        let other = NMI(MACAddress(bits: 0x02BB_BBBB_BBBB))
        let body = [UInt8](0..<200)
        for akm in PairingAKM.allCases {
            for strength in SuiteStrength.allCases {
                let keys = PASNKeys(
                    pmk: poisoned(32), sharedSecret: poisoned(strength.group.coordinateLength), initiator: one,
                    responder: other, suite: PASNSuite(akm, strength))
                compare("MIC of frame 2", keys.micOfSecondFrame(securityElements: body, body: body)) {
                    keys.verifies(secondFrameMIC: $0, securityElements: body, body: body)
                }
                compare("MIC of frame 3", keys.micOfThirdFrame(firstBody: body, body: body)) {
                    keys.verifies(thirdFrameMIC: $0, firstBody: body, body: body)
                }
            }
        }
        for strength in SuiteStrength.allCases {
            let data = DataPathKeys(
                DataPathMasterKey(poisoned(32)), initiator: NDI(one.address), responder: NDI(other.address),
                initiatorNonce: body, responderNonce: body, strength: strength)
            compare("MIC of a data path", data.mic(body: body)) { data.verifies(mic: $0, body: body) }
            confirm(in: strength.group)
        }
        guard let nik = IdentityKey(poisoned(IdentityKey.length)) else { return }
        let nonce = [UInt8](0..<8)
        compare("NIRA tag", nik.tag(for: one, nonce: nonce)) { nik.verifies(tag: $0, for: one, nonce: nonce) }
        let key = poisoned(16)
        compare("key", key.withOctets { Array($0) }) { key == SecretKey(copying: $0) }
    }

    /// SAE's confirm, from keys that were agreed on in the open and poisoned then.
    private mutating func confirm(in group: EllipticCurveGroup) {
        let password = SecretKey(copying: Array("123456".utf8))
        let numbers = (1...4).map { number in
            SecretKey(copying: [UInt8](repeating: UInt8(number), count: group.coordinateLength))
        }
        let one = NMI(MACAddress(bits: 0x02AA_AAAA_AAAA))
        let other = NMI(MACAddress(bits: 0x02BB_BBBB_BBBB))
        guard let element = try? PasswordElement(password: password, group: group),
            let mine = try? SAECommitment(element, own: one, peer: other, random: numbers[0], mask: numbers[1]),
            let theirs = try? SAECommitment(element, own: other, peer: one, random: numbers[2], mask: numbers[3]),
            let keys = try? mine.agree(peerScalar: theirs.scalar, peerElement: theirs.element)
        else { preconditionFailure("SAE does not work") }
        keys.confirmationKey.withOctets { ccrypto_poison($0.baseAddress, $0.count) }
        let (sender, receiver) = (PublicCommit(mine), PublicCommit(theirs))
        compare("confirm", keys.confirm(sender: sender, receiver: receiver)) {
            keys.verifies(confirm: $0, sender: sender, receiver: receiver)
        }
    }

    private func poisoned(_ count: Int) -> SecretKey {
        let key = SecretKey(copying: (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + 1) })
        key.withOctets { ccrypto_poison($0.baseAddress, $0.count) }
        return key
    }

    /// Compares `expected`, which is undefined, with itself and with a wrong code, both of them received and so defined.
    private mutating func compare(_ what: String, _ expected: [UInt8], _ verifies: ([UInt8]) -> Bool) {
        var received = [UInt8](repeating: 0, count: expected.count)
        for index in expected.indices { received[index] = expected[index] }
        received.withUnsafeBytes { ccrypto_unpoison($0.baseAddress, $0.count) }
        var wrong = received
        wrong[wrong.count - 1] ^= 1
        for (candidate, answer) in [(received, true), (wrong, false)] {
            var result = leaky ? ccrypto_equal_leaky(candidate, expected, candidate.count) : verifies(candidate)
            withUnsafeBytes(of: &result) { ccrypto_unpoison($0.baseAddress, $0.count) }
            if result != answer {
                print("\(what): \(result) instead of \(answer)")
                failures += 1
            }
        }
    }
}
