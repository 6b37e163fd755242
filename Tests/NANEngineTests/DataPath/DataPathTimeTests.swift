import Cryptography
import NANEngine
import NANFrames
import Octets
import Testing

@Suite("Data path time") struct DataPathTimeTests {
    private let start = Setup.start

    /// Nothing a nanosecond before, a termination at the deadline, and the end 2 s later or with its status.
    private func expectTimeout(
        _ machine: DataPathMachine, after timeout: Duration, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let deadline = start.advanced(by: timeout)
        var machine = machine
        #expect(machine.nextDeadline == deadline, sourceLocation: location)
        let before = MonotonicInstant(nanoseconds: deadline.nanoseconds - 1)
        #expect(machine.handle(.deadlineReached, now: before) == [], sourceLocation: location)
        let effects = machine.handle(.deadlineReached, now: deadline)
        let body = try #require(effects.bodies.first, sourceLocation: location)
        let ndp = try #require(NAF(body: body).attributes.ndp, sourceLocation: location)
        #expect(ndp.kind == .terminate && ndp.reason == .unspecified, sourceLocation: location)
        #expect(effects.count == 1, sourceLocation: location)
        var other = machine
        let status = other.handle(.transmitted(effects.token, acknowledged: true), now: deadline)
        #expect(status.ending?.cause == .timedOut, sourceLocation: location)
        let end = deadline.advanced(by: .seconds(2))
        #expect(machine.nextDeadline == end, sourceLocation: location)
        let justBefore = MonotonicInstant(nanoseconds: end.nanoseconds - 1)
        #expect(machine.handle(.deadlineReached, now: justBefore) == [], sourceLocation: location)
        #expect(machine.handle(.deadlineReached, now: end).ending?.cause == .timedOut, sourceLocation: location)
        #expect(
            machine.nextDeadline == nil && machine.handle(.deadlineReached, now: end) == [], sourceLocation: location)
    }

    @Test("30 s for the owner") func ownerTimeout() throws {
        try expectTimeout(Setup.responder().0, after: .seconds(30))
    }

    @Test("2 s for M3") func confirmTimeout() throws {
        var (machine, request) = try Setup.responder()
        _ = machine.handle(.answer(request.id, .accept(.init())), now: start)
        try expectTimeout(machine, after: .seconds(2))
    }

    @Test("30 s for M3 after a counter-proposal") func counterTimeout() throws {
        var machine = DataPathMachine(Setup.quiet(), entropy: .seeded(1))
        _ = machine.handle(
            Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 6)), now: start)
        let request = try #require(
            try machine.hear(Transcript.openCounter[0], from: Device.subscriber, now: start).request)
        _ = machine.handle(.answer(request.id, .accept(.init())), now: start)
        try expectTimeout(machine, after: .seconds(30))
    }

    @Test("30 s for M2") func responseTimeout() throws { try expectTimeout(Setup.initiator(), after: .seconds(30)) }

    @Test("2 s for M4") func installmentTimeout() throws {
        var machine = Setup.initiator(.ncsSK128)
        _ = try machine.hear(Transcript.secureM2, from: Device.publisher, now: start)
        try expectTimeout(machine, after: .seconds(2))
    }

    @Test("30 s for another schedule") func adoptTimeout() throws {
        var machine = Setup.initiator(nil, 2437)
        #expect(try machine.hear(Transcript.openCounter[1], from: Device.publisher, now: start).count == 1)
        try expectTimeout(machine, after: .seconds(30))
    }
}

/// Machines in the middle of a setup, each frame sent once.
enum Setup {
    static let start = MonotonicInstant(nanoseconds: 1_000_000_000)

    static func quiet() -> DataPathMachine.Configuration {
        var configuration = DataPathMachine.Configuration()
        configuration.maximumTries = 1
        configuration.idlePeriod = 0
        configuration.presenceTimeout = .zero
        return configuration
    }

    static func responder() throws -> (DataPathMachine, DataPathMachine.RequestInfo) {
        var machine = DataPathMachine(quiet(), entropy: .seeded(1))
        _ = machine.handle(
            Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 6)), now: start)
        let request = try #require(
            try machine.hear(Transcript.openTwice[0], from: Device.subscriber, now: start).request)
        return (machine, request)
    }

    static func initiator(_ suite: CipherSuiteID? = nil, _ frequency: Int = 5745) -> DataPathMachine {
        var machine = DataPathMachine(
            quiet(), entropy: .scripted(byLabel: ["nonce": Transcript.secureINonce]))
        _ = machine.handle(
            Device.module(Device.subscriber, Device.subscriberNDI, Device.schedule(frequency, sequenceID: 5)),
            now: start)
        _ = machine.handle(
            .request(
                .init(
                    peer: Device.publisher, publishID: InstanceID(12), dialogToken: DialogToken(1),
                    security: suite.map { ($0, .init(Device.key(Transcript.secureKey), service: Device.service)) },
                    usesExtension: false, isProtected: false)), now: start)
        return machine
    }
}
