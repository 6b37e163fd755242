package import Octets

/// Keeps one kind of line from filling the log: so many a second, and then one that says how many more there were.
package struct LogLimiter: Sendable {
    /// A kind of line: what changes from line to line is in its fields.
    package struct Kind: Hashable, Sendable {
        package let level: LogLevel
        package let subsystem: String
        package let message: String

        package init(_ level: LogLevel, _ subsystem: String, _ message: String) {
            self.level = level
            self.subsystem = subsystem
            self.message = message
        }
    }

    private struct Count {
        let since: MonotonicInstant
        var lines = 0
        var held = 0
    }

    /// Lines of one kind in one second: more than anybody reads.
    package static let linesPerSecond = 20
    /// Kinds in one second; the program has fewer, but for what others put into a message.
    package static let kindLimit = 64

    private var counts: [Kind: Count] = [:]

    package init() {}

    package var isHolding: Bool { counts.values.contains { $0.held > 0 } }

    /// Whether a line may be written; call `takeHeld` first.
    package mutating func admits(_ given: Kind, now: MonotonicInstant) -> Bool {
        let isKnown = counts[given] != nil || counts.count < Self.kindLimit
        let kind = isKnown ? given : Kind(given.level, "log", "lines of many kinds")
        var count = counts[kind] ?? Count(since: now)
        defer { counts[kind] = count }
        guard count.lines < Self.linesPerSecond else {
            count.held += 1
            return false
        }
        count.lines += 1
        return true
    }

    /// Forgets the kinds whose second is over, or all of them; returns what was held back of them.
    package mutating func takeHeld(now: MonotonicInstant?) -> [(kind: Kind, lines: Int)] {
        let over = counts.filter { _, count in now.map { count.since.duration(to: $0) >= .seconds(1) } ?? true }
        for kind in over.keys { counts[kind] = nil }
        return over.filter { $0.value.held > 0 }.sorted { $0.value.since < $1.value.since }.map {
            ($0.key, $0.value.held)
        }
    }
}
