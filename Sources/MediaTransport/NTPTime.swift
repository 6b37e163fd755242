package import Octets

/// An NTP timestamp: seconds in 32.32 fixed point.
///
/// It counts from the start of the system, not from 1900: a board without a battery has no wall clock to trust, and
/// RTCP only needs differences (RFC 3550, 6.4.1, allows elapsed time).
package struct NTPTime: Hashable, Sendable {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }

    package init(_ instant: MonotonicInstant) {
        let (seconds, rest) = UInt64(max(0, instant.nanoseconds)).quotientAndRemainder(dividingBy: 1_000_000_000)
        rawValue = seconds << 32 | (rest << 32) / 1_000_000_000
    }

    /// The middle 32 bits, the 16.16 form of report blocks.
    package var middle: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 16) }
}

extension Duration {
    /// From 16.16 fixed-point seconds.
    package init(middleNTP value: UInt32) {
        self = .nanoseconds(Int64(value) * 1_000_000_000 / 65536)
    }

    /// In 16.16 fixed-point seconds, cut at what 32 bits hold.
    package var middleNTP: UInt32 {
        UInt32(clamping: max(0, nanosecondsValue) / 1000 * 65536 / 1_000_000)
    }

    /// In nanoseconds, for arithmetic on media clocks.
    var nanosecondsValue: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }
}
