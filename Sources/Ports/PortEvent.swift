package import NANSecurity

/// What the world tells a root machine; `Command` is what people and programs may ask of it.
package enum PortEvent<Command: Equatable & Sendable>: Equatable, Sendable {
    case radio(RadioEvent)
    case bluetooth(BluetoothEvent)
    case crypto(CryptoResult)
    case store(StoreEvent)
    case stream(StreamReport)
    /// A display shows this now; of two contents that followed each other fast perhaps the later one alone.
    case displayed(DisplayContent)
    /// A display could not show this.
    case notDisplayed(DisplayContent)
    case command(Command)
    /// The instant that `nextDeadline` named has come; harmless when early or repeated.
    case deadlineReached
}

/// What a root machine asks of the world, one case per port; `Report` is what people and programs are told.
package enum PortEffect<Report: Equatable & Sendable>: Equatable, Sendable {
    case radio(RadioEffect)
    case bluetooth(BluetoothEffect)
    /// Elliptic-curve work for the crypto worker; answered by `PortEvent.crypto`.
    case crypto(CryptoJob)
    case store(StoreCommand)
    case stream(StreamCommand)
    /// Answered by `PortEvent.displayed` or `.notDisplayed`.
    case display(DisplayContent)
    case report(Report)
}
