/// A change to `StoredState`; answered by a `StoreEvent` with the same ticket once it is durable.
package enum StoreCommand: Equatable, Sendable {
    /// Adds or replaces the record with this id.
    case save(PairingRecord, StoreTicket)
    /// Adds or replaces the bond with this id.
    case saveBond(BondRecord, StoreTicket)
    /// A pairing or a bond.
    case remove(PairingID, StoreTicket)
    /// Pairings and bonds.
    case removeAll(StoreTicket)
    case setAttempts(AttemptRecord, StoreTicket)

    package var ticket: StoreTicket {
        switch self {
        case .save(_, let ticket), .saveBond(_, let ticket), .remove(_, let ticket), .removeAll(let ticket),
            .setAttempts(_, let ticket):
            ticket
        }
    }
}
