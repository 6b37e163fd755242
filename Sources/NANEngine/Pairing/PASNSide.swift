internal import Cryptography
internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

/// Where a session's random numbers come from, each kind from a stream of its own.
struct PairingEntropy: Sendable {
    /// Private values of the ephemeral keys.
    var ephemeral: Entropy
    /// SAE's random and mask, in this order.
    var sae: Entropy
    /// NIRA nonces.
    var nonce: Entropy

    init(_ entropy: Entropy) {
        ephemeral = entropy.fork(label: "ephemeral")
        sae = entropy.fork(label: "sae")
        nonce = entropy.fork(label: "nira")
    }
}

/// Hands out the numbers by which answers find back.
struct PairingNumbers: Sendable {
    private var lastJob: UInt64 = 0
    private var lastToken: UInt64 = 0

    mutating func job() -> CryptoJobID {
        lastJob += 1
        return CryptoJobID(lastJob)
    }

    mutating func token() -> UInt64 {
        lastToken += 1
        return lastToken
    }
}

/// One side's numbers for one suite, computed before they are needed.
struct PASNOffer: Equatable, Sendable {
    let composer: PASNComposer
    let privateKey: SecretKey
    private let keyJob: CryptoJobID
    private let commitJob: CryptoJobID?
    private(set) var publicKey: EllipticCurvePoint?
    private(set) var commit: SAECommitment?

    /// Draws what this suite needs and asks for the curve's part of it.
    init(
        _ parameters: PairingParameters, _ suite: CipherSuiteID, _ strength: SuiteStrength,
        identity: IdentityResolution?, _ entropy: inout PairingEntropy, _ numbers: inout PairingNumbers,
        _ effects: inout [PairingMachine.Effect]
    ) {
        composer = PASNComposer(parameters: parameters, suite: suite, strength: strength, identity: identity)
        privateKey = strength.group.drawScalar(from: &entropy.ephemeral)
        let id = numbers.job()
        keyJob = id
        effects.append(.crypto(CryptoJob(id: id, work: .publicKey(privateKey: privateKey, strength.group))))
        guard let password = parameters.passwordElement(of: suite) else {
            commitJob = nil
            return
        }
        let random = strength.group.drawScalar(from: &entropy.sae)
        let mask = strength.group.drawScalar(from: &entropy.sae)
        let commitID = numbers.job()
        commitJob = commitID
        effects.append(
            .crypto(
                CryptoJob(
                    id: commitID,
                    work: .commit(
                        password, own: parameters.own, peer: parameters.peer, random: random, mask: mask))))
    }

    /// Everything asked for has come.
    var isReady: Bool { publicKey != nil && (commitJob == nil || commit != nil) }

    /// Takes a result that was asked for here.
    ///
    /// - Returns: false for somebody else's.
    mutating func take(_ result: CryptoResult) throws(PairingFailure.Reason) -> Bool {
        guard result.id == keyJob || result.id == commitJob else { return false }
        switch result.outcome {
        case .publicKey(let point): publicKey = point
        case .commit(let commit): self.commit = commit
        case .failed(let error): throw .crypto(error)
        case .passwordElement, .agreedSAE, .agreedKeys, .refusedPeer: return false
        }
        return true
    }
}

/// The wait for both agreements with a peer: SAE's, if there is one, and the ephemeral keys'.
struct PASNAgreement: Equatable, Sendable {
    let frame: PASNFrame
    let proposal: PASNFrame.Proposal
    private let keysJob: CryptoJobID
    private let saeJob: CryptoJobID?
    private var sharedSecret: SecretKey?
    private var sae: SAEKeys?

    init(
        _ frame: PASNFrame, _ proposal: PASNFrame.Proposal, _ offer: PASNOffer, _ numbers: inout PairingNumbers,
        _ effects: inout [PairingMachine.Effect]
    ) {
        self.frame = frame
        self.proposal = proposal
        let id = numbers.job()
        keysJob = id
        if let commit = offer.commit, let theirs = proposal.commit {
            let saeID = numbers.job()
            saeJob = saeID
            effects.append(.crypto(CryptoJob(id: saeID, work: .agreeSAE(commit, peer: PublicCommit(theirs)))))
        } else {
            saeJob = nil
        }
        effects.append(
            .crypto(
                CryptoJob(
                    id: id,
                    work: .agreeKeys(
                        privateKey: offer.privateKey, peerPublicKey: proposal.publicKey, proposal.strength.group))))
    }

    /// Takes a result that was asked for here.
    ///
    /// - Returns: false for somebody else's.
    mutating func take(_ result: CryptoResult) throws(PairingFailure.Reason) -> Bool {
        guard result.id == keysJob || result.id == saeJob else { return false }
        switch result.outcome {
        case .agreedKeys(let secret): sharedSecret = secret
        case .agreedSAE(let keys): sae = keys
        case .refusedPeer(let failure): throw .invalidNumbers(failure)
        case .failed(let error): throw .crypto(error)
        case .passwordElement, .publicKey, .commit: return false
        }
        return true
    }

    /// The exchange's keys, once both agreements are there.
    func keys(_ composer: PASNComposer, initiator: NMI, responder: NMI) -> (pasn: PASNKeys, sae: SAEKeys?)? {
        guard let sharedSecret else { return nil }
        let pmk: SecretKey
        switch composer.parameters.authentication {
        case .password:
            guard let sae else { return nil }
            pmk = sae.pmk
        case .opportunistic: pmk = PASNKeys.opportunisticPMK
        case .cached(let npk, _, _): pmk = npk
        }
        let keys = PASNKeys(
            pmk: pmk, sharedSecret: sharedSecret, initiator: initiator, responder: responder,
            suite: composer.pasnSuite)
        return (keys, sae)
    }
}

/// What either side's PASN leaves.
struct PASNOutcome: Equatable, Sendable {
    let composer: PASNComposer
    let keys: PASNKeys
    let sae: SAEKeys?
    /// Absent when the peer did not say.
    let peerCapability: DeviceCapabilityExtension?

    private var parameters: PairingParameters { composer.parameters }

    /// NIKs are exchanged in setup, where both sides keep pairings.
    var exchangesIdentities: Bool {
        !parameters.isVerification && parameters.capabilityExtension.pairing.contains(.cachingEnabled)
            && (peerCapability?.pairing.contains(.cachingEnabled) ?? true)
    }

    var npk: SecretKey { sae?.pmk ?? keys.opportunisticPairingKey }

    var managementKey: PairwiseKey {
        PairwiseKey(cipher: composer.strength == .bits128 ? .ccmp128 : .gcmp256, key: keys.managementKey)
    }

    var report: AuthenticatedPairing {
        AuthenticatedPairing(
            cipherSuite: composer.suite, akm: parameters.akm, isVerification: parameters.isVerification,
            dataPathMasterKey: DataPathMasterKey(keys.dataPathPMK), exchangesIdentities: exchangesIdentities)
    }
}

extension PairingParameters {
    /// Our NIRA for a verification; nil in setup.
    func freshIdentity(_ entropy: inout PairingEntropy) -> IdentityResolution? {
        guard isVerification else { return nil }
        let nonce = entropy.nonce.octets(IdentityKey.nonceLength)
        return IdentityResolution(nonce: nonce, tag: identity.tag(for: own, nonce: nonce))
    }

    /// Whether a frame's identity is the one that a verification is with; nothing to check in setup.
    func accepts(_ identity: IdentityResolution?) -> Bool {
        guard case .cached(_, _, let peerIdentity) = authentication else { return identity == nil }
        guard let identity, identity.cipherVersion == 0 else { return false }
        return peerIdentity.verifies(tag: identity.tag, for: peer, nonce: identity.nonce)
    }
}
