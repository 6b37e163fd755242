/// Some of the lines of one display; bit n is the line that its profile names as the nth.
package struct LineSet: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The line number `index`.
    package init(line index: Int) { rawValue = 1 << UInt32(index) }

    /// `count` lines from number `first` on, at the levels of the lowest bits of `bits`.
    init(_ bits: UInt32, first: Int) { rawValue = bits << UInt32(first) }

    /// All of `count` lines.
    package static func all(_ count: Int) -> Self {
        let beyond: UInt64 = 1 << UInt64(count)
        return Self(rawValue: UInt32(truncatingIfNeeded: beyond - 1))
    }
}
