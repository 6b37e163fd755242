/// Names one queued frame until its transmit status has arrived.
package struct TransmitID: Hashable, Sendable {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
