package import Octets

/// Round trips of small datagrams that a program echoes, and their percentiles.
package struct RoundTrips: Sendable {
    /// Probes under way at once; an answer to an older one is not counted.
    private static let pendingLimit = 256
    /// Round trips kept for the percentiles: a minute at 50 a second.
    private static let sampleLimit = 3000
    /// First octets of a probe: outside what a shared port reserves.
    private static let mark: [UInt8] = Array("ping".utf8)

    /// Percentiles of the round trips kept; nil before the first.
    package struct Summary: Equatable, Sendable {
        package let median: Duration
        package let ninetyNinth: Duration
        package let sent: Int
        package let answered: Int
    }

    private var pending: [(number: UInt64, at: MonotonicInstant)?] = Array(repeating: nil, count: pendingLimit)
    private var samples: [Int64] = []
    private var nextSample = 0
    private var nextNumber: UInt64 = 0
    private var answered = 0

    package init() {}

    /// The next probe to send.
    package mutating func probe(at now: MonotonicInstant) -> [UInt8] {
        pending[Int(nextNumber % UInt64(Self.pendingLimit))] = (nextNumber, now)
        defer { nextNumber += 1 }
        return Self.mark + (0..<8).map { UInt8(truncatingIfNeeded: nextNumber >> UInt64(56 - 8 * $0)) }
    }

    /// Takes an answer; false when it is none of ours.
    package mutating func take(_ datagram: [UInt8], at now: MonotonicInstant) -> Bool {
        guard datagram.count == Self.mark.count + 8, datagram.starts(with: Self.mark) else { return false }
        let number = datagram.dropFirst(Self.mark.count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let slot = Int(number % UInt64(Self.pendingLimit))
        guard let probe = pending[slot], probe.number == number else { return true }
        pending[slot] = nil
        answered += 1
        let sample = now.nanoseconds - probe.at.nanoseconds
        if samples.count < Self.sampleLimit {
            samples.append(sample)
        } else {
            samples[nextSample] = sample
        }
        nextSample = (nextSample + 1) % Self.sampleLimit
        return true
    }

    package var summary: Summary? {
        guard !samples.isEmpty else { return nil }
        let sorted = samples.sorted()
        // Nearest rank.
        func percentile(_ part: Int) -> Duration { .nanoseconds(sorted[(sorted.count * part + 99) / 100 - 1]) }
        return Summary(
            median: percentile(50), ninetyNinth: percentile(99), sent: Int(nextNumber), answered: answered)
    }
}
