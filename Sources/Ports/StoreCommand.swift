/// A change to `StoredState`; answered by a `StoreEvent` with the same ticket once it is durable.
package enum StoreCommand: Equatable, Sendable {
    /// Adds or replaces the record with this id.
    case save(PairingRecord, StoreTicket)
    case remove(PairingID, StoreTicket)
    case removeAll(StoreTicket)
    case setAttempts(AttemptRecord, StoreTicket)
}
