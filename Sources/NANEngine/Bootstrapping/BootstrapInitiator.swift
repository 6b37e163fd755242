package import NANFrames
package import Octets

/// The initiator's half of pairing bootstrapping, with one peer.
///
/// A request is repeated every second until it is answered; after a comeback it waits as it was told and asks again.
package struct BootstrapInitiator: Sendable {
    package enum Effect: Equatable, Sendable {
        /// With the service info that says who asks.
        case send(PairingBootstrapping, to: ServicePeer, serviceInfo: [UInt8])
        case accepted(ServicePeer)
        case deferred(ServicePeer, Duration)
        case failed(ServicePeer, ReasonCode)
    }

    /// hostap repeats at this pace.
    package static let retryInterval: Duration = .seconds(1)
    /// Requests without any answer before the peer is given up.
    package static let requestLimit = 10

    package let peer: ServicePeer
    /// The first request, as it was sent: PASN's frames 1 and 3 repeat it.
    package let firstRequest: PairingBootstrapping
    private let serviceInfo: [UInt8]
    private var current: PairingBootstrapping
    private var sent = 0
    private var deadline: MonotonicInstant?

    package init(peer: ServicePeer, method: BootstrappingMethods, token: DialogToken, serviceInfo: [UInt8]) {
        self.peer = peer
        self.serviceInfo = serviceInfo
        firstRequest = PairingBootstrapping(dialogToken: token, message: .request, methods: method)
        current = firstRequest
    }

    /// Nil once it is over.
    package var nextDeadline: MonotonicInstant? { deadline }

    package mutating func start(now: MonotonicInstant) -> [Effect] { ask(now: now) }

    package mutating func deadlineReached(now: MonotonicInstant) -> [Effect] {
        guard let deadline, deadline <= now else { return [] }
        guard sent < Self.requestLimit else {
            self.deadline = nil
            return [.failed(peer, .unspecified)]
        }
        return ask(now: now)
    }

    package mutating func receive(_ answer: PairingBootstrapping, now: MonotonicInstant) -> [Effect] {
        guard deadline != nil, answer.dialogToken == firstRequest.dialogToken else { return [] }
        switch answer.message {
        case .accept:
            deadline = nil
            let isOurs = answer.methods.complement == firstRequest.methods
            return [isOurs ? .accepted(peer) : .failed(peer, .unspecified)]
        case .reject:
            deadline = nil
            return [.failed(peer, answer.reason)]
        case .comeback(let units, let cookie):
            let delay = Duration.timeUnits(Int(units))
            let request = PairingBootstrapping(
                dialogToken: firstRequest.dialogToken, message: .comebackRequest(cookie), methods: firstRequest.methods)
            // A repeated comeback answers a repeated request: it moves nothing.
            if request == current, sent == 0 { return [] }
            current = request
            sent = 0
            deadline = now.advanced(by: delay)
            return [.deferred(peer, delay)]
        case .advertise, .request, .comebackRequest:
            return []
        }
    }

    private mutating func ask(now: MonotonicInstant) -> [Effect] {
        sent += 1
        deadline = now.advanced(by: Self.retryInterval)
        return [.send(current, to: peer, serviceInfo: serviceInfo)]
    }
}
