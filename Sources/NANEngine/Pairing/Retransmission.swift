internal import Octets

/// A frame on its way: sent again when its transmit status says so, or when time has passed without an answer.
struct Retransmission: Equatable, Sendable {
    /// Octets as they were sent the first time: a repeat is recognised by being identical.
    let frame: [UInt8]
    /// The status awaited; another one's is an earlier try's.
    private(set) var token: UInt64
    private(set) var deadline: MonotonicInstant?
    private var triesLeft: Int
    private let pause: Duration
    private(set) var isAcknowledged = false

    /// The peer's MAC did not acknowledge: again, but not in the same instant, for a radio that refuses does so at once.
    static let shortPause: Duration = .milliseconds(20)
    /// Tries in all: with one frame of two lost on every try, one exchange in 65536 fails.
    static let limit = 16

    /// `interval` is how long to wait for an answer, nil where only the status counts; `pause` is how long after a try
    /// that was not acknowledged.
    init(
        _ frame: [UInt8], token: UInt64, interval: Duration?, pause: Duration = Retransmission.shortPause,
        now: MonotonicInstant
    ) {
        self.frame = frame
        self.token = token
        self.pause = pause
        triesLeft = Self.limit - 1
        deadline = interval.map { now.advanced(by: $0) }
    }

    /// Takes a transmit status.
    ///
    /// - Returns: whether it is this frame's.
    mutating func transmitted(_ token: UInt64, acknowledged: Bool, now: MonotonicInstant) -> Bool {
        guard token == self.token else { return false }
        if acknowledged {
            isAcknowledged = true
        } else {
            deadline = now.advanced(by: pause)
        }
        return true
    }

    /// Whether it is time, and allowed, to send once more; then with `token`.
    mutating func isDue(_ now: MonotonicInstant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        self.deadline = nil
        return triesLeft > 0
    }

    mutating func again(token: UInt64, interval: Duration?, now: MonotonicInstant) {
        self.token = token
        triesLeft -= 1
        deadline = interval.map { now.advanced(by: $0) }
    }

    /// No answer is awaited any more.
    mutating func settle() { deadline = nil }

    var mayRepeat: Bool { triesLeft > 0 }
}
