package import Octets

/// Pictures per second as a fraction, so that 30000/1001 stays exact.
package struct FrameRate: Equatable, Sendable {
    package let numerator: Int64
    package let denominator: Int64

    /// - Precondition: both are positive and the rate is at most 240 pictures a second.
    package init(_ numerator: Int64, over denominator: Int64 = 1) {
        precondition(numerator > 0 && denominator > 0 && numerator <= 240 * denominator)
        self.numerator = numerator
        self.denominator = denominator
    }

    /// How long after the first picture the one numbered `index` is due.
    package func offset(of index: Int64) -> Duration { .nanoseconds(scaled(index, 1_000_000_000)) }

    /// The same in units of the 90 kHz media clock.
    package func ticks(of index: Int64) -> Int64 { scaled(index, 90_000) }

    package var interval: Duration { offset(of: 1) }

    private func scaled(_ index: Int64, _ unit: Int64) -> Int64 {
        // Split, so that a stream that runs for years stays within 64 bits.
        let (whole, rest) = index.quotientAndRemainder(dividingBy: numerator)
        return whole * denominator * unit + rest * denominator * unit / numerator
    }
}

/// Plays a clip in a loop to one viewer: which access unit is due when, and its timestamp.
package struct ClipClock: Sendable {
    /// A picture this late is not worth sending: the next one is already due, and the phone shows what is newest.
    package static let latenessLimit: Duration = .milliseconds(150)

    /// Pictures left out because they were late.
    package private(set) var skipped: UInt64 = 0

    private let clip: Clip
    private let rate: FrameRate
    private let timestampBase: UInt32
    private let start: MonotonicInstant
    /// Pictures due since `start`, sent or left out: the clock's own count, which never jumps back.
    private var tick: Int64 = 0
    private var position = 0
    /// Left out a picture, so that what follows it cannot be decoded.
    private var hasGap = false

    package init(clip: Clip, rate: FrameRate, timestampBase: UInt32, start: MonotonicInstant) {
        self.clip = clip
        self.rate = rate
        self.timestampBase = timestampBase
        self.start = start
    }

    /// When the next access unit is due.
    package var nextDeadline: MonotonicInstant { start.advanced(by: rate.offset(of: tick)) }

    /// The media clock at `now`, for sender reports.
    package func timestamp(at now: MonotonicInstant) -> UInt32 {
        timestampBase &+ UInt32(truncatingIfNeeded: start.duration(to: now).nanosecondsValue * 9 / 100_000)
    }

    package var interval: Duration { rate.interval }

    /// The access unit that is due, if one is; with `atKeyframe` the next keyframe, wherever the clip is.
    package mutating func next(atKeyframe: Bool, now: MonotonicInstant) -> (unit: AccessUnit, timestamp: UInt32)? {
        guard nextDeadline <= now else { return nil }
        while nextDeadline.advanced(by: Self.latenessLimit) < now {
            tick += 1
            position = (position + 1) % clip.units.count
            skipped += 1
            hasGap = true
        }
        if atKeyframe || hasGap { position = clip.entryPoint(from: position) }
        hasGap = false
        let unit = clip.units[position]
        let timestamp = timestampBase &+ UInt32(truncatingIfNeeded: rate.ticks(of: tick))
        tick += 1
        position = (position + 1) % clip.units.count
        return (unit, timestamp)
    }
}
