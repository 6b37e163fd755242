internal import Cryptography
internal import NANFrames
internal import NANSecurity

/// One side's numbers for one suite, computed before they are needed.
struct PASNOffer: Equatable, Sendable {
    let composer: PASNComposer
    let privateKey: SecretKey
    /// Nil when the key was there already.
    private let keyJob: CryptoJobID?
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
        if parameters.isVerification, let pair = entropy.spares.take(strength.group) {
            privateKey = pair.privateKey
            publicKey = pair.publicKey
            keyJob = nil
        } else {
            privateKey = strength.group.drawScalar(from: &entropy.ephemeral)
            let id = numbers.job()
            keyJob = id
            effects.append(.crypto(CryptoJob(id: id, work: .publicKey(privateKey: privateKey, strength.group))))
        }
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
