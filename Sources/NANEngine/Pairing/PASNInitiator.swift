internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets

/// The initiator of PASN with one peer: sends frames 1 and 3.
struct PASNInitiator: Sendable {
    private struct Confirming: Equatable {
        var third: Retransmission
        let second: [UInt8]
        let outcome: PASNOutcome
    }

    private enum State: Equatable {
        /// The own numbers are being computed.
        case preparing
        case waiting(Retransmission)
        case agreeing(PASNAgreement, first: [UInt8])
        /// Frame 3 is on its way; its acknowledgement ends the exchange.
        case confirming(Confirming)
        case ended
    }

    private var offer: PASNOffer
    private var state = State.preparing
    private let interval: Duration
    /// What came of it; nil while it is going on.
    private(set) var result: Result<PASNOutcome, PairingFailure>?

    private var parameters: PairingParameters { offer.composer.parameters }

    init(
        _ parameters: PairingParameters, _ suite: CipherSuiteID, _ strength: SuiteStrength, interval: Duration,
        _ entropy: inout PairingEntropy, _ numbers: inout PairingNumbers, _ effects: inout [PairingMachine.Effect],
        now: MonotonicInstant
    ) {
        let identity = parameters.freshIdentity(&entropy)
        offer = PASNOffer(parameters, suite, strength, identity: identity, &entropy, &numbers, &effects)
        self.interval = interval
        // With a key that was there already nothing is waited for.
        effects += ask(&numbers, now: now)
    }

    var nextDeadline: MonotonicInstant? {
        switch state {
        case .waiting(let first): first.deadline
        case .confirming(let confirming): confirming.third.deadline
        case .preparing, .agreeing, .ended: nil
        }
    }

    /// Takes a result of one of its jobs; others' do nothing.
    mutating func receive(
        _ crypto: CryptoResult, _ numbers: inout PairingNumbers, now: MonotonicInstant
    ) -> [PairingMachine.Effect] {
        do throws(PairingFailure.Reason) {
            switch state {
            case .preparing:
                guard try offer.take(crypto) else { return [] }
                return ask(&numbers, now: now)
            case .agreeing(var agreement, let first):
                guard try agreement.take(crypto) else { return [] }
                state = .agreeing(agreement, first: first)
                return try confirm(agreement, first, &numbers, now: now)
            case .waiting, .confirming, .ended:
                return []
            }
        } catch {
            return fail(error)
        }
    }

    /// Sends frame 1, once everything for it is there.
    private mutating func ask(_ numbers: inout PairingNumbers, now: MonotonicInstant) -> [PairingMachine.Effect] {
        guard offer.isReady, let publicKey = offer.publicKey else { return [] }
        let frame = offer.composer.frame1(publicKey: publicKey, commit: offer.commit)
        let first = Retransmission(frame, token: numbers.token(), interval: interval, now: now)
        state = .waiting(first)
        return [.transmit(frame, to: parameters.peer, token: first.token)]
    }

    mutating func receive(
        _ frame: PASNFrame, _ numbers: inout PairingNumbers, now: MonotonicInstant
    ) -> [PairingMachine.Effect] {
        guard frame.body.sequence == 2 else { return [.rejected(parameters.peer, .mismatch("sequence"))] }
        switch state {
        case .waiting(let first):
            guard frame.body.status == .success else {
                return fail(frame.body.status == .unsupportedGroup ? .unsupportedGroup : .aborted(frame.body.status))
            }
            do throws(PairingFailure.Reason) {
                let proposal = try frame.proposal()
                guard proposal.akm == parameters.akm else { throw .mismatch("AKM") }
                guard proposal.suite == offer.composer.suite else { throw .mismatch("cipher suite") }
                guard parameters.accepts(proposal.identity) else { throw .wrongSecret }
                _ = try frame.protection()
                if offer.commit != nil { _ = try frame.confirm() }
                var effects: [PairingMachine.Effect] = []
                let agreement = PASNAgreement(frame, proposal, offer, &numbers, &effects)
                state = .agreeing(agreement, first: first.frame)
                return effects
            } catch {
                return fail(error)
            }
        case .confirming(var confirming):
            // The peer repeats frame 2: it may not have got frame 3.
            guard frame.octets == confirming.second, confirming.third.mayRepeat else {
                return [.rejected(parameters.peer, .mismatch("frame 2"))]
            }
            confirming.third.again(token: numbers.token(), interval: interval, now: now)
            state = .confirming(confirming)
            return [.transmit(confirming.third.frame, to: parameters.peer, token: confirming.third.token)]
        case .preparing, .agreeing, .ended:
            return []
        }
    }

    mutating func transmitted(_ token: UInt64, acknowledged: Bool, now: MonotonicInstant) {
        switch state {
        case .waiting(var first):
            guard first.transmitted(token, acknowledged: acknowledged, now: now) else { return }
            state = .waiting(first)
        case .confirming(var confirming):
            guard confirming.third.transmitted(token, acknowledged: acknowledged, now: now) else { return }
            if confirming.third.isAcknowledged {
                state = .ended
                result = .success(confirming.outcome)
            } else {
                state = .confirming(confirming)
            }
        case .preparing, .agreeing, .ended: break
        }
    }

    mutating func deadlineReached(_ numbers: inout PairingNumbers, now: MonotonicInstant) -> [PairingMachine.Effect] {
        switch state {
        case .waiting(var first):
            guard first.isDue(now) else {
                state = .waiting(first)
                return []
            }
            first.again(token: numbers.token(), interval: interval, now: now)
            state = .waiting(first)
            return [.transmit(first.frame, to: parameters.peer, token: first.token)]
        case .confirming(var confirming):
            guard confirming.third.isDue(now) else {
                state = .confirming(confirming)
                return []
            }
            confirming.third.again(token: numbers.token(), interval: interval, now: now)
            state = .confirming(confirming)
            return [.transmit(confirming.third.frame, to: parameters.peer, token: confirming.third.token)]
        case .preparing, .agreeing, .ended:
            return []
        }
    }

    /// Checks frame 2, once all keys are there, and answers it.
    private mutating func confirm(
        _ agreement: PASNAgreement, _ first: [UInt8], _ numbers: inout PairingNumbers, now: MonotonicInstant
    ) throws(PairingFailure.Reason) -> [PairingMachine.Effect] {
        let composer = offer.composer
        guard let keys = agreement.keys(composer, initiator: parameters.own, responder: parameters.peer) else {
            return []
        }
        var confirm: [UInt8]?
        if let sae = keys.sae, let own = offer.commit, let commit = agreement.proposal.commit {
            let received = try agreement.frame.confirm()
            let (mine, theirs) = (PublicCommit(own), PublicCommit(commit))
            guard
                sae.verifies(
                    confirm: received.confirm, sendConfirm: received.sendConfirm, sender: theirs, receiver: mine)
            else { throw .wrongSecret }
            confirm = sae.confirm(sender: mine, receiver: theirs)
        }
        let protection = try agreement.frame.protection()
        guard
            keys.pasn.verifies(
                secondFrameMIC: protection.mic, securityElements: protection.securityElements,
                body: protection.unprotected)
        else { throw .wrongSecret }
        let frame = composer.frame3(confirm: confirm, firstFrame: first, keys: keys.pasn)
        let third = Retransmission(frame, token: numbers.token(), interval: interval, now: now)
        let outcome = PASNOutcome(
            composer: composer, keys: keys.pasn, sae: keys.sae,
            peerCapability: agreement.frame.attributes.deviceCapabilityExtension)
        state = .confirming(Confirming(third: third, second: agreement.frame.octets, outcome: outcome))
        return [.transmit(frame, to: parameters.peer, token: third.token)]
    }

    /// Ends it and tells a peer whose secret or numbers are wrong, so that it does not wait for frame 3.
    private mutating func fail(_ reason: PairingFailure.Reason) -> [PairingMachine.Effect] {
        let wasAuthenticating = if case .preparing = state { false } else { true }
        state = .ended
        result = .failure(PairingFailure(reason, wasAuthenticating ? .authenticating : .preparing))
        switch reason {
        case .wrongSecret, .invalidNumbers, .mismatch, .incomplete, .malformed:
            let abort = offer.composer.abort(sequence: 3, .unspecifiedFailure)
            return [.transmit(abort, to: parameters.peer, token: PairingMachine.unwatchedToken)]
        case .aborted, .unsupportedGroup, .identityKeyData, .identityDescriptor, .noCaching, .timedOut,
            .tooManySessions, .noSuite, .crypto:
            return []
        }
    }
}
