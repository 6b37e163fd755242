import LinuxRuntime
import Octets
import Testing

@Suite("Lines that repeat") struct LogLimiterTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let kind = LogLimiter.Kind(.info, "pairing", "the window is open")

    @Test("of one kind in a second so many are written, and then one says how many were not") func flood() {
        var limiter = LogLimiter()
        let written = (0..<3000).filter { _ in limiter.admits(kind, now: start) }
        #expect(written.count == LogLimiter.linesPerSecond)
        #expect(limiter.isHolding)
        #expect(limiter.takeHeld(now: start.advanced(by: .milliseconds(999))).isEmpty)
        let held = limiter.takeHeld(now: start.advanced(by: .seconds(1)))
        #expect(held.map(\.kind) == [kind] && held.map(\.lines) == [2980])
        #expect(!limiter.isHolding)
        let isAdmitted = limiter.admits(kind, now: start.advanced(by: .seconds(1)))
        #expect(isAdmitted)
    }

    @Test("one kind does not hold back another") func others() {
        var limiter = LogLimiter()
        for _ in 0..<100 { _ = limiter.admits(kind, now: start) }
        let isAdmitted = limiter.admits(LogLimiter.Kind(.info, "pairing", "the window is closed"), now: start)
        #expect(isAdmitted)
    }

    @Test("ever new kinds neither grow the table nor the log") func manyKinds() {
        var limiter = LogLimiter()
        let written = (0..<10_000).filter { limiter.admits(LogLimiter.Kind(.warning, "media", "\($0)"), now: start) }
        #expect(written.count == LogLimiter.kindLimit + LogLimiter.linesPerSecond)
        let held = limiter.takeHeld(now: nil)
        #expect(held.map(\.lines) == [10_000 - written.count])
    }
}
