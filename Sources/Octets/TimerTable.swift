/// At most one deadline per timer.
///
/// `Timer` is a small enum, so nothing here allocates after `init`.
package struct TimerTable<Timer: CaseIterable & RawRepresentable<Int> & Sendable>: Sendable
where Timer.AllCases: Sendable {
    private var deadlines: [MonotonicInstant?] = Array(repeating: nil, count: Timer.allCases.count)

    package init() {}

    package mutating func start(_ timer: Timer, at deadline: MonotonicInstant) { deadlines[timer.rawValue] = deadline }
    package mutating func stop(_ timer: Timer) { deadlines[timer.rawValue] = nil }

    package func deadline(of timer: Timer) -> MonotonicInstant? { deadlines[timer.rawValue] }

    /// The earliest deadline; what the event loop arms its timer with.
    package var next: MonotonicInstant? { deadlines.compactMap { $0 }.min() }

    /// Removes and returns one expired timer; call until nil.
    package mutating func popExpired(_ now: MonotonicInstant) -> Timer? {
        for timer in Timer.allCases {
            if let deadline = deadlines[timer.rawValue], deadline <= now {
                deadlines[timer.rawValue] = nil
                return timer
            }
        }
        return nil
    }
}
