package import Octets

/// A sans-IO machine that owns all others: the accessory's, or a phone's.
package protocol RootMachine {
    associatedtype Command: Equatable & Sendable
    associatedtype Report: Equatable & Sendable
    var nextDeadline: MonotonicInstant? { get }
    mutating func handle(_ event: PortEvent<Command>, now: MonotonicInstant) -> [PortEffect<Report>]
}
