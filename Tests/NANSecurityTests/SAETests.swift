import Cryptography
import NANFrames
import NANSecurity
import Octets
import Testing

@Suite("SAE") struct SAETests {
    private let vectors: Vectors
    init() throws { vectors = try Vectors.load() }

    private func point(_ group: EllipticCurveGroup, _ x: [UInt8], _ y: [UInt8]) throws -> EllipticCurvePoint {
        try EllipticCurvePoint(group: group, coordinates: SecretKey(copying: x + y))
    }

    @Test("the password element of 802.11-2020 J.10, with its identifier appended") func annexJPasswordElement() throws
    {
        let element = try PasswordElement(
            password: SecretKey(copying: Array("mekmitasdigoatpsk4internet".utf8)), group: .p256,
            ssid: Array("byteme".utf8))
        let x = [UInt8](hex: "b6e38c98750c684b5d17c3d8c9a4100b39931279187ca6cced5f37ef46ddfa97")
        let y = [UInt8](hex: "5687e972e50f73e3898861e7edad21bea7d5f622df88243bb804920ae8e647fa")
        #expect(element.coordinates.x.revealed == x && element.coordinates.y.revealed == y)
        let pwe = try element.element(
            between: NMI(MACAddress(bits: 0x0009_5B66_EC1E)), and: NMI(MACAddress(bits: 0x000B_6BD9_0246)),
            on: EllipticCurve(.p256))
        let pweX = [UInt8](hex: "c93049b9e64000f848201649e999f2b5c22dea69b5632c9df4d633b8aa1f6c1e")
        let pweY = [UInt8](hex: "73634e94b53d82e7383a8d258199d9dc1a5ee8269d060382ccbf33e614ff59a0")
        #expect(pwe.x.revealed == pweX && pwe.y.revealed == pweY)
    }

    @Test("commit, keys and PMKID of 802.11-2020 J.10") func annexJ() throws {
        let vector = try vectors["sae_j10"]
        let curve = try EllipticCurve(.p256)
        let commit = try SAECommitment(
            passwordElement: point(.p256, vector.octets("PWE_x"), vector.octets("PWE_y")),
            random: vector.secret("rand"), mask: vector.secret("mask"), on: curve)
        let scalar = try vector.octets("own_scalar")
        let element = try vector.octets("own_elem_x") + vector.octets("own_elem_y")
        #expect(commit.scalar == scalar && commit.element == element)
        let keys = try commit.agree(
            peerScalar: vector.octets("peer_scalar"),
            peerElement: vector.octets("peer_elem_x") + vector.octets("peer_elem_y"))
        let (kck, pmk) = (try vector.secret("KCK"), try vector.secret("PMK"))
        let pmkid = try vector.octets("PMKID")
        #expect(keys.confirmationKey == kck && keys.pmk == pmk && keys.pmkid == pmkid)
    }

    @Test("pairing transcripts, both sides", arguments: ["pairing_sae_ncs128", "pairing_sae_ncs256"])
    func transcripts(_ name: String) throws {
        let vector = try vectors["pairing", name]
        let group: EllipticCurveGroup = try vector.number("csid") == 7 ? .p256 : .p384
        let (initiator, responder) = (try vector.nmi("initiator_nmi"), try vector.nmi("responder_nmi"))
        let password = try PasswordElement(
            password: SecretKey(copying: Array(vector.text("password").utf8)), group: group)
        let (x, y) = (try vector.octets("PT.x"), try vector.octets("PT.y"))
        #expect(password.coordinates.x.revealed == x && password.coordinates.y.revealed == y)
        let pwe = try password.element(between: initiator, and: responder, on: EllipticCurve(group))
        let (pweX, pweY) = (try vector.octets("PWE.x"), try vector.octets("PWE.y"))
        #expect(pwe.x.revealed == pweX && pwe.y.revealed == pweY)

        let sub = try SAECommitment(
            password, own: initiator, peer: responder, random: vector.secret("SUB_rand"),
            mask: vector.secret("SUB_mask"))
        let pub = try SAECommitment(
            password, own: responder, peer: initiator, random: vector.secret("PUB_rand"),
            mask: vector.secret("PUB_mask"))
        for (commit, side) in [(sub, "SUB"), (pub, "PUB")] {
            let scalar = try vector.octets("\(side)_scalar")
            let element = try vector.octets("\(side)_elem.x") + vector.octets("\(side)_elem.y")
            #expect(commit.scalar == scalar && commit.element == element)
        }
        let subKeys = try sub.agree(peerScalar: pub.scalar, peerElement: pub.element)
        let pubKeys = try pub.agree(peerScalar: sub.scalar, peerElement: sub.element)
        let (kck, pmk) = (try vector.secret("SAE_KCK"), try vector.secret("SAE_PMK_NPK"))
        let pmkid = try vector.octets("SAE_PMKID")
        for keys in [subKeys, pubKeys] {
            #expect(keys.confirmationKey == kck && keys.pmk == pmk && keys.pmkid == pmkid)
        }
        let subConfirm = try vector.octets("SUB_confirm_send-confirm1")
        let pubConfirm = try vector.octets("PUB_confirm_send-confirm1")
        let (subPublic, pubPublic) = (PublicCommit(sub), PublicCommit(pub))
        #expect(subKeys.confirm(sender: subPublic, receiver: pubPublic) == subConfirm)
        #expect(pubKeys.confirm(sender: pubPublic, receiver: subPublic) == pubConfirm)
        #expect(subKeys.verifies(confirm: pubConfirm, sender: pubPublic, receiver: subPublic))
        #expect(!subKeys.verifies(confirm: subConfirm, sender: pubPublic, receiver: subPublic))
    }

    @Test("the live capture's keys") func live() throws {
        let vector = try vectors["live"]
        let (sub, pub) = (NMI(MACAddress(bits: 0x4200_0000_0100)), NMI(MACAddress(bits: 0x4200_0000_0000)))
        let password = try PasswordElement(password: SecretKey(copying: Array("123456".utf8)), group: .p256)
        let one = try SAECommitment(
            password, own: sub, peer: pub, random: vector.secret("SUB rand"), mask: vector.secret("SUB mask"))
        let other = try SAECommitment(
            password, own: pub, peer: sub, random: vector.secret("PUB rand"), mask: vector.secret("PUB mask"))
        let keys = try one.agree(peerScalar: other.scalar, peerElement: other.element)
        let (kck, pmk) = (try vector.secret("SAE KCK"), try vector.secret("SAE PMK = NPK"))
        #expect(keys.confirmationKey == kck && keys.pmk == pmk)
    }

    private struct Pair {
        let one: SAECommitment
        let other: SAECommitment
        let password: PasswordElement

        init(_ group: EllipticCurveGroup, second: String = "123456") throws {
            password = try PasswordElement(password: SecretKey(copying: Array("123456".utf8)), group: group)
            var entropy = Entropy.seeded(UInt64(group.rawValue))
            let (a, b) = (NMI(MACAddress(bits: 0x02AA)), NMI(MACAddress(bits: 0x02BB)))
            let peerPassword = try PasswordElement(password: SecretKey(copying: Array(second.utf8)), group: group)
            one = try SAECommitment(
                password, own: a, peer: b, random: group.drawScalar(from: &entropy),
                mask: group.drawScalar(from: &entropy))
            other = try SAECommitment(
                peerPassword, own: b, peer: a, random: group.drawScalar(from: &entropy),
                mask: group.drawScalar(from: &entropy))
        }
    }

    @Test(
        "another password gives other keys and a confirm that does not verify", arguments: EllipticCurveGroup.allCases)
    func wrongPassword(_ group: EllipticCurveGroup) throws {
        let pair = try Pair(group, second: "123457")
        let mine = try pair.one.agree(peerScalar: pair.other.scalar, peerElement: pair.other.element)
        let theirs = try pair.other.agree(peerScalar: pair.one.scalar, peerElement: pair.one.element)
        #expect(mine.pmk != theirs.pmk && mine.pmkid == theirs.pmkid)
        let (sender, receiver) = (PublicCommit(pair.other), PublicCommit(pair.one))
        let confirm = theirs.confirm(sender: sender, receiver: receiver)
        #expect(!mine.verifies(confirm: confirm, sender: sender, receiver: receiver))
    }

    @Test("a commit that is no commit is refused for what it is", arguments: EllipticCurveGroup.allCases)
    func refused(_ group: EllipticCurveGroup) throws {
        let pair = try Pair(group)
        let (scalar, element) = (pair.other.scalar, pair.other.element)
        func agree(_ scalar: [UInt8], _ element: [UInt8]) throws(SAEFailure) {
            _ = try pair.one.agree(peerScalar: scalar, peerElement: element)
        }
        #expect(throws: SAEFailure.reflected) { try agree(pair.one.scalar, pair.one.element) }
        #expect(throws: SAEFailure.reflected) { try agree(pair.one.scalar, element) }
        #expect(throws: SAEFailure.reflected) { try agree(scalar, pair.one.element) }
        let length = group.coordinateLength
        for number in [UInt8(0), 1] {
            let small = [UInt8](repeating: 0, count: length - 1) + [number]
            #expect(throws: SAEFailure.invalidScalar) { try agree(small, element) }
        }
        #expect(throws: SAEFailure.invalidScalar) { try agree([UInt8](repeating: 0xFF, count: length), element) }
        #expect(throws: SAEFailure.invalidScalar) { try agree(Array(scalar.dropLast()), element) }
        #expect(throws: SAEFailure.invalidElement) { try agree(scalar, Array(element.dropLast())) }
        #expect(throws: SAEFailure.invalidElement) { try agree(scalar, [UInt8](repeating: 0, count: 2 * length)) }
        var offCurve = element
        offCurve[5] ^= 1
        #expect(throws: SAEFailure.invalidElement) { try agree(scalar, offCurve) }
    }

    @Test("an element that cancels the scalar's point out is refused", arguments: EllipticCurveGroup.allCases)
    func infinity(_ group: EllipticCurveGroup) throws {
        let pair = try Pair(group)
        let curve = try EllipticCurve(group)
        let scalar = SecretKey(count: group.coordinateLength) { $0[$0.count - 1] = 5 }
        let pwe = try pair.password.element(
            between: NMI(MACAddress(bits: 0x02AA)), and: NMI(MACAddress(bits: 0x02BB)), on: curve)
        let element = try curve.negate(curve.multiply(scalar, pwe)).publicCoordinates
        #expect(throws: SAEFailure.noSharedKey) {
            try pair.one.agree(peerScalar: scalar.revealed, peerElement: element)
        }
    }

    @Test("random numbers out of range make no commit") func badNumbers() throws {
        let password = try PasswordElement(password: SecretKey(copying: Array("123456".utf8)), group: .p256)
        let (a, b) = (NMI(MACAddress(bits: 1)), NMI(MACAddress(bits: 2)))
        let good = SecretKey(copying: [UInt8](repeating: 7, count: 32))
        for bad in [[UInt8](repeating: 0, count: 32), [UInt8](repeating: 0xFF, count: 32), [7]] {
            #expect(throws: CryptoError.scalarOutOfRange) {
                try SAECommitment(password, own: a, peer: b, random: SecretKey(copying: bad), mask: good)
            }
            #expect(throws: CryptoError.scalarOutOfRange) {
                try SAECommitment(password, own: a, peer: b, random: good, mask: SecretKey(copying: bad))
            }
        }
    }
}
