import Octets
import Ports
import SimulatedMedium
import Testing

@Suite("Impairments") struct ImpairmentTests {
    private static let count: UInt16 = 1000

    private func run(
        _ impairments: Impairments, seed: UInt64 = 7, to destination: MACAddress = Fixture.nmi(1).address
    ) -> (harness: AirHarness, radios: [VirtualAir.RadioID]) {
        var harness = AirHarness(seed: seed)
        let radios = harness.connect(impairments)
        harness.stream(Self.count, to: destination, from: radios[0])
        return (harness, radios)
    }

    @Test("a perfect air delivers everything once, in order, in one attempt each")
    func perfect() {
        let (harness, radios) = run(Impairments())
        #expect(harness.numbers(at: radios[1]) == Array(0..<Int(Self.count)))
        #expect(harness.statuses(at: radios[0], acknowledged: true).count == Int(Self.count))
        let statistics = harness.air.statistics
        #expect(statistics.frames == Int(Self.count))
        #expect(statistics.attempts == statistics.frames)
    }

    @Test("the MAC repairs 20 % loss of frames and acknowledgements with repetitions")
    func repairsLoss() {
        let (harness, radios) = run(.lossy(0.2))
        let numbers = harness.numbers(at: radios[1])
        // An exchange succeeds with 0.8², so 1.5625 attempts a frame; eight fail with 0.36⁸ = 0.0003.
        #expect(numbers.count >= Int(Self.count) - 3)
        #expect(Set(numbers).count == numbers.count, "the MAC recognises repetitions from a station")
        #expect(numbers == numbers.sorted(), "repetitions overtake nothing")
        let statistics = harness.air.statistics(of: radios[0])
        let ratio = Double(statistics.attempts) / Double(statistics.frames)
        #expect((1.45...1.68).contains(ratio), "\(ratio) attempts a frame")
        let heard = harness.air.statistics(of: radios[1])
        #expect(heard[.repetition] > 0)
    }

    @Test("residual loss survives every repetition and is reported as not acknowledged")
    func residual() {
        let (harness, radios) = run(.lossy(0.2, residual: 0.03))
        let lost = harness.statuses(at: radios[0], acknowledged: false)
        #expect((15...50).contains(lost.count), "\(lost.count) of 1000")
        let numbers = Set(harness.numbers(at: radios[1]))
        #expect(lost.subtracting(numbers).count >= lost.count - 3)
        let missing = Set(0..<Int(Self.count)).subtracting(numbers)
        #expect(missing.isSubset(of: lost))
    }

    @Test("delivery loss is acknowledged and never delivered")
    func deliveryLoss() {
        let (harness, radios) = run(Impairments(deliveryLoss: 0.1))
        #expect(harness.statuses(at: radios[0], acknowledged: true).count == Int(Self.count))
        let missing = Int(Self.count) - harness.numbers(at: radios[1]).count
        #expect((65...140).contains(missing), "\(missing) of 1000")
        #expect(harness.air.statistics(of: radios[1])[.lostInside] == missing)
    }

    @Test("a multicast frame is not repeated, so loss is loss")
    func multicastLoss() {
        let (harness, radios) = run(.lossy(0.2), to: Fixture.networkID)
        let statistics = harness.air.statistics(of: radios[0])
        #expect(statistics.attempts == statistics.frames)
        let share = Double(harness.numbers(at: radios[1]).count) / Double(statistics.frames)
        #expect((0.74...0.86).contains(share), "\(share) delivered")
    }

    @Test("duplication delivers a frame twice")
    func duplication() {
        let (harness, radios) = run(Impairments(duplication: 0.1))
        let numbers = harness.numbers(at: radios[1])
        let copies = numbers.count - Set(numbers).count
        #expect(Set(numbers).count == Int(Self.count))
        #expect((65...140).contains(copies), "\(copies) of 1000")
    }

    @Test("reordering lets later frames overtake earlier ones and loses none")
    func reordering() {
        let (harness, radios) = run(Impairments(reordering: 0.1, reorderingDelay: .milliseconds(50)))
        let numbers = harness.numbers(at: radios[1])
        #expect(Set(numbers).count == Int(Self.count))
        #expect(zip(numbers, numbers.dropFirst()).contains { $0 > $1 })
    }

    @Test("delay stays in its range")
    func delay() throws {
        var harness = AirHarness(seed: 3)
        let radios = harness.connect(Impairments(delay: .milliseconds(30) ... .milliseconds(40)))
        let cluster = try #require(harness.cluster(of: radios[0]))
        harness.forget()
        let queued = harness.now
        let frame = Fixture.frame(to: Fixture.nmi(1).address, from: Fixture.nmi(0), in: cluster, number: 1)
        harness.perform(.transmit(Transmission(id: TransmitID(1), frame: frame)), on: radios[0])
        harness.pass(.seconds(1))
        let arrival = harness.told.first { if case .received = $0.event { true } else { false } }
        let took = arrival.map { queued.duration(to: $0.at) }
        // Up to 5 ms of queue, a slot of discovery window, the airtime, and the delay.
        #expect(took.map { $0 >= .milliseconds(30) && $0 <= .milliseconds(66) } == true, "\(String(describing: took))")
    }

    @Test("a seed repeats everything, another one something else")
    func reproducible() {
        let impairments = Impairments(
            frameLoss: 0.2, acknowledgementLoss: 0.2, residualLoss: 0.03, duplication: 0.05,
            delay: .zero ... .milliseconds(3), reordering: 0.05)
        func story(_ seed: UInt64) -> [String] {
            var harness = AirHarness(seed: seed)
            let radios = harness.connect(impairments)
            harness.stream(100, to: Fixture.nmi(1).address, from: radios[0])
            return harness.told.map { "\($0.at.nanoseconds) \($0.radio) \($0.event)" }
        }
        #expect(story(11) == story(11))
        #expect(story(11) != story(12))
    }
}
