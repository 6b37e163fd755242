package import Identity
package import Octets
package import Ports

/// How many guesses of a PIN somebody gets, and how fast.
///
/// Every guess costs the PIN it was made against and a wait of 1, 2, 4 … s up to the cap; `limit` guesses
/// in a row without a pairing lock pairing until a person opens it again. The record outlives restarts.
package struct AttemptPolicy: Sendable {
    package struct Configuration: Equatable, Sendable {
        /// Guesses in a row that lock.
        package var limit: UInt32 = 10
        package var firstDelay: Duration = .seconds(1)
        package var longestDelay: Duration = .seconds(60)

        package init() {}
    }

    package private(set) var record: AttemptRecord
    private let configuration: Configuration
    private var notBefore: MonotonicInstant?

    package init(_ configuration: Configuration, record: AttemptRecord, now: MonotonicInstant) {
        self.configuration = configuration
        self.record = record
        // The wait counts from the start after a restart: a power cut must not shorten it.
        if record.failures > 0 { notBefore = now.advanced(by: Self.delay(after: record.failures, configuration)) }
    }

    /// How long the next attempt has to wait; zero when it may begin.
    package func wait(now: MonotonicInstant) -> Duration {
        guard let notBefore, notBefore > now else { return .zero }
        return now.duration(to: notBefore)
    }

    /// The record as it will be after one more guess: what is on disk before anybody can make it.
    package var reserved: AttemptRecord {
        var copy = self
        copy.count()
        return copy.record
    }

    /// Counts a guess when it is made: the pairing that follows a right one takes it back.
    package mutating func guessed(now: MonotonicInstant) {
        count()
        notBefore = now.advanced(by: Self.delay(after: record.failures, configuration))
    }

    /// A pairing succeeded, or a person unlocked.
    package mutating func reset() {
        record = AttemptRecord()
        notBefore = nil
    }

    private mutating func count() {
        record.failures = record.failures == .max ? .max : record.failures + 1
        record.isLocked = record.isLocked || record.failures >= configuration.limit
    }

    private static func delay(after failures: UInt32, _ configuration: Configuration) -> Duration {
        var delay = configuration.firstDelay
        for _ in 1..<max(1, min(failures, 32)) where delay < configuration.longestDelay { delay = delay * 2 }
        return min(delay, configuration.longestDelay)
    }
}

extension AttemptPolicy.Configuration {
    /// What the identity file provisions.
    package init(_ limits: PINAttemptLimits) {
        self.init()
        limit = UInt32(clamping: limits.lockOutCount)
        firstDelay = limits.firstBackOff
        longestDelay = limits.backOffCap
    }
}
