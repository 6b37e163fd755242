package import Cryptography
package import NANFrames
package import NANSecurity
package import Octets
package import Ports

/// Pairing and verification with all peers, in both roles: PASN, and the exchange of NIKs after a setup.
///
/// A session belongs to one peer address. The owner arms responders and starts initiators, sends what it is told to
/// and reports back what became of it; it decides nothing that this machine could be made to decide by a frame.
package struct PairingMachine: Sendable {
    package struct Configuration: Equatable, Sendable {
        /// From frame 1 to the end of PASN, on either side (Espressif's responder takes as long).
        package var authenticationTimeout: Duration = .seconds(10)
        /// From the end of PASN to the peer's NIK: an iPhone's comes after 2.5 s.
        package var identityTimeout: Duration = .seconds(10)
        /// How long the initiator waits in front of its NIK: the responder has to have installed its key (hostap).
        package var identityDelay: Duration = .milliseconds(30)
        /// Between repeats of what was not answered: half a second may pass before a frame leaves in a discovery window.
        package var retryInterval: Duration = .milliseconds(1200)
        /// Before the first repeat of a NIK, doubled to the former: it is the first frame under the new key, which the
        /// peer's radio acknowledges and loses until it has that key as well.
        package var firstRetryInterval: Duration = .milliseconds(100)
        /// What our Key Lifetime KDE says.
        package var lifetime: Duration = IdentityKeyData.defaultLifetime
        /// How long repeats of a finished session's frames are recognised, and a frame 1 without a responder is kept.
        package var retention: Duration = .seconds(10)

        /// Computes the ephemeral keys of verifications before they are needed.
        package var preparesVerifications = true

        package init() {}
    }

    package enum Event: Equatable, Sendable {
        /// As the responder: the peer's next frame 1 is answered with this. Replaces whatever is under way with it; but a
        /// verification never an exchange of identities.
        case arm(PairingParameters)
        /// As the initiator. Replaces whatever is under way with the peer.
        case start(PairingParameters)
        /// Ends what is under way with the peer, or it is gone. Not reported.
        case abandon(NMI)
        /// Answers `needsResponder`: there will be none.
        case refuse(PairingParameters)
        /// The body of an authentication frame, from the algorithm field on.
        case received([UInt8], from: NMI)
        /// The SKDA of a unicast follow-up that came protected.
        case receivedSharedKey(SharedKeyDescriptor, from: NMI)
        case transmitted(UInt64, acknowledged: Bool)
        case crypto(CryptoResult)
        /// Keys of verifications on these curves are computed before they are needed.
        case expectVerifications(Set<EllipticCurveGroup>)
        case deadlineReached
        /// The radio is gone, and with it every session.
        case reset
    }

    package enum Effect: Equatable, Sendable {
        /// An authentication frame body. Its transmit status goes back with `token`; `unwatchedToken`'s need not.
        case transmit([UInt8], to: NMI, token: UInt64)
        case crypto(CryptoJob)
        /// An armed responder has computed all that can be computed before the peer's frame 1.
        case ready(NMI)
        /// A new commit is being answered: one guess of the PIN is spent.
        case guessAnswered(NMI)
        /// NM-TK: to be installed before anything else is done.
        case installManagementKey(NMI, PairwiseKey)
        /// PASN has succeeded; a setup has still to be completed, or fails.
        case authenticated(NMI, AuthenticatedPairing)
        /// In a protected unicast follow-up, with our NIRA.
        case sendSharedKey(SharedKeyDescriptor, to: NMI)
        /// Both NIKs are exchanged.
        case completed(NMI, PairingCredential)
        /// The session is over. After `authenticated` the key has to be taken out again: the peer has no pairing with us.
        case failed(NMI, PairingFailure)
        /// Frame 1 of a peer that nobody has armed a responder for; it is kept for a while, and replayed by `arm`.
        case needsResponder(NMI, PairingRequest)
        /// A frame that changed nothing: to be counted by its key.
        case rejected(NMI, PairingFailure.Reason)
    }

    /// Sessions at once, armed and finished ones included: a household's devices, and a bound on what they hold.
    package static let sessionLimit = 16
    /// Peers whose frame 1 is kept: anybody can send one from any number of addresses.
    package static let pendingLimit = 16
    /// Names frames that are sent once and forgotten.
    package static let unwatchedToken: UInt64 = 0

    let configuration: Configuration
    var entropy: PairingEntropy
    var numbers = PairingNumbers()
    var sessions: [NMI: Session] = [:]
    var pending: [NMI: Pending] = [:]

    package init(_ configuration: Configuration, entropy: Entropy) {
        self.configuration = configuration
        self.entropy = PairingEntropy(entropy)
    }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        let effects = take(event, now: now)
        guard sessions.values.allSatisfy(\.isFinished) else { return effects }
        return effects + entropy.spares.restock(&numbers).map { .crypto($0) }
    }

    private mutating func take(_ event: Event, now: MonotonicInstant) -> [Effect] {
        switch event {
        case .arm(let parameters): return arm(parameters, now: now)
        case .start(let parameters): return start(parameters, now: now)
        case .abandon(let peer):
            sessions[peer] = nil
            pending[peer] = nil
            return []
        case .refuse(let parameters): return refuse(parameters)
        case .received(let octets, let peer): return received(octets, from: peer, now: now)
        case .receivedSharedKey(let descriptor, let peer): return received(descriptor, from: peer)
        case .transmitted(let token, let acknowledged):
            guard token != Self.unwatchedToken else { return [] }
            return eachSession(now: now) { session, _ in
                session.transmitted(token, acknowledged: acknowledged, now: now)
                return []
            }
        case .expectVerifications(let groups):
            entropy.spares.keep(configuration.preparesVerifications ? groups : [])
            return []
        case .crypto(let result):
            if entropy.spares.receive(result) { return [] }
            return eachSession(now: now) { $0.receive(result, &$1, now: now) }
        case .deadlineReached: return deadlineReached(now: now)
        case .reset:
            sessions = [:]
            pending = [:]
            return []
        }
    }

    package var nextDeadline: MonotonicInstant? {
        (sessions.values.compactMap(\.nextDeadline) + pending.values.map(\.expiry)).min()
    }

    /// Something is under way with the peer, or a responder armed for it.
    package func isBusy(with peer: NMI) -> Bool { sessions[peer].map { !$0.isFinished } ?? false }
}
