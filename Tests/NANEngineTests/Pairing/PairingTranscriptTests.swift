import Cryptography
import Dot11Frames
import NANEngine
import NANFrames
import NANSecurity
import Octets
import Ports
import Testing

/// Each role, driven by the other's recorded frames alone, has to send the recorded ones octet for octet.
@Suite("Pairing transcripts") struct PairingTranscriptTests {
    enum Exchange: String, Sendable {
        case pairing
        case verification
    }

    /// Where a transcript's numbers are.
    struct Source: Sendable, CustomTestStringConvertible {
        let name: String
        let exchange: Exchange
        var testDescription: String { "\(name), \(exchange.rawValue)" }

        static let all = ["pairing_sae_ncs128", "pairing_sae_ncs256", "pairing_opportunistic_ncs128", "live"]
            .flatMap { name in [Exchange.pairing, .verification].map { Source(name: name, exchange: $0) } }
    }

    /// One exchange with everything that was random in it.
    struct Transcript {
        let initiator: PairingParameters
        let responder: PairingParameters
        let initiatorEntropy: Entropy
        let responderEntropy: Entropy
        /// Bodies of frames 1 to 3.
        let frames: [[UInt8]]
        /// Of both sides, in setup.
        let descriptors: [SharedKeyDescriptor]
        let managementKey: SecretKey
        let dataPathPMK: SecretKey
        let npk: SecretKey
    }

    private let vectors: PairingVectors
    private let initiatorNIK = SecretKey(copying: Array(0xB0...0xBF))
    private let responderNIK = SecretKey(copying: Array(0xA0...0xAF))
    private let password = SecretKey(copying: Array("123456".utf8))

    init() throws { vectors = try PairingVectors() }

    private func transcript(_ source: Source) throws -> Transcript {
        source.name == "live" ? try live(source.exchange) : try recorded(source)
    }

    private func recorded(_ source: Source) throws -> Transcript {
        let path = "pairing|\(source.name)|"
        let part = path + source.exchange.rawValue + "|"
        let isVerification = source.exchange == .verification
        let is256 = source.name.hasSuffix("256")
        let akm: PairingAKM = source.name.contains("sae") ? .sae : .opportunistic
        let npk = try vectors.secret(path + "pairing|NPK")
        func authentication(_ peer: SecretKey) throws -> PairingParameters.Authentication {
            if isVerification {
                return .cached(npk: npk, akm: akm, peerIdentity: try #require(IdentityKey(peer)))
            }
            guard akm == .sae else { return .opportunistic }
            return .password([try PasswordElement(password: password, group: is256 ? .p384 : .p256)])
        }
        func entropy(_ side: String, _ nonce: String) throws -> Entropy {
            var scripts = ["ephemeral": try vectors.octets(part + "\(side)_ECDH_priv")]
            if isVerification {
                scripts["nira"] = try vectors.octets(part + nonce)
            } else if akm == .sae {
                scripts["sae"] = try vectors.octets(path + "\(side)_rand") + vectors.octets(path + "\(side)_mask")
            }
            return .scripted(byLabel: scripts)
        }
        func side(
            _ own: UInt64, _ peer: UInt64, _ handle: UInt8, _ nik: SecretKey, _ peerNIK: SecretKey, _ npba: String
        )
            throws -> PairingParameters
        {
            PairingParameters(
                own: NMI(MACAddress(bits: own)), peer: NMI(MACAddress(bits: peer)), instance: InstanceID(handle),
                authentication: try authentication(peerNIK), suites: [is256 ? .ncsPKPASN256 : .ncsPKPASN128],
                bootstrapping: try vectors.bootstrapping(vectors.octets(path + npba)),
                identity: try #require(IdentityKey(nik)))
        }
        let (phone, board) = (UInt64(0x02BB_BBBB_BBBB), UInt64(0x02AA_AAAA_AAAA))
        return Transcript(
            initiator: try side(phone, board, 1, initiatorNIK, responderNIK, "bootstrap_attr_0"),
            responder: try side(
                board, phone, 5, responderNIK, initiatorNIK, akm == .sae ? "bootstrap_attr_2" : "bootstrap_attr_0"),
            initiatorEntropy: try entropy("SUB", "NIRA_nonce"), responderEntropy: try entropy("PUB", "NIRA_nonce_2"),
            frames: try (1...3).map { try vectors.body(part + "frame\($0)") },
            descriptors: isVerification
                ? [] : try ["SKDA_attr", "SKDA_attr_2"].map { try vectors.sharedKey(vectors.octets(part + $0)) },
            managementKey: try vectors.secret(part + "NM-TK"), dataPathPMK: try vectors.secret(part + "ND-PMK"),
            npk: npk)
    }

    private func live(_ exchange: Exchange) throws -> Transcript {
        let isVerification = exchange == .verification
        let prefix = isVerification ? "live|verify_" : "live|"
        let npk = try vectors.secret("live|SAE PMK = NPK")
        func authentication(_ peer: SecretKey) throws -> PairingParameters.Authentication {
            isVerification
                ? .cached(npk: npk, akm: .sae, peerIdentity: try #require(IdentityKey(peer)))
                : .password([try PasswordElement(password: password, group: .p256)])
        }
        func entropy(_ side: String) throws -> Entropy {
            var scripts = ["ephemeral": try vectors.octets(prefix + "\(side) ECDH priv")]
            if isVerification {
                scripts["nira"] = Array(try vectors.octets("live|verify_\(side) auth nonce/tag").prefix(8))
            } else {
                scripts["sae"] = try vectors.octets("live|\(side) rand") + vectors.octets("live|\(side) mask")
            }
            return .scripted(byLabel: scripts)
        }
        func side(_ own: UInt64, _ peer: UInt64, _ nik: SecretKey, _ peerNIK: SecretKey, _ npba: String) throws
            -> PairingParameters
        {
            PairingParameters(
                own: NMI(MACAddress(bits: own)), peer: NMI(MACAddress(bits: peer)),
                instance: InstanceID(isVerification ? 2 : 1), authentication: try authentication(peerNIK),
                suites: [.ncsPKPASN128], capabilities: .init(groupKeySupport: .gtkAndIGTK),
                bootstrapping: try vectors.bootstrapping(try #require([UInt8](hex: npba))),
                identity: try #require(IdentityKey(nik)))
        }
        let (phone, board) = (UInt64(0x4200_0000_0100), UInt64(0x4200_0000_0000))
        return Transcript(
            initiator: try side(phone, board, initiatorNIK, responderNIK, "2c05000101002000"),
            responder: try side(board, phone, responderNIK, initiatorNIK, "2c0a000121000438fc76a72000"),
            initiatorEntropy: try entropy("SUB"), responderEntropy: try entropy("PUB"),
            frames: try (1...3).map { try vectors.body("live|" + (isVerification ? "vauth" : "auth") + "\($0)") },
            descriptors: isVerification
                ? [] : try ["live|nik_sub", "live|nik_pub"].map { try vectors.sharedKey(inFollowUp: $0) },
            managementKey: try vectors.secret(prefix + "NM-TK"), dataPathPMK: try vectors.secret(prefix + "ND-PMK"),
            npk: npk)
    }

    private func expected(
        _ transcript: Transcript, _ parameters: PairingParameters, _ peer: NMI
    ) -> [PairingMachine.Effect] {
        let is256 = parameters.suites == [.ncsPKPASN256]
        let isVerification = transcript.descriptors.isEmpty
        let akm: PairingAKM =
            switch parameters.authentication {
            case .password: .sae
            case .opportunistic: .opportunistic
            case .cached(_, let akm, _): akm
            }
        return [
            .installManagementKey(
                peer, PairwiseKey(cipher: is256 ? .gcmp256 : .ccmp128, key: transcript.managementKey)),
            .authenticated(
                peer,
                AuthenticatedPairing(
                    cipherSuite: parameters.suites[0], akm: akm, isVerification: isVerification,
                    dataPathMasterKey: DataPathMasterKey(transcript.dataPathPMK), exchangesIdentities: !isVerification)),
        ]
    }

    private func credential(
        _ transcript: Transcript, _ parameters: PairingParameters, peer: SecretKey
    ) -> PairingCredential {
        var akm = PairingAKM.sae
        if case .opportunistic = parameters.authentication { akm = .opportunistic }
        return PairingCredential(
            peerNIK: peer, npk: transcript.npk, akm: akm, cipherSuite: parameters.suites[0], lifetime: .seconds(43_200))
    }

    @Test("the initiator sends what was recorded", arguments: Source.all) func initiator(_ source: Source) throws {
        let transcript = try transcript(source)
        let peer = transcript.initiator.peer
        var rig = PairingRig(entropy: transcript.initiatorEntropy)
        let first = rig.handle(.start(transcript.initiator))
        #expect(first.frames.map(\.hex) == [transcript.frames[0].hex])
        let third = rig.handle(.received(transcript.frames[1], from: peer))
        #expect(third.frames.map(\.hex) == [transcript.frames[2].hex])
        let token = try #require(third.token)
        let done = rig.handle(.transmitted(token, acknowledged: true))
        #expect(done == expected(transcript, transcript.initiator, peer))
        guard !transcript.descriptors.isEmpty else { return }
        #expect(rig.pass(.milliseconds(30) - .nanoseconds(1)) == [])
        #expect(rig.pass(.nanoseconds(1)) == [.sendSharedKey(transcript.descriptors[0], to: peer)])
        let end = rig.handle(.receivedSharedKey(transcript.descriptors[1], from: peer))
        #expect(end == [.completed(peer, credential(transcript, transcript.initiator, peer: responderNIK))])
    }

    @Test("the responder sends what was recorded", arguments: Source.all) func responder(_ source: Source) throws {
        let transcript = try transcript(source)
        let peer = transcript.responder.peer
        var rig = PairingRig(entropy: transcript.responderEntropy)
        #expect(rig.handle(.arm(transcript.responder)) == [.ready(peer)])
        let second = rig.handle(.received(transcript.frames[0], from: peer))
        #expect(second.frames.map(\.hex) == [transcript.frames[1].hex])
        var isGuess = false
        if case .password = transcript.responder.authentication { isGuess = true }
        #expect(second.guesses == (isGuess ? 1 : 0) && second.count == (isGuess ? 2 : 1))
        let done = rig.handle(.received(transcript.frames[2], from: peer))
        #expect(done == expected(transcript, transcript.responder, peer))
        guard !transcript.descriptors.isEmpty else { return }
        let end = rig.handle(.receivedSharedKey(transcript.descriptors[0], from: peer))
        #expect(
            end == [
                .sendSharedKey(transcript.descriptors[1], to: peer),
                .completed(peer, credential(transcript, transcript.responder, peer: initiatorNIK)),
            ])
    }

    @Test("a changed octet anywhere in frame 2 or 3 is noticed", arguments: [2, 3]) func tampered(_ number: Int) throws
    {
        let transcript = try transcript(Source(name: "live", exchange: .verification))
        let frame = transcript.frames[number - 1]
        // The first four octets say which frame of what it is, and others are not let near the session.
        for offset in 4..<frame.count {
            var octets = frame
            octets[offset] ^= 0x80
            if number == 2 {
                var rig = PairingRig(entropy: transcript.initiatorEntropy)
                _ = rig.handle(.start(transcript.initiator))
                let effects = rig.handle(.received(octets, from: transcript.initiator.peer))
                #expect(effects.authentications.isEmpty && effects.failures.count + effects.rejections.count == 1)
            } else {
                var rig = PairingRig(entropy: transcript.responderEntropy)
                _ = rig.handle(.arm(transcript.responder))
                _ = rig.handle(.received(transcript.frames[0], from: transcript.responder.peer))
                let effects = rig.handle(.received(octets, from: transcript.responder.peer))
                #expect(effects.authentications.isEmpty && effects.failures.count + effects.rejections.count == 1)
            }
        }
    }
}
