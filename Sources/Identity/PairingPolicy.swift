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
    /// How long a PIN that nobody types stays on the display.
    package let attemptDuration: Duration
    package let attempts: PINAttemptLimits

    package static let windowSeconds = 10...3600
    package static let defaultWindowSeconds = 120

    package static let attemptSeconds = 15...300
    package static let defaultAttemptSeconds = 60

    package static let standard = Self(
        unchecked: .command, .seconds(defaultWindowSeconds), .seconds(defaultAttemptSeconds), .standard)

    package init(
        window: Window = .command, windowSeconds: Int = defaultWindowSeconds,
        attemptSeconds: Int = defaultAttemptSeconds, attempts: PINAttemptLimits = .standard
    ) throws(IdentityError) {
        guard Self.windowSeconds.contains(windowSeconds) else {
            throw IdentityError(
                field: "window-seconds", value: "\(windowSeconds)", accepted: Self.windowSeconds.accepted)
        }
        guard Self.attemptSeconds.contains(attemptSeconds) else {
            throw IdentityError(
                field: "attempt-seconds", value: "\(attemptSeconds)", accepted: Self.attemptSeconds.accepted)
        }
        self.init(unchecked: window, .seconds(windowSeconds), .seconds(attemptSeconds), attempts)
    }

    private init(
        unchecked window: Window, _ windowDuration: Duration, _ attemptDuration: Duration, _ attempts: PINAttemptLimits
    ) {
        self.window = window
        self.windowDuration = windowDuration
        self.attemptDuration = attemptDuration
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
}
