internal import NANFrames
internal import NANSecurity
internal import Octets

extension PairingMachine {
    // MARK: Beginnings

    mutating func arm(_ parameters: PairingParameters, now: MonotonicInstant) -> [Effect] {
        let peer = parameters.peer
        if parameters.isVerification, sessions[peer]?.isExchanging == true {
            pending[peer] = nil
            return [.rejected(peer, .mismatch("frame 1"))]
        }
        sessions[peer] = nil
        if let refusal = refuseSession(parameters) { return [refusal] }
        var effects: [Effect] = []
        let responder = PASNResponder(parameters, &entropy, &numbers, &effects)
        sessions[peer] = Session(stage: .responding(responder))
        guard let kept = pending[peer], responder.serves(kept.proposal) else { return effects }
        pending[peer] = nil
        return effects + receivedFirst(kept.frame, from: peer, now: now)
    }

    mutating func start(_ parameters: PairingParameters, now: MonotonicInstant) -> [Effect] {
        sessions[parameters.peer] = nil
        if let refusal = refuseSession(parameters) { return [refusal] }
        guard let suite = parameters.usableSuites.first, let strength = suite.pairingStrength else { return [] }
        var effects: [Effect] = []
        let initiator = PASNInitiator(
            parameters, suite, strength, interval: configuration.retryInterval, &entropy, &numbers, &effects,
            now: now)
        sessions[parameters.peer] = Session(
            stage: .initiating(initiator), expiry: now.advanced(by: configuration.authenticationTimeout))
        return effects
    }

    /// Why there can be no session; makes room by forgetting the finished one that would be forgotten first anyway.
    private mutating func refuseSession(_ parameters: PairingParameters) -> Effect? {
        guard !parameters.usableSuites.isEmpty else {
            return .failed(parameters.peer, PairingFailure(.noSuite, .preparing))
        }
        guard sessions.count >= Self.sessionLimit else { return nil }
        let finished = sessions.filter { $0.value.isFinished }
        guard
            let oldest = finished.min(by: {
                ($0.value.expiry?.nanoseconds ?? 0, $0.key.address.bits)
                    < ($1.value.expiry?.nanoseconds ?? 0, $1.key.address.bits)
            })
        else { return .failed(parameters.peer, PairingFailure(.tooManySessions, .preparing)) }
        sessions[oldest.key] = nil
        return nil
    }

    mutating func refuse(_ parameters: PairingParameters) -> [Effect] {
        guard let kept = pending.removeValue(forKey: parameters.peer) else { return [] }
        let composer = PASNComposer(
            parameters: parameters, suite: kept.proposal.suite, strength: kept.proposal.strength, identity: nil)
        return [
            .transmit(
                composer.abort(sequence: 2, .unspecifiedFailure), to: parameters.peer, token: Self.unwatchedToken)
        ]
    }

    // MARK: Frames

    mutating func received(_ octets: [UInt8], from peer: NMI, now: MonotonicInstant) -> [Effect] {
        let frame: PASNFrame
        do throws(PairingFailure.Reason) { frame = try PASNFrame(octets) } catch { return [.rejected(peer, error)] }
        switch frame.body.sequence {
        case 1: return receivedFirst(frame, from: peer, now: now)
        case 2:
            return withSession(peer, now: now) { session, numbers in
                guard case .initiating(var initiator) = session.stage else { return nil }
                defer { session.stage = .initiating(initiator) }
                return initiator.receive(frame, &numbers, now: now)
            } ?? [.rejected(peer, .mismatch("frame 2"))]
        case 3:
            return withSession(peer, now: now) { session, _ in
                guard case .responding(var responder) = session.stage, !responder.isArmed else { return nil }
                defer { session.stage = .responding(responder) }
                return responder.receiveThird(frame)
            } ?? [.rejected(peer, .mismatch("frame 3"))]
        default: return [.rejected(peer, .mismatch("sequence"))]
        }
    }

    private mutating func receivedFirst(_ frame: PASNFrame, from peer: NMI, now: MonotonicInstant) -> [Effect] {
        guard frame.body.status == .success else { return [.rejected(peer, .aborted(frame.body.status))] }
        if let session = sessions[peer] {
            switch session.stage {
            case .responding(let responder) where responder.isArmed: return begin(frame, from: peer, now: now)
            case .responding(let responder):
                if responder.firstFrame == frame.octets {
                    return withSession(peer, now: now) { session, numbers in
                        guard case .responding(var responder) = session.stage else { return nil }
                        defer { session.stage = .responding(responder) }
                        return responder.repeatAnswer(&numbers, now: now)
                    } ?? []
                }
                // With a PIN, another commit is another guess, and the PIN is spent: not answered. Without one, the
                // peer has started over.
                if case .password = responder.parameters.authentication {
                    return [.rejected(peer, .mismatch("frame 1"))]
                }
            case .initiating: return [.rejected(peer, .mismatch("frame 1"))]
            case .exchanging, .finished:
                if session.firstFrame == frame.octets { return [] }
                // Anybody can say again the NIRA of a device that pairs anew: its new pairing is not given up for that.
                if session.isExchanging, frame.attributes.identityResolution != nil {
                    return [.rejected(peer, .mismatch("frame 1"))]
                }
            }
        }
        return keep(frame, from: peer, now: now)
    }

    private mutating func begin(_ frame: PASNFrame, from peer: NMI, now: MonotonicInstant) -> [Effect] {
        let proposal: PASNFrame.Proposal
        do throws(PairingFailure.Reason) {
            proposal = try frame.proposal()
        } catch {
            guard case .responding(let responder)? = sessions[peer]?.stage else { return [] }
            return responder.refuse(error)
        }
        let deadline = now.advanced(by: configuration.authenticationTimeout)
        let effects = withSession(peer, now: now) { session, numbers -> [Effect]? in
            guard case .responding(var responder) = session.stage, responder.serves(proposal) else { return nil }
            let effects = responder.begin(frame, proposal, &numbers, now: now)
            session.stage = .responding(responder)
            if !responder.isArmed { session.expiry = deadline }
            return effects
        }
        // Armed for the one, asked for the other: the owner decides whether to arm anew.
        return effects ?? keep(frame, from: peer, now: now)
    }

    /// Keeps a frame 1 until a responder is armed; the newest one of a peer counts.
    private mutating func keep(_ frame: PASNFrame, from peer: NMI, now: MonotonicInstant) -> [Effect] {
        if pending[peer]?.frame.octets == frame.octets { return [] }
        let proposal: PASNFrame.Proposal
        do throws(PairingFailure.Reason) { proposal = try frame.proposal() } catch { return [.rejected(peer, error)] }
        if pending[peer] == nil, pending.count >= Self.pendingLimit,
            let oldest = pending.min(by: {
                ($0.value.expiry.nanoseconds, $0.key.address.bits) < ($1.value.expiry.nanoseconds, $1.key.address.bits)
            })
        {
            pending[oldest.key] = nil
        }
        pending[peer] = Pending(
            frame: frame, proposal: proposal, expiry: now.advanced(by: configuration.retention))
        return [.needsResponder(peer, proposal.request)]
    }

    mutating func received(_ descriptor: SharedKeyDescriptor, from peer: NMI) -> [Effect] {
        guard var session = sessions.removeValue(forKey: peer) else { return [.rejected(peer, .identityDescriptor)] }
        let effects = session.receive(descriptor)
        sessions[peer] = session
        return effects + settle(peer)
    }

    // MARK: Progress

    /// Lends a session out and follows up what came of it.
    private mutating func withSession(
        _ peer: NMI, now: MonotonicInstant, _ body: (inout Session, inout PairingNumbers) -> [Effect]?
    ) -> [Effect]? {
        guard var session = sessions.removeValue(forKey: peer) else { return nil }
        let effects = body(&session, &numbers)
        sessions[peer] = session
        return effects.map { $0 + advance(peer, now: now) }
    }

    mutating func eachSession(
        now: MonotonicInstant, _ body: (inout Session, inout PairingNumbers) -> [Effect]
    ) -> [Effect] {
        // In the order of addresses, so that a run can be repeated.
        sessions.keys.sorted { $0.address.bits < $1.address.bits }.flatMap { peer in
            withSession(peer, now: now) { body(&$0, &$1) } ?? []
        }
    }

    /// Goes from PASN to the exchange of identities, or to the end.
    private mutating func advance(_ peer: NMI, now: MonotonicInstant) -> [Effect] {
        guard let session = sessions[peer] else { return [] }
        switch session.stage {
        case .initiating(let initiator):
            guard let result = initiator.result else { return [] }
            return authenticated(peer, result, isInitiator: true, first: nil, now: now)
        case .responding(let responder):
            guard let result = responder.result else {
                sessions[peer]?.firstFrame = responder.firstFrame
                return []
            }
            return authenticated(peer, result, isInitiator: false, first: session.firstFrame, now: now)
        case .exchanging: return settle(peer)
        case .finished: return []
        }
    }

    private mutating func authenticated(
        _ peer: NMI, _ result: Result<PASNOutcome, PairingFailure>, isInitiator: Bool, first: [UInt8]?,
        now: MonotonicInstant
    ) -> [Effect] {
        switch result {
        case .failure(let failure):
            sessions[peer] = nil
            return [.failed(peer, failure)]
        case .success(let outcome):
            let report = outcome.report
            guard report.isVerification || report.exchangesIdentities else {
                // Nothing would be left to verify it by, and its owner would wait for what never comes.
                sessions[peer] = nil
                return [
                    .authenticated(peer, report), .failed(peer, PairingFailure(.noCaching, .exchangingIdentities)),
                ]
            }
            if report.exchangesIdentities {
                let exchange = IdentityExchange(
                    outcome, isInitiator: isInitiator, lifetime: configuration.lifetime,
                    delay: configuration.identityDelay, firstInterval: configuration.firstRetryInterval,
                    interval: configuration.retryInterval, now: now)
                sessions[peer] = Session(
                    stage: .exchanging(exchange), expiry: now.advanced(by: configuration.identityTimeout),
                    firstFrame: first)
            } else {
                sessions[peer] = Session(
                    stage: .finished(nil), expiry: now.advanced(by: configuration.retention), firstFrame: first)
            }
            return [.installManagementKey(peer, outcome.managementKey), .authenticated(peer, report)]
        }
    }

    /// Reports the end of an exchange of identities, which is kept to answer repeats until it expires.
    private mutating func settle(_ peer: NMI) -> [Effect] {
        guard let session = sessions[peer], case .exchanging(let exchange) = session.stage,
            let result = exchange.result
        else { return [] }
        switch result {
        case .success(let credential):
            sessions[peer]?.stage = .finished(exchange.echo)
            return [.completed(peer, credential)]
        case .failure(let failure):
            sessions[peer] = nil
            return [.failed(peer, failure)]
        }
    }

    mutating func deadlineReached(now: MonotonicInstant) -> [Effect] {
        pending = pending.filter { $0.value.expiry > now }
        var effects: [Effect] = []
        for peer in sessions.keys.sorted(by: { $0.address.bits < $1.address.bits }) {
            guard let session = sessions[peer] else { continue }
            if let expiry = session.expiry, expiry <= now {
                sessions[peer] = nil
                if !session.isFinished {
                    effects.append(.failed(peer, PairingFailure(.timedOut, session.phase)))
                }
                continue
            }
            effects += withSession(peer, now: now) { $0.deadlineReached(&$1, now: now) } ?? []
        }
        return effects
    }
}
