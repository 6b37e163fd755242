import Cryptography
import NANEngine
import NANFrames
import Octets
import Testing

/// What hostap's module tests expect of whole negotiations, and what must come out whatever the air does.
@Suite("Data path outcomes") struct DataPathOutcomeTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    private func bench(_ subscriber: LocalSchedule, seed: UInt64 = 1) -> Bench {
        var bench = Bench(subscriber: subscriber, publisher: Device.schedule(5745, sequenceID: 6), seed: seed)
        bench.answer = { info in
            .accept(.init(credential: info.suite.map { _ in .init(Device.key(Self.key), service: Device.service) }))
        }
        return bench
    }

    @Test(
        "one channel in common connects, with or without keys",
        arguments: [nil, .ncsSK128, .ncsSK256, .ncsPKPASN128, .ncsPKPASN256] as [CipherSuiteID?])
    func connects(_ suite: CipherSuiteID?) throws {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        bench.request(suite)
        #expect(bench.sent.count == (suite == nil ? 3 : 4))
        let subscriber = try #require(bench.connections[.subscriber]?.first)
        let publisher = try #require(bench.connections[.publisher]?.first)
        #expect(subscriber.key == publisher.key && (subscriber.key == nil) == (suite == nil))
        #expect(subscriber.suite == suite && publisher.suite == suite)
        #expect(subscriber.local == publisher.remote && subscriber.remote == publisher.local)
        #expect(bench.drops.values.allSatisfy { $0.isEmpty })
        // The suite of the answer is the suite of the request.
        for (_, frame) in bench.sent {
            let entries = try NAF(body: frame.body).attributes.cipherSuiteInformation?.entries ?? []
            #expect(entries.allSatisfy { $0.suite == suite })
        }
    }

    @Test("a bitmap of 1024 TU that says the same")
    func longPeriod() throws {
        var publisher = DataPathMachine(.init(), entropy: .seeded(1))
        let now = MonotonicInstant(nanoseconds: 1)
        _ = publisher.handle(
            Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 6)), now: now)
        let naf = try NAF(body: Transcript.openRejected[0])
        let bitmap = TimeBitmap(control: 0x0020, [0xFE, 0xFF, 0xFE, 0xFF, 0xFE, 0xFF, 0xFE, 0xFF])
        let attributes = naf.attributes.attributes.map { attribute -> Attribute in
            guard case .availability(let old) = attribute else { return attribute }
            let first = Availability.Entry(old.entries[0].control, timeBitmap: bitmap, old.entries[0].list)
            return .availability(
                Availability(
                    sequenceID: old.sequenceID, mapID: old.mapID, changes: old.changes,
                    [first] + old.entries.dropFirst()))
        }
        let body = NAF(.dataPathRequest, AttributeList(attributes)).encoded
        let request = try #require(try publisher.hear(body, from: Device.subscriber, now: now).request)
        let answer = publisher.handle(.answer(request.id, .accept(.init())), now: now)
        let response = try #require(answer.bodies.first)
        #expect(try NAF(body: response).attributes.ndl?.status == .accepted)
    }

    @Test("only channel 6 possible")
    func onlyChannelSix() {
        var bench = bench(Device.schedule(5745, sequenceID: 4, possible: [Channel(2437)]))
        bench.request()
        #expect(bench.isConnected)
    }

    @Test("disjoint schedules without another one end on both sides")
    func disjoint() throws {
        var bench = bench(Device.schedule(2437, sequenceID: 4))
        bench.request()
        let response = try NAF(body: bench.sent[1].1.body)
        #expect(response.attributes.ndl?.status == .continued && response.attributes.ndp?.status == .continued)
        #expect(!bench.isConnected)
        #expect(bench.endings[.subscriber]?.map(\.cause) == [.terminatedHere])
        #expect(bench.endings[.publisher]?.map(\.cause) == [.terminatedByPeer])
    }

    @Test("disjoint schedules with another one connect", arguments: [nil, .ncsSK256] as [CipherSuiteID?])
    func counterProposal(_ suite: CipherSuiteID?) throws {
        let before = Device.schedule(2437, sequenceID: 4)
        var bench = bench(before)
        bench.adopts = { before.meeting($0) }
        bench.request(suite)
        #expect(bench.isConnected)
        #expect(bench.sent.count == (suite == nil ? 3 : 4))
        let confirm = try NAF(body: bench.sent[2].1.body).attributes
        #expect(confirm.availability.first?.sequenceID == 5)
        #expect(confirm.ndl?.kind == .confirm && confirm.ndl?.status == .accepted)
        let response = try NAF(body: bench.sent[1].1.body).attributes
        #expect(confirm.ndcs.first?.ndcID == response.ndcs.first?.ndcID)
        #expect(bench.connections[.publisher]?.first?.schedule.channels.map(\.frequency) == [5745])
    }

    @Test("a schedule that still does not meet is not believed")
    func emptyPromise() {
        let before = Device.schedule(2437, sequenceID: 4)
        var bench = bench(before)
        bench.adopts = { _ in before.following(4) }
        bench.request()
        #expect(!bench.isConnected)
        #expect(bench.endings[.subscriber]?.map(\.cause) == [.noCommonSlots])
    }

    @Test("the owner refuses", arguments: [nil, .ncsSK128] as [CipherSuiteID?])
    func refused(_ suite: CipherSuiteID?) throws {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        bench.answer = { _ in .reject(.ndpRejected) }
        bench.request(suite)
        #expect(bench.endings[.subscriber]?.map(\.reason) == [.ndpRejected])
        #expect(bench.endings[.subscriber]?.map(\.cause) == [.rejectedByPeer])
        #expect(bench.endings[.publisher]?.map(\.cause) == [.rejectedHere])
        let refusal = try NAF(body: bench.sent[1].1.body).attributes
        #expect(refusal.sharedKeyDescriptor == nil)
        #expect((refusal.cipherSuiteInformation != nil) == (suite != nil))
        #expect(refusal.ndp?.control.contains(.securityPresent) == (suite != nil))
    }

    @Test(
        "keys that differ in one octet: reason 3 on both sides, nothing connected",
        arguments: [
            CipherSuiteID.ncsSK128, .ncsSK256, .ncsPKPASN128,
        ])
    func wrongKey(_ suite: CipherSuiteID) {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        bench.request(suite, key: [8] + Self.key.dropFirst())
        #expect(bench.endings[.subscriber]?.map(\.reason) == [.invalidParameters])
        #expect(bench.endings[.publisher]?.map(\.reason) == [.invalidParameters])
        #expect(bench.connections.values.allSatisfy { $0.isEmpty })
    }

    @Test("open where keys are demanded, and keys where the owner has none: reason 8")
    func policy() {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        bench.answer = { _ in .accept(.init(credential: .init(Device.key(Self.key), service: Device.service))) }
        bench.request()
        #expect(bench.endings[.subscriber]?.map(\.reason) == [.securityPolicy])
        bench.answer = { _ in .accept(.init()) }
        bench.request(token: 2, .ncsSK128)
        #expect(bench.endings[.subscriber]?.map(\.reason) == [.securityPolicy, .securityPolicy])
    }

    @Test("a suite nobody configured: reason 8, the owner is not asked")
    func suitePolicy() {
        var configuration = DataPathMachine.Configuration()
        configuration.suites = [.ncsPKPASN128]
        var bench = Bench(
            subscriber: Device.schedule(5745, sequenceID: 4), publisher: Device.schedule(5745, sequenceID: 6),
            configuration)
        bench.request(.ncsSK128)
        #expect(bench.requests.isEmpty)
        #expect(bench.endings[.subscriber]?.map(\.reason) == [.securityPolicy])
    }

    @Test("three paths, the second refused")
    func secondOfThree() {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        bench.request(token: 1)
        bench.answer = { _ in .reject(.ndpRejected) }
        bench.request(token: 2)
        bench.answer = { _ in .accept(.init()) }
        bench.request(token: 3)
        #expect(bench.connections[.subscriber]?.count == 2 && bench.connections[.publisher]?.count == 2)
        #expect(bench.endings[.publisher]?.map(\.isLastWithPeer) == [false])
    }

    @Test("the first path to end of two keeps link, addresses and key; the last one lets them go")
    func sharedLink() throws {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        bench.request(token: 1, .ncsSK128)
        bench.request(token: 2, .ncsSK128)
        let ids = try #require(bench.connections[.subscriber]).map(\.id)
        #expect(ids.count == 2)
        for (_, frame) in bench.sent.dropFirst(4) {
            let attributes = try NAF(body: frame.body).attributes
            #expect(attributes.ndl == nil && attributes.ndcs.isEmpty && attributes.elementContainers.isEmpty)
        }
        for id in ids { bench.tell(.subscriber, .terminate(id, .unspecified)) }
        for side in [Bench.Side.subscriber, .publisher] {
            #expect(bench.endings[side]?.map(\.isLastOnPair) == [false, true])
            #expect(bench.endings[side]?.map(\.isLastWithPeer) == [false, true])
        }
        bench.request(token: 3)
        #expect(bench.connections[.subscriber]?.last?.isFirstOnPair == true)
    }

    @Test(
        "of several keys between two addresses the strongest stays",
        arguments: [
            ([nil, .ncsSK128, .ncsSK256], [nil, .ncsSK128, .ncsSK256]),
            ([.ncsSK256, .ncsSK128, nil], [.ncsSK256, nil, nil]),
            ([.ncsSK256, .ncsPKPASN128, .ncsPKPASN256], [.ncsSK256, .ncsPKPASN128, .ncsPKPASN256]),
        ] as [([CipherSuiteID?], [CipherSuiteID?])])
    func strongestKey(_ suites: [CipherSuiteID?], _ installed: [CipherSuiteID?]) {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        for (index, suite) in suites.enumerated() { bench.request(token: UInt8(index + 1), suite) }
        for side in [Bench.Side.subscriber, .publisher] {
            #expect(bench.connections[side]?.map { $0.key == nil ? nil : $0.suite } == installed)
        }
    }

    @Test("a key from a pairing without a secret yields to every other")
    func opportunistic() {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        bench.request(token: 1, .ncsSK128)
        bench.answer = { _ in
            .accept(
                .init(credential: .init(Device.key(Self.key), service: Device.service, isOpportunistic: true)))
        }
        bench.request(token: 2, .ncsPKPASN256)
        #expect(bench.connections[.publisher]?.map { $0.key != nil } == [true, false])
    }

    @Test("paired devices: every frame is of category 9")
    func protected() {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        bench.isProtected = true
        bench.request(.ncsPKPASN128)
        #expect(bench.isConnected)
        bench.tell(.publisher, .terminateAll)
        #expect(bench.sent.count == 5)
        #expect(bench.sent.allSatisfy { $0.1.body[0] == 0x09 && $0.1.dataRoute == nil })
    }

    @Test("a suite without a handshake, and one path too many, are refused at once")
    func refusedAtOnce() {
        var bench = bench(Device.schedule(5745, sequenceID: 4))
        bench.request(.ncsPK2WDH128)
        #expect(bench.sent.isEmpty)
        #expect(bench.endings[.subscriber]?.map(\.reason) == [.securityPolicy])
        for token in 1...DataPathMachine.maximumPaths { bench.request(token: UInt8(token)) }
        #expect(bench.connections[.subscriber]?.count == DataPathMachine.maximumPaths)
        bench.request(token: 100)
        #expect(bench.endings[.subscriber]?.map(\.reason) == [.securityPolicy, .resourceLimitation])
    }
}
