/// Pairs a store command with its answer.
package struct StoreTicket: Hashable, Sendable {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
