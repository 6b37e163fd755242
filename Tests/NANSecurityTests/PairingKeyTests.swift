import Cryptography
import NANFrames
import NANSecurity
import Octets
import Testing

@Suite("Keys of pairings") struct PairingKeyTests {
    private let vectors: Vectors
    init() throws { vectors = try Vectors.load() }

    @Test("PASN PTK of 802.11-2024 J.12") func annexJ() throws {
        let vector = try vectors["pasn_j12"]
        let keys = try PASNKeys(
            pmk: vector.secret("PMK"), sharedSecret: vector.secret("DHss"), initiator: vector.nmi("SPA"),
            responder: vector.nmi("BSSID"), suite: PASNSuite(.opportunistic, .bits128))
        let (tk, kdk) = (try vector.secret("TK"), try vector.secret("KDK"))
        #expect(keys.managementKey == tk && keys.derivationKey == kdk)
    }

    struct Transcript: Sendable {
        let pairing: String
        let exchange: String
        let akm: PairingAKM
    }

    static let transcripts = [
        ("pairing_sae_ncs128", PairingAKM.sae), ("pairing_sae_ncs256", .sae),
        ("pairing_opportunistic_ncs128", .opportunistic),
    ].flatMap { name, akm in
        ["pairing", "verification"].map { Transcript(pairing: name, exchange: $0, akm: akm) }
    }

    /// What frame 2's MIC covers in front of the body, by element ID.
    private func securityElements(_ body: [UInt8]) -> [UInt8] {
        var (offset, found) = (6, [UInt8]())
        while offset + 1 < body.count {
            let end = offset + 2 + Int(body[offset + 1])
            if body[offset] == 48 || body[offset] == 244 { found += body[offset..<end] }
            offset = end
        }
        return found
    }

    @Test("every transcript's keys and MICs", arguments: transcripts) func transcript(_ which: Transcript) throws {
        let pairing = try vectors["pairing", which.pairing]
        let vector = try pairing[which.exchange]
        let strength: SuiteStrength = try pairing.number("csid") == 7 ? .bits128 : .bits256
        let suite = PASNSuite(which.akm, strength)
        let keys = try PASNKeys(
            pmk: vector.secret("PMK"), sharedSecret: vector.secret("DHss"), initiator: pairing.nmi("initiator_nmi"),
            responder: pairing.nmi("responder_nmi"), suite: suite)
        let (tk, kdk, pmk) = (try vector.secret("NM-TK"), try vector.secret("KDK"), try vector.secret("ND-PMK"))
        #expect(keys.managementKey == tk && keys.derivationKey == kdk && keys.dataPathPMK == pmk)
        if which.exchange == "pairing" {
            let (kek, npk) = (try vector.secret("NM-KEK"), try vector.secret("NPK"))
            #expect(keys.keyEncryptionKey == kek)
            if which.akm == .opportunistic {
                #expect(keys.opportunisticPairingKey == npk)
                let opportunistic = try vector.secret("PMK")
                #expect(PASNKeys.opportunisticPMK == opportunistic)
            }
        }

        let first = try vector.body("frame1")
        for (frame, name) in [(2, "MIC2"), (3, "MIC3")] {
            let mic = try vector.octets(name)
            var body = try vector.body("frame\(frame)")
            #expect(Array(body.suffix(mic.count)) == mic && mic.count == suite.micLength)
            body.replaceSubrange(body.count - mic.count..<body.count, with: [UInt8](repeating: 0, count: mic.count))
            if frame == 2 {
                let elements = securityElements(body)
                #expect(keys.verifies(secondFrameMIC: mic, securityElements: elements, body: body))
                #expect(!keys.verifies(secondFrameMIC: mic, securityElements: elements, body: body + [0]))
                #expect(!keys.verifies(secondFrameMIC: Array(mic.dropLast()), securityElements: elements, body: body))
            } else {
                #expect(keys.verifies(thirdFrameMIC: mic, firstBody: first, body: body))
                #expect(!keys.verifies(thirdFrameMIC: mic, firstBody: first + [0], body: body))
            }
        }

        let group = strength.group
        let privateKeys = (try vector.secret("SUB_ECDH_priv"), try vector.secret("PUB_ECDH_priv"))
        let curve = try EllipticCurve(group)
        let shared = try curve.multiply(privateKeys.0, curve.publicKey(of: privateKeys.1)).x
        let expected = try vector.secret("DHss")
        #expect(shared == expected)
    }

    @Test("an opportunistic pairing of 256 bits has SHA-384 and a MIC of 24 octets") func longMIC() {
        #expect(PASNSuite(.opportunistic, .bits256).micLength == 24)
        #expect(PASNSuite(.sae, .bits256).micLength == 16)
        #expect(PASNSuite(.sae, .bits256).hash == .sha256)
    }

    @Test(
        "NIRA tags of every verification resolve with their sender's key alone",
        arguments: [
            "pairing_sae_ncs128", "pairing_sae_ncs256", "pairing_opportunistic_ncs128",
        ])
    func tags(_ name: String) throws {
        let pairing = try vectors["pairing", name]
        let vector = try pairing["verification"]
        let sub = try #require(IdentityKey(pairing.secret("initiator_nik")))
        let pub = try #require(IdentityKey(pairing.secret("responder_nik")))
        let (subNMI, pubNMI) = (try pairing.nmi("initiator_nmi"), try pairing.nmi("responder_nmi"))
        let (subNonce, subTag) = (try vector.octets("NIRA_nonce"), try vector.octets("NIRA_tag"))
        let (pubNonce, pubTag) = (try vector.octets("NIRA_nonce_2"), try vector.octets("NIRA_tag_2"))
        #expect(sub.tag(for: subNMI, nonce: subNonce) == subTag)
        #expect(pub.verifies(tag: pubTag, for: pubNMI, nonce: pubNonce))
        #expect(!pub.verifies(tag: subTag, for: subNMI, nonce: subNonce))
        #expect(!sub.verifies(tag: subTag, for: pubNMI, nonce: subNonce))
        #expect(!sub.verifies(tag: subTag, for: subNMI, nonce: pubNonce))
    }

    @Test("the NIRA tag of a fixed nonce") func fixedTag() throws {
        let key = SecretKey(copying: Array(0xB0...0xBF))
        let nik = try #require(IdentityKey(key))
        let tag = nik.tag(for: NMI(MACAddress(bits: 0x02BB_BBBB_BBBB)), nonce: Array(1...8))
        #expect(tag == [UInt8](hex: "ea90b5cd15eb88df"))
        #expect(IdentityKey(SecretKey(copying: [1])) == nil)
    }

    @Test("live NIRA tags") func liveTags() throws {
        let live = try vectors["live"]
        let niks = [SecretKey(copying: Array(0xB0...0xBF)), SecretKey(copying: Array(0xA0...0xAF))]
        for (name, nmi, index) in [
            ("verify_SUB auth nonce/tag", UInt64(0x4200_0000_0100), 0),
            ("verify_PUB auth nonce/tag", 0x4200_0000_0000, 1),
            ("verify_PUB SDF NIRA nonce/tag", 0x4200_0000_0000, 1),
        ] {
            let octets = try live.octets(name)
            let nik = try #require(IdentityKey(niks[index]))
            #expect(nik.verifies(tag: Array(octets[8...]), for: NMI(MACAddress(bits: nmi)), nonce: Array(octets[..<8])))
        }
    }

    @Test("live pairing and verification keys", arguments: ["", "verify_"]) func live(_ prefix: String) throws {
        let live = try vectors["live"]
        let keys = try PASNKeys(
            pmk: live.secret("SAE PMK = NPK"), sharedSecret: live.secret(prefix + "DHss"),
            initiator: NMI(MACAddress(bits: 0x4200_0000_0100)), responder: NMI(MACAddress(bits: 0x4200_0000_0000)),
            suite: PASNSuite(.sae, .bits128))
        let tk = try live.secret(prefix + "NM-TK")
        let (kdk, pmk) = (try live.secret(prefix + "KDK"), try live.secret(prefix + "ND-PMK"))
        #expect(keys.managementKey == tk && keys.derivationKey == kdk && keys.dataPathPMK == pmk)
        if prefix.isEmpty {
            let kek = try live.secret("NM-KEK")
            #expect(keys.keyEncryptionKey == kek)
        }
    }
}
