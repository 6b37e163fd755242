import MediaTransport
import Octets
import Testing

/// Sender and receiver on virtual time, over a link that delays and loses in both directions.
@Suite("A stream over a lossy link") struct LossyLinkTests {
    struct Outcome {
        var delivered: [AccessUnit] = []
        var reports: [VideoReceiver.Report] = []
        var measurements: [VideoSender.Measurement] = []
        var sender: VideoSender
    }

    private struct InFlight {
        let at: MonotonicInstant
        let datagram: [UInt8]
        let toViewer: Bool
    }

    /// Plays the film for `seconds` with `loss` lost and every datagram `delay` on its way, a few twice or late.
    private func play(seconds: Int64, loss: Double, delay: Duration, seed: UInt64) throws -> Outcome {
        var chance = Entropy.seeded(seed).fork(label: "link")
        var outcome = Outcome(
            sender: VideoSender(configuration: .init(), entropy: Entropy.seeded(seed).fork(label: "sender")))
        var receiver = VideoReceiver(configuration: .init(), entropy: Entropy.seeded(seed).fork(label: "receiver"))
        var clock: ClipClock?
        let clip = try DemoClip.clip()
        var flights: [InFlight] = []
        var now = instant(1000)
        let end = now.advanced(by: .seconds(seconds))

        func launch(_ datagram: [UInt8], toViewer: Bool) {
            guard Double.random(in: 0..<1, using: &chance) >= loss else { return }
            let extra = Int64.random(in: 0...2000, using: &chance)
            flights.append(
                InFlight(at: now.advanced(by: delay + .microseconds(extra)), datagram: datagram, toViewer: toViewer))
        }
        func perform(_ effects: [VideoSender.Effect]) {
            for effect in effects {
                switch effect {
                case .started: clock = ClipClock(clip: clip, rate: FrameRate(30), timestampBase: 5, start: now)
                case .send(let datagram): launch(datagram, toViewer: true)
                case .resend(let numbers):
                    for number in numbers {
                        launch(datagrams(outcome.sender, first: number, count: 1)[0], toViewer: true)
                    }
                case .measured(let measurement): outcome.measurements.append(measurement)
                case .ended: clock = nil
                }
            }
        }
        func perform(_ effects: [VideoReceiver.Effect]) {
            for effect in effects {
                switch effect {
                case .send(let datagram): launch(datagram, toViewer: false)
                case .deliver(let unit, _): outcome.delivered.append(unit)
                case .report(let report): outcome.reports.append(report)
                case .ended: break
                }
            }
        }

        perform(receiver.handle(.start, now: now))
        while now < end {
            let next = flights.indices.min { flights[$0].at < flights[$1].at }
            let deadlines = [
                next.map { flights[$0].at }, outcome.sender.nextDeadline, receiver.nextDeadline, clock?.nextDeadline,
            ]
            now = max(now, deadlines.compactMap { $0 }.min() ?? end)
            if let next, flights[next].at <= now {
                let flight = flights.remove(at: next)
                if flight.toViewer {
                    perform(receiver.handle(.datagram(flight.datagram), now: now))
                } else {
                    perform(outcome.sender.handle(.control(flight.datagram), now: now))
                }
            }
            perform(outcome.sender.handle(.deadlineReached, now: now))
            perform(receiver.handle(.deadlineReached, now: now))
            if let due = clock?.next(atKeyframe: outcome.sender.asksForKeyframe(at: now), now: now) {
                outcome.sender.begin(due.unit, timestamp: due.timestamp, spread: .milliseconds(16), now: now)
            }
            while let run = outcome.sender.nextBurst(now: now) {
                for datagram in datagrams(outcome.sender, first: run.first, count: run.count) {
                    launch(datagram, toViewer: true)
                }
            }
        }
        return outcome
    }

    @Test("without loss every picture of two loops arrives, in order, octet for octet") func clean() throws {
        let outcome = try play(seconds: 21, loss: 0, delay: .milliseconds(5), seed: 1)
        let units = try DemoClip.clip().units
        #expect(outcome.delivered.count >= 600)
        for (index, unit) in outcome.delivered.prefix(600).enumerated() {
            let sent = units[index % units.count]
            let same = unit.nalUnits.map(unit.nalUnit) == sent.nalUnits.map(sent.nalUnit)
            #expect(same)
        }
        let measured = try #require(outcome.measurements.last?.roundTrip)
        #expect(measured >= .milliseconds(10) && measured < .milliseconds(15))
    }

    @Test("at 5 % loss, either way, repairs keep the picture going", arguments: 1...5 as ClosedRange<UInt64>)
    func fivePercent(_ seed: UInt64) throws {
        let outcome = try play(seconds: 20, loss: 0.05, delay: .milliseconds(5), seed: seed)
        // Of 600 pictures; most losses are repaired in time, the rest cost the wait for a keyframe.
        #expect(outcome.delivered.count > 560, "seed \(seed)")
        let repaired = outcome.reports.reduce(0) { $0 + $1.repaired }
        #expect(repaired > 50)
        #expect(outcome.sender.counters.resent >= UInt64(repaired))
        let worst = outcome.reports.dropFirst().map(\.accessUnits).min() ?? 0
        #expect(worst > 10, "seed \(seed)")
    }

    @Test("at 30 % loss pictures still arrive, each one decodable from the keyframe before it") func heavy() throws {
        let outcome = try play(seconds: 20, loss: 0.3, delay: .milliseconds(20), seed: 9)
        #expect(outcome.delivered.count > 100)
        #expect(outcome.delivered.first?.isKeyframe == true)
        #expect(outcome.reports.reduce(0) { $0 + $1.pictureLossIndications } > 0)
        // A picture that is delivered follows its predecessor in the film, or is a keyframe.
        let units = try DemoClip.clip().units
        let places = Dictionary(
            units.enumerated().map { ($1.nalUnits.map($1.nalUnit), $0) }, uniquingKeysWith: { first, _ in first })
        var previous: Int?
        for unit in outcome.delivered {
            let place = try #require(places[unit.nalUnits.map(unit.nalUnit)])
            #expect(unit.isKeyframe || previous.map { ($0 + 1) % units.count } == place)
            previous = place
        }
    }
}
