import NANFrames
import Octets
import Ports
import SimulatedMedium
import Testing

@Suite("Windows and clusters") struct WindowTests {
    private static let window = Duration.timeUnits(512)

    @Test("windows lie at multiples of 512 TU, slots at multiples of 16 TU")
    func slots() {
        let slot = Slot(at: MonotonicInstant(nanoseconds: 524_288_000 * 9 + 16_384_000 * 8 + 1))
        #expect(slot.position == 8)
        #expect(slot.period == 9)
        #expect(slot.start.nanoseconds == 524_288_000 * 9 + 16_384_000 * 8)
    }

    @Test("the next window is announced one slot after the start of the one before, by all in the same slot")
    func announcements() {
        var harness = AirHarness(seed: 1)
        let radios = (0..<3).map { _ in harness.air.addRadio() }
        for (index, radio) in radios.enumerated() {
            harness.perform(.start(RadioConfiguration(nmi: Fixture.nmi(UInt64(index)))), on: radio)
        }
        harness.pass(.seconds(20))
        let announced = harness.told.filter { $0.event == .discoveryWindowAhead(frequency: 2437) }
        #expect(announced.count == 38 * 3)
        #expect(announced.allSatisfy { $0.at.nanoseconds % 524_288_000 == 16_384_000 })
    }

    @Test("the cluster of the higher master preference takes the other in, whichever started first", arguments: [0, 1])
    func merge(_ first: Int) throws {
        var harness = AirHarness(seed: 2)
        let radios = (0...1).map { _ in harness.air.addRadio() }
        harness.handle(.reach(radios[0], radios[1], isInRange: false))
        for index in [first, 1 - first] {
            let preference: UInt8 = index == 0 ? 200 : 10
            harness.perform(
                .start(RadioConfiguration(nmi: Fixture.nmi(UInt64(index)), masterPreference: preference)),
                on: radios[index])
            harness.pass(.seconds(3))
        }
        let strong = try #require(harness.cluster(of: radios[0]))
        let weak = try #require(harness.cluster(of: radios[1]))
        #expect(strong != weak)
        harness.forget()
        harness.handle(.reach(radios[0], radios[1], isInRange: true))
        let before = harness.now
        harness.pass(.seconds(2))
        #expect(harness.events(of: radios[1]).contains(.clusterJoined(strong, isNew: false)))
        #expect(harness.cluster(of: radios[0]) == nil, "the stronger one stays where it is")
        let at = try #require(harness.told.first { $0.event == .clusterJoined(strong, isNew: false) }?.at)
        #expect(before.duration(to: at) <= Self.window + Slot.length)
        #expect(at.nanoseconds % 524_288_000 == 16_384_000, "at the end of the window in which it was heard")
    }

    @Test("eight radios started at any time end in one cluster")
    func manyMerge() {
        var harness = AirHarness(seed: 5)
        var entropy = Entropy.seeded(6)
        let radios = (0..<8).map { _ in harness.air.addRadio() }
        for (index, radio) in radios.enumerated() {
            harness.perform(.start(RadioConfiguration(nmi: Fixture.nmi(UInt64(index)))), on: radio)
            harness.pass(.milliseconds(Int.random(in: 0...400, using: &entropy)))
        }
        harness.pass(.seconds(5))
        let clusters = Set(radios.map { harness.cluster(of: $0) })
        #expect(clusters.count == 1)
        #expect(!clusters.contains(nil))
    }

    @Test("a configured cluster is made, and preferred among those heard")
    func configuredCluster() {
        var harness = AirHarness(seed: 8)
        let wanted = ClusterID(MACAddress(bits: 0x506F_9A01_1234))
        let radio = harness.air.addRadio()
        harness.perform(.start(RadioConfiguration(nmi: Fixture.nmi(1), cluster: wanted)), on: radio)
        harness.pass(.seconds(2))
        #expect(harness.events(of: radio).contains(.clusterJoined(wanted, isNew: true)))
    }

    @Test("frames queued for one window all leave in it, by two dozen")
    func windowHoldsMany() throws {
        var harness = AirHarness(seed: 9)
        let radios = (0...1).map { _ in harness.air.addRadio() }
        for (index, radio) in radios.enumerated() {
            harness.perform(.start(RadioConfiguration(nmi: Fixture.nmi(UInt64(index)))), on: radio)
        }
        harness.pass(.seconds(5))
        let cluster = try #require(harness.cluster(of: radios[0]))
        while !harness.told.suffix(2).contains(where: { $0.event == .discoveryWindowAhead(frequency: 2437) }) {
            harness.forget()
            harness.pass(.milliseconds(1))
        }
        harness.forget()
        for number: UInt16 in 0..<24 {
            let frame = Fixture.frame(to: Fixture.networkID, from: Fixture.nmi(0), in: cluster, number: number)
            harness.perform(.transmit(Transmission(id: TransmitID(UInt64(number)), frame: frame)), on: radios[0])
        }
        harness.pass(Self.window)
        #expect(harness.numbers(at: radios[1]) == Array(0..<24))
    }

    @Test("a peer that commits to every second window is reached in those only")
    func committedWindows() throws {
        var harness = AirHarness(seed: 10)
        let radios = harness.connect()
        let peer = Fixture.nmi(1)
        harness.perform(.setPeerSchedule(peer, PeerRadioSchedule(committedDW: 0x0002)), on: radios[0])
        let cluster = try #require(harness.cluster(of: radios[0]))
        for number: UInt16 in 0..<8 {
            harness.pass(.milliseconds(Int(number) * 97 + 300))
            harness.forget()
            let frame = Fixture.frame(to: peer.address, from: Fixture.nmi(0), in: cluster, number: number)
            harness.perform(.transmit(Transmission(id: TransmitID(1), frame: frame)), on: radios[0])
            harness.pass(.milliseconds(1100))
            let arrivals = harness.told.filter { if case .received = $0.event { true } else { false } }
            #expect(arrivals.count == 1)
            for arrival in arrivals {
                #expect(Slot(at: arrival.at).position == 0)
                #expect(Slot(at: arrival.at).period % 2 == 0)
            }
        }
    }

    @Test("a radio that fell silent is inactive, fed activity makes it active again")
    func inactivity() throws {
        var harness = AirHarness(seed: 12)
        let radios = harness.connect()
        let (own, other) = (Fixture.ndi(0), Fixture.ndi(1))
        let data = DataPeer(interface: own, peer: other)
        harness.perform(
            .addDataInterface(own), .authorizePeer(Fixture.nmi(1), .simulated),
            .addDataPeer(data, of: Fixture.nmi(1), isProtected: false), .authorizeDataPeer(data), on: radios[0])
        func inactivity() -> Duration? {
            harness.forget()
            harness.perform(.queryInactivity(data), on: radios[0])
            for case .inactivity(data, let duration) in harness.events(of: radios[0]) { return duration }
            return nil
        }
        harness.pass(.seconds(10))
        let alive = try #require(inactivity())
        #expect(alive <= Self.window + .milliseconds(5), "its beacons are heard")
        harness.handle(.removed(radios[1]))
        harness.pass(.seconds(30))
        let dead = try #require(inactivity())
        #expect(dead >= .seconds(29))
        harness.handle(.activity(radios[0], data))
        harness.pass(.seconds(1))
        let fed = try #require(inactivity())
        #expect(fed == .seconds(1))
    }

    @Test("a radio removed for good fails to start")
    func removed() {
        var harness = AirHarness(seed: 13)
        let radio = harness.air.addRadio()
        harness.perform(.start(RadioConfiguration(nmi: Fixture.nmi(1))), on: radio)
        harness.handle(.removed(radio))
        harness.perform(.start(RadioConfiguration(nmi: Fixture.nmi(1))), on: radio)
        let events = harness.events(of: radio)
        #expect(events.contains(.stopped(.lost("radio removed"))))
        guard case .failed(let failure) = events.last else {
            Issue.record("\(events)")
            return
        }
        #expect(failure.cause == .noRadio)
    }

    @Test("the regulatory domain decides over windows and schedules")
    func regulatory() {
        var harness = AirHarness(seed: 14)
        let radio = harness.air.addRadio(VirtualKernel.Configuration(forbiddenFrequencies: [5180, 5745]))
        harness.perform(
            .start(RadioConfiguration(nmi: Fixture.nmi(1), usesFiveGigahertz: true)),
            .start(RadioConfiguration(nmi: Fixture.nmi(1))), .setLocalSchedule(Fixture.local), on: radio)
        let causes = harness.events(of: radio).map { event -> RadioFailure.Cause? in
            switch event {
            case .failed(let failure), .refused(_, let failure): failure.cause
            default: nil
            }
        }
        #expect(causes == [.regulatory, nil, .regulatory])
    }

    @Test("loopback addresses differ, are the same at both ends, and avoid what a machine uses itself")
    func loopback() {
        var seen: Set<UInt32> = []
        for number: UInt64 in 0..<500 {
            guard case .v4(let bits) = LoopbackAddress.address(of: Fixture.ndi(number)) else {
                Issue.record("no IPv4")
                return
            }
            #expect(bits >> 24 == 127)
            #expect(bits >> 16 & 0xFF != 0)
            #expect(![0, 255].contains(bits & 0xFF))
            seen.insert(bits)
        }
        #expect(seen.count >= 499)
    }
}
