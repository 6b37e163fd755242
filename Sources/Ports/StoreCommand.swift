package import Cryptography

/// What is kept across restarts.
package struct StoredState: Equatable, Sendable {
    /// Our own NIK, 16 octets, shared by all pairings; drawn at the first start.
    package var ownNIK: SecretKey
    package var pairings: [PairingRecord]
    package var attempts: AttemptRecord

    package init(ownNIK: SecretKey, pairings: [PairingRecord] = [], attempts: AttemptRecord = AttemptRecord()) {
        self.ownNIK = ownNIK
        self.pairings = pairings
        self.attempts = attempts
    }
}

/// PIN attempts since the last success: what slows and locks, and so must outlive a power cut.
package struct AttemptRecord: Equatable, Sendable {
    /// Guesses that were not followed by a pairing.
    package var failures: UInt32
    /// Set when `failures` reached the limit; cleared by a person only.
    package var isLocked: Bool

    package init(failures: UInt32 = 0, isLocked: Bool = false) {
        self.failures = failures
        self.isLocked = isLocked
    }
}

/// A change to `StoredState`; answered by a `StoreEvent` with the same ticket once it is durable.
package enum StoreCommand: Equatable, Sendable {
    /// Adds or replaces the record with this id.
    case save(PairingRecord, StoreTicket)
    case remove(PairingID, StoreTicket)
    case removeAll(StoreTicket)
    case setAttempts(AttemptRecord, StoreTicket)
}

/// Pairs a store command with its answer.
package struct StoreTicket: Hashable, Sendable {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

package enum StoreEvent: Equatable, Sendable {
    /// On disk, in the folder's entry as well.
    case saved(StoreTicket)
    /// Not on disk; the state in memory is as before the command.
    case failed(StoreTicket, String)
}
