/// How long to wait until what has ended is started again: 1, 2, 4 … 60 s.
package struct RestartDelay: Equatable, Sendable {
    package static let first: Duration = .seconds(1)
    package static let longest: Duration = .seconds(60)

    private var next = first

    package init() {}

    /// The wait after a run that lasted `duration`; one of over a minute begins the count anew.
    package mutating func take(after duration: Duration) -> Duration {
        if duration > Self.longest { next = Self.first }
        defer { next = min(next * 2, Self.longest) }
        return next
    }
}
