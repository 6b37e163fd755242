import MediaTransport
import Octets
import Testing

@Suite("The camera's program") struct CameraMachineTests {
    private typealias Effect = CameraMachine.Effect
    private static let film: [UInt8] =
        [
            [0x67, 0x42, 0xC0, 0x1E, 0xDA], [0x68, 0xCE, 0x3C, 0x80], [0x65, 0x88, 0x80, 0xAA],
            [0x41, 0x9A, 0x20, 0x81],
        ]
        .flatMap { [0, 0, 0, 1] + $0 }

    private func report(
        _ state: CameraMachine.Status.State, losses: Int = 0, _ trouble: String? = nil
    ) -> Effect { .report(.init(state: state, losses: losses, trouble: trouble)) }

    /// Started for one viewer at 0.
    private func started() -> CameraMachine {
        var machine = CameraMachine()
        #expect(machine.handle(.viewers(1), now: instant(0)) == [.start, report(.starting)])
        return machine
    }

    /// Shows pictures from 100 ms on.
    private func running() -> CameraMachine {
        var machine = started()
        let effects = machine.handle(.output(Self.film), now: instant(100))
        #expect(effects.first == report(.running))
        #expect(effects.count == 2)
        return machine
    }

    @Test("it starts with the first viewer, is told to end with the last, and has ended when it has") func life() {
        var machine = running()
        #expect(machine.handle(.viewers(2), now: instant(200)) == [])
        #expect(machine.handle(.viewers(1), now: instant(300)) == [])
        #expect(machine.handle(.viewers(0), now: instant(400)) == [.terminate, report(.ending)])
        #expect(!machine.isIdle)
        #expect(machine.handle(.output(Self.film), now: instant(410)) == [])
        #expect(machine.handle(.outputEnded, now: instant(420)) == [])
        #expect(machine.handle(.ended("of its own"), now: instant(430)) == [report(.idle)])
        #expect(machine.isIdle && machine.nextDeadline == nil)
    }

    @Test("one that does not end when it is told to is killed after 2 s") func kill() throws {
        var machine = running()
        _ = machine.handle(.viewers(0), now: instant(400))
        #expect(machine.nextDeadline == instant(2400))
        #expect(machine.handle(.deadlineReached, now: instant(2399)) == [])
        #expect(machine.handle(.deadlineReached, now: instant(2400)) == [.kill])
        #expect(machine.nextDeadline == nil)
        #expect(machine.handle(.ended("by a signal"), now: instant(2410)) == [report(.idle)])
    }

    @Test("a viewer who comes while it ends has it started anew once it has") func comeback() {
        var machine = running()
        _ = machine.handle(.viewers(0), now: instant(400))
        #expect(machine.handle(.viewers(1), now: instant(410)) == [])
        #expect(machine.handle(.ended("of its own"), now: instant(450)) == [.start, report(.starting)])
    }

    @Test("one that dies is started again after 1, 2, 4 … 60 s, and after 1 s again when it ran for a minute")
    func restarts() throws {
        var machine = started()
        var now = instant(0)
        for (index, seconds) in [1, 2, 4, 8, 16, 32, 60, 60].enumerated() {
            now = now.advanced(by: .milliseconds(10))
            #expect(
                machine.handle(.ended("it broke"), now: now)
                    == [report(.waiting(.seconds(seconds)), losses: index + 1, "it broke")])
            let due = now.advanced(by: .seconds(seconds))
            #expect(machine.nextDeadline == due)
            #expect(machine.handle(.deadlineReached, now: due.advanced(by: .nanoseconds(-1))) == [])
            #expect(
                machine.handle(.deadlineReached, now: due)
                    == [.start, report(.starting, losses: index + 1, "it broke")])
            now = due
        }
        // Pictures take the trouble away, the count stays.
        #expect(machine.handle(.output(Self.film), now: now).first == report(.running, losses: 8))
        now = now.advanced(by: .seconds(61))
        #expect(
            machine.handle(.ended("it broke"), now: now) == [report(.waiting(.seconds(1)), losses: 9, "it broke")])
    }

    @Test("one that cannot be started counts as lost, and viewers who come and go do not hurry it") func notStarted() {
        var machine = started()
        #expect(
            machine.handle(.notStarted("no such file"), now: instant(0))
                == [report(.waiting(.seconds(1)), losses: 1, "no such file")])
        #expect(machine.handle(.viewers(0), now: instant(10)) == [])
        #expect(machine.handle(.viewers(1), now: instant(20)) == [])
        #expect(machine.handle(.viewers(0), now: instant(30)) == [])
        #expect(machine.isIdle)
        #expect(machine.handle(.deadlineReached, now: instant(1000)) == [report(.idle, losses: 1, "no such file")])
        #expect(machine.nextDeadline == nil)
    }

    @Test("one that could not be started, which is known only once nobody views, is no loss and not waited for")
    func notStartedForNobody() {
        var machine = started()
        #expect(machine.handle(.viewers(0), now: instant(0)) == [.terminate, report(.ending)])
        #expect(machine.handle(.notStarted("no such file"), now: instant(0)) == [report(.idle)])
        #expect(machine.isIdle && machine.nextDeadline == nil)
        #expect(machine.handle(.viewers(1), now: instant(10)) == [.start, report(.starting)])
        // Somebody views again by the time it is known.
        _ = machine.handle(.viewers(0), now: instant(10))
        #expect(machine.handle(.viewers(1), now: instant(10)) == [])
        #expect(machine.handle(.notStarted("no such file"), now: instant(10)) == [.start, report(.starting)])
    }

    @Test("one that writes nothing for 5 s is ended, and started again 1 s after it has") func stall() {
        var machine = running()
        // The picture not over yet is over after 5 ms of quiet.
        #expect(machine.handle(.deadlineReached, now: instant(105)).count == 1)
        #expect(machine.nextDeadline == instant(5105))
        #expect(machine.handle(.deadlineReached, now: instant(5104)) == [])
        #expect(machine.handle(.deadlineReached, now: instant(5105)) == [.terminate])
        let cause = "it has written nothing for 5 s"
        #expect(
            machine.handle(.ended("by a signal"), now: instant(5200))
                == [report(.waiting(.seconds(1)), losses: 1, cause)])
    }

    @Test("one that hangs from its start is ended, too") func silence() {
        var machine = started()
        #expect(machine.nextDeadline == instant(5000))
        #expect(machine.handle(.deadlineReached, now: instant(5000)) == [.terminate])
        #expect(machine.nextDeadline == instant(7000))
        #expect(machine.handle(.deadlineReached, now: instant(7000)) == [.kill])
        _ = machine.handle(.viewers(0), now: instant(7001))
        // Whoever views next waits as long as anybody would have.
        #expect(
            machine.handle(.ended(""), now: instant(7002))
                == [report(.waiting(.seconds(1)), losses: 1, "it has written nothing for 5 s")])
    }

    @Test("one that writes garbage for ever is read no faster than its share, and ended after 5 s") func garbage()
        throws
    {
        var machine = started()
        var now = instant(0)
        var read = 0
        var effects: [Effect] = []
        let piece = [UInt8](repeating: 0x5A, count: 1 << 16)
        while effects.isEmpty, now < instant(20_000) {
            if machine.isReading {
                read += piece.count
                effects = machine.handle(.output(piece), now: now)
                now = now.advanced(by: .microseconds(100))
            } else {
                now = try #require(machine.nextDeadline)
                effects = machine.handle(.deadlineReached, now: now)
            }
        }
        #expect(effects == [.terminate])
        #expect(now >= instant(5000) && now < instant(5100))
        // 1 MiB in 50 ms.
        #expect(read <= 101 << 20)
        let lost = machine.handle(.ended(""), now: now)
        #expect(
            lost == [
                report(
                    .waiting(.seconds(1)), losses: 1,
                    "no picture that a viewer could start at in what it wrote for 5 s")
            ])
    }

    @Test("one that floods its output while it ends is read no faster than its share, either") func lastFlood() {
        var machine = running()
        _ = machine.handle(.viewers(0), now: instant(400))
        let flood = [UInt8](repeating: 0x5A, count: CameraMachine.windowOctets)
        #expect(machine.handle(.output(flood), now: instant(410)) == [])
        #expect(!machine.isReading && machine.nextDeadline == instant(460))
        #expect(machine.handle(.deadlineReached, now: instant(460)) == [])
        #expect(machine.isReading && machine.nextDeadline == instant(2400))
    }

    @Test("the end of its output is explained by its own end, or else ends it") func output() {
        var one = running()
        #expect(one.handle(.outputEnded, now: instant(500)) == [])
        #expect(
            one.handle(.ended("it has ended with exit status 3"), now: instant(510))
                == [report(.waiting(.seconds(1)), losses: 1, "it has ended with exit status 3")])
        var other = running()
        _ = other.handle(.outputEnded, now: instant(500))
        #expect(other.nextDeadline == instant(700))
        #expect(other.handle(.deadlineReached, now: instant(700)) == [.terminate])
        #expect(
            other.handle(.ended("by a signal"), now: instant(710))
                == [report(.waiting(.seconds(1)), losses: 1, "it has closed its output")])
    }
}
