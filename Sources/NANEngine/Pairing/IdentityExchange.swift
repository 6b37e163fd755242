internal import Cryptography
internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets

/// The exchange of NIKs after a setup, in protected follow-ups: the initiator's first, then the responder's answer.
///
/// An own descriptor is made once and sent as often as need be. The responder answers one descriptor, and the same one
/// again when it is repeated because the answer was lost.
struct IdentityExchange: Sendable {
    private let outcome: PASNOutcome
    private let own: SharedKeyDescriptor
    private let isInitiator: Bool
    /// Before the next repeat, and the most.
    private var interval: Duration
    private let longestInterval: Duration
    private var taken: SharedKeyDescriptor?
    /// When the initiator sends its own, again while there is no answer.
    private(set) var nextDeadline: MonotonicInstant?
    /// What came of it; nil while it is going on.
    private(set) var result: Result<PairingCredential, PairingFailure>?

    private var parameters: PairingParameters { outcome.composer.parameters }

    init(
        _ outcome: PASNOutcome, isInitiator: Bool, lifetime: Duration?, delay: Duration,
        firstInterval: Duration, interval: Duration, now: MonotonicInstant
    ) {
        self.outcome = outcome
        self.isInitiator = isInitiator
        self.interval = firstInterval
        longestInterval = interval
        let parameters = outcome.composer.parameters
        let keyData = IdentityKeyData(parameters.identity, lifetime: lifetime).keyData
        own = SharedKeyDescriptor(
            publishID: parameters.instance,
            KeyDescriptor(
                information: [.pairwise, .acknowledge, .encryptedKeyData],
                keyLength: UInt16(outcome.composer.strength.temporalKeyLength), replayCounter: 0, micLength: 0,
                keyData: keyData.wrapped(with: outcome.keys.keyEncryptionKey)))
        nextDeadline = isInitiator ? now.advanced(by: delay) : nil
    }

    mutating func deadlineReached(now: MonotonicInstant) -> [PairingMachine.Effect] {
        guard let deadline = nextDeadline, deadline <= now else { return [] }
        nextDeadline = now.advanced(by: interval)
        interval = min(interval * 2, longestInterval)
        return [.sendSharedKey(own, to: parameters.peer)]
    }

    mutating func receive(_ descriptor: SharedKeyDescriptor) -> [PairingMachine.Effect] {
        guard result == nil else { return [] }
        do throws(PairingFailure.Reason) {
            let data = try read(descriptor)
            taken = descriptor
            nextDeadline = nil
            result = .success(
                PairingCredential(
                    peerNIK: data.identityKey.key, npk: outcome.npk, akm: parameters.akm,
                    cipherSuite: outcome.composer.suite, lifetime: data.lifetime))
        } catch {
            nextDeadline = nil
            result = .failure(PairingFailure(error, .exchangingIdentities))
            return []
        }
        return isInitiator ? [] : [.sendSharedKey(own, to: parameters.peer)]
    }

    /// What is left of a finished exchange; nil while it is going on, and when it failed.
    var echo: Echo? {
        taken.map { Echo(taken: $0, own: own, peer: parameters.peer, isInitiator: isInitiator) }
    }

    /// Recognises repeats of the peer's descriptor and answers them as the first one, without holding any key.
    struct Echo: Sendable {
        fileprivate let taken: SharedKeyDescriptor
        fileprivate let own: SharedKeyDescriptor
        fileprivate let peer: NMI
        fileprivate let isInitiator: Bool

        func receive(_ descriptor: SharedKeyDescriptor) -> [PairingMachine.Effect] {
            guard descriptor == taken else { return [.rejected(peer, .identityDescriptor)] }
            return isInitiator ? [] : [.sendSharedKey(own, to: peer)]
        }
    }

    /// Only pairwise and encrypted matter: implementations differ in the other bits (reference 9.1).
    private func read(_ descriptor: SharedKeyDescriptor) throws(PairingFailure.Reason) -> IdentityKeyData {
        // Without a MIC it should be; if its octets do not fit that, key wrapping tells whether they are right.
        let key = ((try? descriptor.decoded(micLength: 0)) ?? descriptor).descriptor
        guard key.type == KeyDescriptor.rsn, key.information.version == 0,
            key.information.isSuperset(of: [.pairwise, .encryptedKeyData])
        else { throw .identityDescriptor }
        do throws(KeyData.Failure) {
            return try IdentityKeyData(KeyData(unwrapping: key.keyData, with: outcome.keys.keyEncryptionKey))
        } catch {
            throw .identityKeyData(error)
        }
    }
}
