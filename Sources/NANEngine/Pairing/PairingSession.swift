internal import NANFrames
internal import NANSecurity
internal import Octets

/// What is under way with one peer.
struct Session: Sendable {
    enum Stage: Sendable {
        case initiating(PASNInitiator)
        case responding(PASNResponder)
        case exchanging(IdentityExchange)
        /// Over. What is still recognised are repeats of its frames.
        case finished(IdentityExchange.Echo?)
    }

    var stage: Stage
    /// When it fails, or is forgotten; an armed responder waits as long as its owner likes.
    var expiry: MonotonicInstant?
    /// The frame 1 it was about.
    var firstFrame: [UInt8]?

    var isFinished: Bool {
        if case .finished = stage { true } else { false }
    }

    var isExchanging: Bool {
        if case .exchanging = stage { true } else { false }
    }

    var nextDeadline: MonotonicInstant? {
        let inner: MonotonicInstant? =
            switch stage {
            case .initiating(let initiator): initiator.nextDeadline
            case .responding(let responder): responder.nextDeadline
            case .exchanging(let exchange): exchange.nextDeadline
            case .finished: nil
            }
        return [inner, expiry].compactMap { $0 }.min()
    }

    var phase: PairingFailure.Phase {
        switch stage {
        case .initiating: .authenticating
        case .responding(let responder): responder.isArmed ? .preparing : .authenticating
        case .exchanging, .finished: .exchangingIdentities
        }
    }

    mutating func transmitted(_ token: UInt64, acknowledged: Bool, now: MonotonicInstant) {
        switch stage {
        case .initiating(var initiator):
            initiator.transmitted(token, acknowledged: acknowledged, now: now)
            stage = .initiating(initiator)
        case .responding(var responder):
            responder.transmitted(token, acknowledged: acknowledged, now: now)
            stage = .responding(responder)
        case .exchanging, .finished: break
        }
    }

    mutating func receive(
        _ result: CryptoResult, _ numbers: inout PairingNumbers, now: MonotonicInstant
    ) -> [PairingMachine.Effect] {
        switch stage {
        case .initiating(var initiator):
            defer { stage = .initiating(initiator) }
            return initiator.receive(result, &numbers, now: now)
        case .responding(var responder):
            defer { stage = .responding(responder) }
            return responder.receive(result, &numbers, now: now)
        case .exchanging, .finished: return []
        }
    }

    mutating func deadlineReached(_ numbers: inout PairingNumbers, now: MonotonicInstant) -> [PairingMachine.Effect] {
        switch stage {
        case .initiating(var initiator):
            defer { stage = .initiating(initiator) }
            return initiator.deadlineReached(&numbers, now: now)
        case .responding(var responder):
            defer { stage = .responding(responder) }
            return responder.deadlineReached(&numbers, now: now)
        case .exchanging(var exchange):
            defer { stage = .exchanging(exchange) }
            return exchange.deadlineReached(now: now)
        case .finished: return []
        }
    }

    mutating func receive(_ descriptor: SharedKeyDescriptor) -> [PairingMachine.Effect] {
        switch stage {
        case .exchanging(var exchange):
            defer { stage = .exchanging(exchange) }
            return exchange.receive(descriptor)
        case .finished(let echo?): return echo.receive(descriptor)
        case .initiating, .responding, .finished: return []
        }
    }
}

/// A frame 1 that came before its responder.
struct Pending: Sendable {
    let frame: PASNFrame
    let proposal: PASNFrame.Proposal
    let expiry: MonotonicInstant
}
