/// A publish or subscribe instance of one device, 1…255; both kinds share one number space.
package struct InstanceID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }
    /// The requestor instance of a frame that answers nobody.
    package static let none = Self(0)
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    package var description: String { "#\(rawValue)" }
}
