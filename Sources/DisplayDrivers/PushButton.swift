package import Octets

/// A push button: its bounces taken away, and how long it was pressed.
package struct PushButton: Equatable, Sendable {
    package enum Event: Equatable, Sendable {
        /// What its line says now.
        case level(isPressed: Bool)
        case deadlineReached
    }

    package enum Press: Hashable, Sendable {
        /// Told when it is let go.
        case short
        /// Told as soon as it has been held long enough, once.
        case long
    }

    package static let debounceMilliseconds = 1...200
    package static let defaultDebounceMilliseconds = 20
    package static let longPressMilliseconds = 1000...30_000
    package static let defaultLongPressMilliseconds = 5000

    private enum State: Equatable {
        case released
        case pressed(long: MonotonicInstant)
        /// Pressed for longer than a long press, or since before the start: what follows is its release.
        case spent
    }

    private let debounce: Duration
    private let longPress: Duration
    private var state: State
    /// What the line said last; becomes the state when it has said so for `debounce`.
    private var level: Bool
    private var changed: MonotonicInstant?

    /// - Parameter isPressed: as the line is found at the start; that press means nothing.
    package init(
        debounce: Duration = .milliseconds(defaultDebounceMilliseconds),
        longPress: Duration = .milliseconds(defaultLongPressMilliseconds), isPressed: Bool = false
    ) {
        self.debounce = debounce
        self.longPress = longPress
        state = isPressed ? .spent : .released
        level = isPressed
    }

    package var nextDeadline: MonotonicInstant? {
        // While it bounces nobody knows whether it is still held.
        if let changed { return changed.advanced(by: debounce) }
        if case .pressed(let long) = state { return long }
        return nil
    }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Press] {
        // What was due before this event comes first.
        var presses = settle(now)
        if case .level(let isPressed) = event, isPressed != level {
            level = isPressed
            changed = isPressed == isDown ? nil : now
        }
        if case .pressed(let long) = state, long <= now, changed == nil {
            state = .spent
            presses.append(.long)
        }
        return presses
    }

    private var isDown: Bool { state != .released }

    private mutating func settle(_ now: MonotonicInstant) -> [Press] {
        guard let since = changed, since.advanced(by: debounce) <= now else { return [] }
        changed = nil
        switch (state, level) {
        case (.released, true):
            state = .pressed(long: since.advanced(by: longPress))
            return []
        case (.pressed(let long), false):
            state = .released
            // Held until then, though nobody looked meanwhile.
            return [since >= long ? .long : .short]
        case (.spent, false):
            state = .released
            return []
        default: return []
        }
    }
}
