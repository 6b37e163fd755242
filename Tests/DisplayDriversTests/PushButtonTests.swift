import DisplayDrivers
import Octets
import Testing

@Suite("Push button") struct PushButtonTests {
    private static func at(_ milliseconds: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(milliseconds) * 1_000_000)
    }

    /// Plays levels at times in ms, with every deadline when it is due, until `end`.
    private func presses(
        _ levels: [(Int, Bool)], until end: Int = 20_000, isPressed: Bool = false
    ) -> [(Int, PushButton.Press)] {
        var button = PushButton(isPressed: isPressed)
        var waiting = levels
        var result: [(Int, PushButton.Press)] = []
        var turns = 0
        while turns < 1000 {
            turns += 1
            let deadline = button.nextDeadline.map { Int($0.nanoseconds / 1_000_000) } ?? .max
            let next = waiting.first?.0 ?? .max
            let now = min(deadline, next)
            guard now <= end else { break }
            let event: PushButton.Event
            if next <= deadline {
                event = .level(isPressed: waiting.removeFirst().1)
            } else {
                event = .deadlineReached
            }
            result += button.handle(event, now: Self.at(now)).map { (now, $0) }
        }
        #expect(turns < 1000)
        return result
    }

    private func expect(_ found: [(Int, PushButton.Press)], _ expected: [(Int, PushButton.Press)]) {
        #expect(found.map(\.0) == expected.map(\.0) && found.map(\.1) == expected.map(\.1))
    }

    @Test("a press that is let go is short, told 20 ms after") func short() {
        expect(presses([(100, true), (400, false)]), [(420, .short)])
    }

    @Test("a press of 5 s is long, told while it is held, once") func long() {
        expect(presses([(100, true), (9000, false)]), [(5100, .long)])
    }

    @Test("4.9 s are not") func almost() { expect(presses([(100, true), (5000, false)]), [(5020, .short)]) }

    @Test("bounces at both ends are one press") func bounces() {
        let bouncing: [(Int, Bool)] = [
            (100, true), (101, false), (103, true), (107, false), (110, true), (300, false), (305, true), (311, false),
        ]
        expect(presses(bouncing), [(331, .short)])
    }

    @Test("a spike shorter than the debounce time is none") func spike() {
        expect(presses([(100, true), (119, false), (500, true), (501, false)]), [])
    }

    @Test("a bounce at the very moment of the long press delays it, and nothing else") func bounceAtLong() {
        expect(presses([(100, true), (5099, false), (5103, true), (8000, false)]), [(5103, .long)])
    }

    @Test("let go of just before, and asked just after, it was short") func bounceAcrossLong() {
        var button = PushButton()
        _ = button.handle(.level(isPressed: true), now: Self.at(0))
        _ = button.handle(.deadlineReached, now: Self.at(20))
        #expect(button.handle(.level(isPressed: false), now: Self.at(4990)).isEmpty)
        #expect(button.handle(.deadlineReached, now: Self.at(5005)).isEmpty)
        #expect(button.handle(.deadlineReached, now: Self.at(5010)) == [.short])
    }

    @Test("held long enough while nobody looked, it was long") func busy() {
        var button = PushButton()
        _ = button.handle(.level(isPressed: true), now: Self.at(0))
        _ = button.handle(.deadlineReached, now: Self.at(20))
        #expect(button.handle(.level(isPressed: false), now: Self.at(6000)).isEmpty)
        #expect(button.handle(.deadlineReached, now: Self.at(6020)) == [.long])
    }

    @Test("a button held since before the start means nothing until it is let go and pressed again") func heldAtStart()
    {
        expect(presses([(9000, false), (9500, true), (9600, false)], isPressed: true), [(9620, .short)])
    }

    @Test("without events nothing is due") func quiet() { #expect(PushButton().nextDeadline == nil) }

    @Test("an early or repeated deadline does nothing") func idempotent() {
        var button = PushButton()
        _ = button.handle(.level(isPressed: true), now: Self.at(0))
        for _ in 0..<3 { #expect(button.handle(.deadlineReached, now: Self.at(10)).isEmpty) }
        #expect(button.nextDeadline == Self.at(20))
    }
}
