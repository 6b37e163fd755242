import Cryptography
import NANEngine
import NANFrames
import Octets
import Testing

/// Lost, doubled, late and forged frames, and time.
@Suite("Data paths on bad air") struct DataPathAirTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    private func bench(seed: UInt64 = 1) -> Bench {
        var bench = Bench(
            subscriber: Device.schedule(5745, sequenceID: 4), publisher: Device.schedule(5745, sequenceID: 6),
            seed: seed)
        bench.answer = { info in
            .accept(.init(credential: info.suite.map { _ in .init(Device.key(Self.key), service: Device.service) }))
        }
        return bench
    }

    @Test(
        "any one frame lost, swallowed, unacknowledged or doubled: connected once, on both sides",
        arguments: [Bench.Fate.lost, .swallowed, .unacknowledged, .doubled], [nil, .ncsSK128] as [CipherSuiteID?])
    func oneAccident(_ fate: Bench.Fate, _ suite: CipherSuiteID?) {
        for index in 0..<(suite == nil ? 3 : 4) {
            for isStatusLate in [false, true] {
                var bench = bench()
                bench.isStatusLate = isStatusLate
                bench.fate = { number, _ in number == index ? fate : .delivered }
                bench.request(suite)
                bench.run(for: .seconds(8))
                #expect(bench.connections[.subscriber]?.count == 1, "frame \(index)")
                #expect(bench.connections[.publisher]?.count == 1, "frame \(index)")
                #expect(bench.endings.values.allSatisfy { $0.isEmpty })
                #expect(bench.requests.count == 1)
            }
        }
    }

    @Test("an installment swallowed by the peer is asked for again by repeating M3")
    func swallowedInstallment() {
        var bench = bench()
        bench.fate = { number, _ in number == 3 ? .swallowed : .delivered }
        bench.request(.ncsSK128)
        #expect(bench.connections[.publisher]?.count == 1)
        #expect(bench.connections[.subscriber]?.isEmpty == true)
        bench.run(for: .seconds(2))
        #expect(bench.connections[.publisher]?.count == 1 && bench.connections[.subscriber]?.count == 1)
        #expect(bench.sent.map(\.1.body).suffix(2) == bench.sent.map(\.1.body)[2...3])
    }

    @Test("a request that is acknowledged and not answered is repeated soon, then at longer and longer intervals")
    func swallowedRequests() {
        var bench = bench()
        bench.fate = { _, _ in .swallowed }
        bench.request(.ncsSK128)
        var times: [Int] = []
        for milliseconds in 1...8000 {
            let before = bench.sent.count
            bench.run(for: .milliseconds(1))
            if bench.sent.count > before { times.append(milliseconds) }
        }
        #expect(times == [100, 300, 700, 1500, 3100, 6100])
        #expect(Set(bench.sent.map(\.1.body)).count == 1)
    }

    @Test("100 negotiations of 100 where every other frame or acknowledgement is lost", arguments: 0..<100)
    func heavyLoss(_ seed: Int) {
        var bench = bench(seed: UInt64(seed))
        var entropy = Entropy.seeded(UInt64(seed) + 50_000)
        var fates: [Bench.Fate] = []
        for _ in 0..<200 {
            switch Int.random(in: 0..<10, using: &entropy) {
            case 0..<3: fates.append(.lost)
            case 3..<5: fates.append(.unacknowledged)
            case 5: fates.append(.doubled)
            default: fates.append(.delivered)
            }
        }
        bench.fate = { number, _ in number < fates.count ? fates[number] : .delivered }
        bench.isStatusLate = seed % 2 == 0
        bench.request(seed % 3 == 0 ? nil : .ncsPKPASN128)
        bench.run(for: .seconds(10))
        #expect(bench.connections[.publisher]?.count == 1 && bench.connections[.subscriber]?.count == 1)
        #expect(bench.requests.count == 1)
    }

    @Test("what is sent again is sent octet for octet")
    func sameOctets() {
        var bench = bench()
        bench.fate = { number, _ in number < 5 ? .lost : .delivered }
        bench.request(.ncsSK128)
        bench.run(for: .seconds(1))
        #expect(bench.isConnected)
        #expect(Set(bench.sent.prefix(6).map(\.1.body)).count == 1)
        #expect(Set(bench.sent.map(\.1.token)).count < bench.sent.count)  // each side counts its own
    }

    @Test("a frame that nobody acknowledges is given up after its tries")
    func givesUp() {
        var bench = bench()
        bench.fate = { _, _ in .lost }
        bench.request()
        bench.run(for: .seconds(29))
        #expect(bench.sent.count == 16)
        bench.run(for: .seconds(4))
        #expect(bench.endings[.subscriber]?.map(\.cause) == [.timedOut])
    }

    @Test("a schedule with which nothing is left in common ends the paths")
    func scheduleChange() throws {
        var bench = bench()
        bench.request()
        let same = try #require(try DeviceSchedule(Device.schedule(5745, sequenceID: 9).availability))
        bench.tell(.publisher, .peerSchedule(Device.subscriber, same, isProtected: true))
        #expect(bench.isConnected)
        let other = try #require(try DeviceSchedule(Device.schedule(2437, sequenceID: 10).availability))
        bench.tell(.publisher, .peerSchedule(Device.subscriber, other, isProtected: true))
        #expect(bench.endings[.publisher]?.map(\.cause) == [.noCommonSlots])
    }

    @Test("what the radio loses ends without a frame")
    func radioEnds() {
        for event in [DataPathMachine.Event.reset, .peerGone(Device.subscriber)] {
            var bench = bench()
            bench.request()
            let count = bench.sent.count
            bench.tell(.publisher, event)
            #expect(bench.endings[.publisher]?.map(\.cause) == [.radio] && bench.sent.count == count)
        }
        var bench = bench()
        bench.request()
        bench.tell(.publisher, .linkFailed(Device.subscriberNDI))
        #expect(bench.endings[.publisher]?.map(\.cause) == [.radio])
        #expect(bench.endings[.subscriber]?.map(\.cause) == [.terminatedByPeer])
    }
}
