internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets

/// The responder of PASN, armed for one peer: sends frame 2.
///
/// Frame 2 holds the responder's confirm, so whoever gets one has had a guess at the PIN. One commit is answered, ever:
/// its repeat gets the same frame 2 again, another commit gets nothing.
struct PASNResponder: Sendable {
    private struct Answer: Equatable {
        var second: Retransmission
        let first: [UInt8]
        let commit: PublicCommit?
        let own: PublicCommit?
        let outcome: PASNOutcome
    }

    private enum State: Equatable {
        case armed
        /// Frame 1 is here, the own numbers for its suite are not.
        case preparing(PASNFrame, PASNFrame.Proposal)
        case agreeing(PASNAgreement)
        case answered(Answer)
        case ended
    }

    /// From a frame 2 that was not acknowledged to the next one.
    ///
    /// It may have come all the same, and hostap gives the pairing up when it gets another. If it came, frame 3 is here by
    /// then.
    private static let pause: Duration = .milliseconds(300)

    let parameters: PairingParameters
    private var offers: [PASNOffer] = []
    private var state = State.armed
    /// What came of it; nil while it is going on.
    private(set) var result: Result<PASNOutcome, PairingFailure>?

    init(
        _ parameters: PairingParameters, _ entropy: inout PairingEntropy, _ numbers: inout PairingNumbers,
        _ effects: inout [PairingMachine.Effect]
    ) {
        self.parameters = parameters
        let identity = parameters.freshIdentity(&entropy)
        for suite in parameters.usableSuites {
            guard let strength = suite.pairingStrength else { continue }
            offers.append(
                PASNOffer(parameters, suite, strength, identity: identity, &entropy, &numbers, &effects))
        }
    }

    /// No frame 1 was taken up yet.
    var isArmed: Bool { state == .armed }

    /// The frame 1 that is or was dealt with.
    var firstFrame: [UInt8]? {
        switch state {
        case .armed, .ended: nil
        case .preparing(let frame, _): frame.octets
        case .agreeing(let agreement): agreement.frame.octets
        case .answered(let answer): answer.first
        }
    }

    var nextDeadline: MonotonicInstant? {
        if case .answered(let answer) = state { answer.second.deadline } else { nil }
    }

    /// Whether this is what the responder was armed for.
    func serves(_ proposal: PASNFrame.Proposal) -> Bool {
        (proposal.identity != nil) == parameters.isVerification
    }

    /// Takes frame 1 up, in the armed state.
    mutating func begin(
        _ frame: PASNFrame, _ proposal: PASNFrame.Proposal, _ numbers: inout PairingNumbers, now: MonotonicInstant
    ) -> [PairingMachine.Effect] {
        guard proposal.akm == parameters.akm else { return refuse(.mismatch("AKM")) }
        guard let offer = offers.first(where: { $0.composer.suite == proposal.suite }) else {
            return refuse(.mismatch("cipher suite"))
        }
        guard parameters.accepts(proposal.identity) else { return refuse(.wrongSecret) }
        guard offer.isReady else {
            state = .preparing(frame, proposal)
            return []
        }
        return agree(frame, proposal, offer, &numbers)
    }

    /// Answers a frame 1 that nothing was computed for with a status, and stays armed: nobody has had a guess.
    func refuse(_ reason: PairingFailure.Reason) -> [PairingMachine.Effect] {
        var effects = [PairingMachine.Effect.rejected(parameters.peer, reason)]
        if let composer = offers.first?.composer {
            let abort = composer.abort(
                sequence: 2, reason == .unsupportedGroup ? .unsupportedGroup : .unspecifiedFailure)
            effects.append(.transmit(abort, to: parameters.peer, token: PairingMachine.unwatchedToken))
        }
        return effects
    }

    private mutating func agree(
        _ frame: PASNFrame, _ proposal: PASNFrame.Proposal, _ offer: PASNOffer, _ numbers: inout PairingNumbers
    ) -> [PairingMachine.Effect] {
        var effects: [PairingMachine.Effect] = []
        state = .agreeing(PASNAgreement(frame, proposal, offer, &numbers, &effects))
        return effects
    }

    mutating func receive(
        _ crypto: CryptoResult, _ numbers: inout PairingNumbers, now: MonotonicInstant
    ) -> [PairingMachine.Effect] {
        do throws(PairingFailure.Reason) {
            for index in offers.indices {
                guard try offers[index].take(crypto) else { continue }
                if state == .armed { return offers.allSatisfy(\.isReady) ? [.ready(parameters.peer)] : [] }
                guard case .preparing(let frame, let proposal) = state,
                    offers[index].composer.suite == proposal.suite, offers[index].isReady
                else { return [] }
                return agree(frame, proposal, offers[index], &numbers)
            }
            guard case .agreeing(var agreement) = state, try agreement.take(crypto) else { return [] }
            state = .agreeing(agreement)
            return answer(agreement, &numbers, now: now)
        } catch {
            return fail(error)
        }
    }

    private mutating func answer(
        _ agreement: PASNAgreement, _ numbers: inout PairingNumbers, now: MonotonicInstant
    ) -> [PairingMachine.Effect] {
        guard let offer = offers.first(where: { $0.composer.suite == agreement.proposal.suite }),
            let publicKey = offer.publicKey,
            let keys = agreement.keys(offer.composer, initiator: parameters.peer, responder: parameters.own)
        else { return [] }
        var effects: [PairingMachine.Effect] = []
        let theirs = agreement.proposal.commit.map { PublicCommit($0) }
        var wrapped: (commit: SAECommitment, confirm: [UInt8], pmkid: [UInt8])?
        if let sae = keys.sae, let commit = offer.commit, let theirs {
            wrapped = (commit, sae.confirm(sender: PublicCommit(commit), receiver: theirs), sae.pmkid)
            // In front of the frame: once it is gone the guess is made, whatever becomes of us.
            effects.append(.guessAnswered(parameters.peer))
        }
        let frame = offer.composer.frame2(publicKey: publicKey, sae: wrapped, keys: keys.pasn)
        // Without an interval: the initiator repeats frame 1 when frame 2 does not come.
        let second = Retransmission(frame, token: numbers.token(), interval: nil, pause: Self.pause, now: now)
        let outcome = PASNOutcome(
            composer: offer.composer, keys: keys.pasn, sae: keys.sae,
            peerCapability: agreement.frame.attributes.deviceCapabilityExtension)
        state = .answered(
            Answer(
                second: second, first: agreement.frame.octets, commit: theirs,
                own: offer.commit.map { PublicCommit($0) }, outcome: outcome))
        return effects + [.transmit(frame, to: parameters.peer, token: second.token)]
    }

    /// The peer repeats its frame 1: the cached answer, if there is one already.
    mutating func repeatAnswer(_ numbers: inout PairingNumbers, now: MonotonicInstant) -> [PairingMachine.Effect] {
        guard case .answered(var answer) = state, answer.second.mayRepeat else { return [] }
        answer.second.again(token: numbers.token(), interval: nil, now: now)
        state = .answered(answer)
        return [.transmit(answer.second.frame, to: parameters.peer, token: answer.second.token)]
    }

    /// Takes frame 3; one that is not right may be anybody's, so it does not end the exchange.
    mutating func receiveThird(_ frame: PASNFrame) -> [PairingMachine.Effect] {
        guard frame.body.status == .success else { return fail(.aborted(frame.body.status)) }
        guard case .answered(let answer) = state else { return [.rejected(parameters.peer, .mismatch("frame 3"))] }
        do throws(PairingFailure.Reason) {
            let protection = try frame.protection()
            guard
                answer.outcome.keys.verifies(
                    thirdFrameMIC: protection.mic, firstBody: answer.first, body: protection.unprotected)
            else { throw .wrongSecret }
            if let sae = answer.outcome.sae, let own = answer.own, let theirs = answer.commit {
                let received = try frame.confirm()
                guard
                    sae.verifies(
                        confirm: received.confirm, sendConfirm: received.sendConfirm, sender: theirs, receiver: own)
                else { throw .wrongSecret }
            }
            state = .ended
            result = .success(answer.outcome)
            return []
        } catch {
            return [.rejected(parameters.peer, error)]
        }
    }

    mutating func transmitted(_ token: UInt64, acknowledged: Bool, now: MonotonicInstant) {
        guard case .answered(var answer) = state,
            answer.second.transmitted(token, acknowledged: acknowledged, now: now)
        else { return }
        state = .answered(answer)
    }

    mutating func deadlineReached(_ numbers: inout PairingNumbers, now: MonotonicInstant) -> [PairingMachine.Effect] {
        guard case .answered(var answer) = state else { return [] }
        guard answer.second.isDue(now) else {
            state = .answered(answer)
            return []
        }
        return repeatAnswer(&numbers, now: now)
    }

    private mutating func fail(_ reason: PairingFailure.Reason) -> [PairingMachine.Effect] {
        let phase: PairingFailure.Phase = state == .armed ? .preparing : .authenticating
        state = .ended
        result = .failure(PairingFailure(reason, phase))
        guard case .invalidNumbers = reason else { return [] }
        return refuse(reason)
    }
}
