package import NANFrames
package import Octets

/// The responder's half of pairing bootstrapping: requests in, the owner's decisions out (Wi-Fi Aware v4.0, NPBA).
///
/// A request that is repeated because the answer was lost is answered the same again, and the owner is not asked twice.
package struct BootstrapResponder: Sendable {
    package enum Effect: Equatable, Sendable {
        case send(PairingBootstrapping, to: ServicePeer)
        /// The owner has to answer; `method` is the one we would play.
        case requested(ServicePeer, method: BootstrappingMethods, serviceInfo: [UInt8])
    }

    /// Peers remembered at once: more than a room full of phones, and bounded because anybody may ask.
    package static let peerLimit = 32

    private enum State: Equatable {
        /// The owner is thinking.
        case asked(PairingBootstrapping)
        case accepted(PairingBootstrapping)
        /// Told to come back with this cookie.
        case deferred(PairingBootstrapping, answer: PairingBootstrapping, PairingBootstrapping.Cookie)
    }

    private struct Entry {
        var peer: ServicePeer
        var state: State
        var heard: MonotonicInstant
    }

    private var entries: [NMI: Entry] = [:]
    private var entropy: Entropy

    package init(entropy: Entropy) { self.entropy = entropy }

    /// Takes a request; `offered` are the methods that the service advertises now.
    package mutating func receive(
        _ request: PairingBootstrapping, from peer: ServicePeer, serviceInfo: [UInt8], offered: BootstrappingMethods,
        now: MonotonicInstant
    ) -> [Effect] {
        guard let method = request.methods.complement, offered.isSuperset(of: method) else {
            entries[peer.nmi] = nil
            return [.send(refusal(of: request), to: peer)]
        }
        let known = entries[peer.nmi]
        switch (request.message, known?.state) {
        case (.request, .asked(request)?), (.comebackRequest, .asked(request)?):
            return []
        case (.request, .accepted(request)?), (.comebackRequest, .accepted(request)?):
            entries[peer.nmi]?.heard = now
            return [.send(acceptance(of: request), to: peer)]
        case (.request, .deferred(request, let answer, _)?):
            entries[peer.nmi]?.heard = now
            return [.send(answer, to: peer)]
        case (.request, _):
            remember(Entry(peer: peer, state: .asked(request), heard: now), of: peer.nmi)
            return [.requested(peer, method: method, serviceInfo: serviceInfo)]
        case (.comebackRequest(let cookie), .deferred(let first, _, let ours)?)
        where cookie == ours && first.dialogToken == request.dialogToken:
            remember(Entry(peer: peer, state: .asked(request), heard: now), of: peer.nmi)
            return [.requested(peer, method: method, serviceInfo: serviceInfo)]
        case (.comebackRequest, .deferred(request, let answer, _)?):
            // It came back too early and was told so, with another cookie, and has not heard that.
            entries[peer.nmi]?.heard = now
            return [.send(answer, to: peer)]
        case (.comebackRequest, _), (.advertise, _), (.accept, _), (.reject, _), (.comeback, _):
            return []  // not a request, or a cookie that is not ours: nothing to answer
        }
    }

    /// Carries out the owner's decision; one that comes after the peer was forgotten does nothing.
    package mutating func answer(_ peer: NMI, _ answer: BootstrapAnswer) -> [Effect] {
        guard let entry = entries[peer], case .asked(let request) = entry.state else { return [] }
        switch answer {
        case .accept:
            entries[peer]?.state = .accepted(request)
            return [.send(acceptance(of: request), to: entry.peer)]
        case .reject:
            entries[peer] = nil
            return [.send(refusal(of: request), to: entry.peer)]
        case .comeBack(let delay):
            let cookie = PairingBootstrapping.Cookie(entropy.octets(4))
            let units = UInt16(clamping: Int((delay / .timeUnits(1)).rounded(.up)))
            let answer = PairingBootstrapping(
                dialogToken: request.dialogToken, message: .comeback(afterTimeUnits: units, cookie))
            entries[peer]?.state = .deferred(request, answer: answer, cookie)
            return [.send(answer, to: entry.peer)]
        }
    }

    /// The request that was, or is about to be, accepted, as it came: PASN's frame 2 repeats it octet for octet.
    package func currentRequest(of peer: NMI) -> PairingBootstrapping? {
        switch entries[peer]?.state {
        case .asked(let request)?, .accepted(let request)?: request
        case .deferred?, nil: nil
        }
    }

    /// The peer's next request is a new one.
    package mutating func forget(_ peer: NMI) { entries[peer] = nil }

    package mutating func forgetAll() { entries = [:] }

    private mutating func remember(_ entry: Entry, of peer: NMI) {
        if entries[peer] == nil, entries.count >= Self.peerLimit,
            let oldest = entries.min(by: { $0.value.heard < $1.value.heard })
        {
            entries[oldest.key] = nil
        }
        entries[peer] = entry
    }

    private func acceptance(of request: PairingBootstrapping) -> PairingBootstrapping {
        PairingBootstrapping(
            dialogToken: request.dialogToken, message: .accept, methods: request.methods.complement ?? [])
    }

    private func refusal(of request: PairingBootstrapping) -> PairingBootstrapping {
        PairingBootstrapping(
            dialogToken: request.dialogToken, message: .reject, reason: .pairingBootstrappingRejected)
    }
}
