internal import Cryptography
internal import NANFrames
internal import NANSecurity

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
