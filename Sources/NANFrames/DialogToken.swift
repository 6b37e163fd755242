/// Pairs a request with its answers; never zero in a request.
package struct DialogToken: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }
    package var description: String { "token \(rawValue)" }
}
