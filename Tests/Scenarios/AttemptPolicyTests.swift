import AccessoryCore
import Octets
import Ports
import Testing

@Suite("PIN attempts") struct AttemptPolicyTests {
    let start = MonotonicInstant(nanoseconds: 0)

    func policy(limit: UInt32 = 10, record: AttemptRecord = AttemptRecord()) -> AttemptPolicy {
        var configuration = AttemptPolicy.Configuration()
        configuration.limit = limit
        return AttemptPolicy(configuration, record: record, now: start)
    }

    @Test("each guess doubles the wait, from 1 s to the cap of 60 s") func backOff() {
        var policy = policy(limit: 100)
        var waits: [Duration] = []
        for _ in 0..<8 {
            policy.guessed(now: start)
            waits.append(policy.wait(now: start))
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    }

    /// Swift 6.0 wants the sum in steps.
    private func waiting(guesses: Int) -> Duration {
        var policy = policy(limit: UInt32(guesses))
        var sum = Duration.zero
        for _ in 1..<guesses {
            policy.guessed(now: start)
            #expect(!policy.record.isLocked)
            sum += policy.wait(now: start)
        }
        policy.guessed(now: start)
        #expect(policy.record.isLocked)
        return sum
    }

    @Test("ten guesses, then the lock, take 243 s of waiting; a hundred take 94 minutes") func guessing() {
        #expect(waiting(guesses: 10) == .seconds(243))
        #expect(waiting(guesses: 100) == .seconds(63 + 93 * 60))
    }

    @Test("the wait is over at its deadline and not before") func deadline() {
        var policy = policy()
        policy.guessed(now: start)
        #expect(policy.wait(now: start.advanced(by: .nanoseconds(999_999_999))) == .nanoseconds(1))
        #expect(policy.wait(now: start.advanced(by: .seconds(1))) == .zero)
    }

    @Test("the limit locks, and only a success or a person unlocks") func lock() {
        var policy = policy(limit: 3)
        for _ in 0..<2 { policy.guessed(now: start) }
        #expect(!policy.record.isLocked)
        policy.guessed(now: start)
        #expect(policy.record == AttemptRecord(failures: 3, isLocked: true))
        policy.reset()
        #expect(policy.record == AttemptRecord())
        #expect(policy.wait(now: start) == .zero)
    }

    @Test("a restart neither unlocks nor shortens the wait") func restart() {
        let policy = policy(record: AttemptRecord(failures: 4, isLocked: true))
        #expect(policy.record.isLocked)
        #expect(policy.wait(now: start) == .seconds(8))
    }
}
