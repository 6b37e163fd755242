/// When the accessory lets itself be paired, and how it treats guesses.
package struct PairingPolicy: Hashable, Sendable {
    /// What opens the pairing window.
    package enum Window: String, CaseIterable, Hashable, Sendable {
        case always
        case button
        case afterBoot = "after-boot"
        case command
    }

    package let window: Window
    /// How long it stays open; without meaning for `always`.
    package let windowDuration: Duration
    package let attempts: PINAttemptLimits

    package static let windowSeconds = 10...3600
    package static let defaultWindowSeconds = 120

    package static let standard = Self(unchecked: .command, .seconds(defaultWindowSeconds), .standard)

    package init(
        window: Window = .command, windowSeconds: Int = defaultWindowSeconds, attempts: PINAttemptLimits = .standard
    ) throws(IdentityError) {
        guard Self.windowSeconds.contains(windowSeconds) else {
            throw IdentityError(
                field: "window-seconds", value: "\(windowSeconds)", accepted: Self.windowSeconds.accepted)
        }
        self.init(unchecked: window, .seconds(windowSeconds), attempts)
    }

    private init(unchecked window: Window, _ duration: Duration, _ attempts: PINAttemptLimits) {
        self.window = window
        windowDuration = duration
        self.attempts = attempts
    }
}

/// How wrong PINs are slowed down and, in the end, stopped.
///
/// Each failed attempt doubles the wait before the next, from `firstBackOff` up to `backOffCap`; after
/// `lockOutCount` in a row nobody pairs until the owner opens the window by command.
package struct PINAttemptLimits: Hashable, Sendable {
    package let lockOutCount: Int
    package let firstBackOff: Duration
    package let backOffCap: Duration

    /// Upper bound: 100 guesses at six-digit PINs succeed once in 10,000 lock-outs.
    package static let lockOutCounts = 3...100
    package static let defaultLockOutCount = 10
    package static let firstBackOffSeconds = 1...60
    package static let defaultFirstBackOffSeconds = 1
    package static let backOffCapSeconds = 1...3600
    package static let defaultBackOffCapSeconds = 60

    package static let standard = Self(
        unchecked: defaultLockOutCount, .seconds(defaultFirstBackOffSeconds), .seconds(defaultBackOffCapSeconds))

    package init(
        lockOutCount: Int = defaultLockOutCount, firstBackOffSeconds: Int = defaultFirstBackOffSeconds,
        backOffCapSeconds: Int = defaultBackOffCapSeconds
    ) throws(IdentityError) {
        guard Self.lockOutCounts.contains(lockOutCount) else {
            throw IdentityError(
                field: "lock-out-attempts", value: "\(lockOutCount)", accepted: Self.lockOutCounts.accepted)
        }
        guard Self.firstBackOffSeconds.contains(firstBackOffSeconds) else {
            throw IdentityError(
                field: "first-back-off-seconds", value: "\(firstBackOffSeconds)",
                accepted: Self.firstBackOffSeconds.accepted)
        }
        guard Self.backOffCapSeconds.contains(backOffCapSeconds), backOffCapSeconds >= firstBackOffSeconds else {
            throw IdentityError(
                field: "back-off-cap-seconds", value: "\(backOffCapSeconds)",
                accepted: "\(Self.backOffCapSeconds.accepted), not less than first-back-off-seconds")
        }
        self.init(unchecked: lockOutCount, .seconds(firstBackOffSeconds), .seconds(backOffCapSeconds))
    }

    private init(unchecked count: Int, _ first: Duration, _ cap: Duration) {
        lockOutCount = count
        firstBackOff = first
        backOffCap = cap
    }

    /// The wait after so many failures in a row.
    package func backOff(afterFailures failures: Int) -> Duration {
        guard failures > 0 else { return .zero }
        // Past 31 doublings of a second every cap is reached.
        return min(backOffCap, firstBackOff * (1 << min(failures - 1, 31)))
    }
}
