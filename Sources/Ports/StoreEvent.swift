package enum StoreEvent: Equatable, Sendable {
    /// On disk, in the folder's entry as well.
    case saved(StoreTicket)
    /// Not on disk; the state in memory is as before the command.
    case failed(StoreTicket, String)
}
