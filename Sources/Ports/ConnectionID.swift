/// One established data path with one service on it: the unit that is connected, measured and ended.
package struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    package var description: String { "connection \(rawValue)" }
}
