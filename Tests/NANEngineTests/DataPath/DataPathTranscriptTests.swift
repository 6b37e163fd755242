import Cryptography
import NANEngine
import NANFrames
import NANSecurity
import Octets
import Ports
import Testing

/// Each role plays its part of a published negotiation with the values that were drawn in it, octet for octet.
@Suite("Data path transcripts") struct DataPathTranscriptTests {
    private let now = MonotonicInstant(nanoseconds: 5_000_000_000)

    private func entropy(nonce: [UInt8] = [], ndc: [UInt8] = []) -> Entropy {
        .scripted(byLabel: ["nonce": nonce, "ndc": ndc])
    }

    private func ndcID(_ response: [UInt8]) throws -> [UInt8] {
        try #require(NAF(body: response).attributes.ndcs.first).ndcID.encoded
    }

    // MARK: Captured, cipher suite 7, NDPE, group keys

    private func live(_ own: [UInt8]) -> DataPathMachine.Configuration {
        var configuration = DataPathMachine.Configuration()
        configuration.groupKeyCapabilities = .init(groupKeySupport: .gtkAndIGTK)
        configuration.ownGroupKey = Device.igtk(own)
        return configuration
    }

    private struct Run: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bodies: [[UInt8]]
        let nonces: (initiator: [UInt8], responder: [UInt8])
        let key: [UInt8]
        let publishID: UInt8
        let token: UInt8
        let infos: (initiator: [UInt8], responder: [UInt8])

        static let all = [
            Run(
                testDescription: "after pairing",
                bodies: [Transcript.liveM1, Transcript.liveM2, Transcript.liveM3, Transcript.liveM4],
                nonces: (Transcript.liveINonce, Transcript.liveRNonce), key: Transcript.liveKey, publishID: 1, token: 2,
                infos: ([0xA1, 0xA2], [0x00, 0x02, 0x00, 0x5C, 0x11, 0x01, 0x01, 0x00, 0x11])),
            Run(
                testDescription: "after verification",
                bodies: [Transcript.liveNdp2M1, Transcript.liveNdp2M2, Transcript.liveNdp2M3, Transcript.liveNdp2M4],
                nonces: (Transcript.liveINonce2, Transcript.liveRNonce2), key: Transcript.liveKey2, publishID: 2,
                token: 3, infos: ([], [])),
        ]

        /// The key that came along wrapped in M3 or M4.
        func groupKey(ofMessage index: Int) throws -> [UInt8] {
            let data = try #require(NAF(body: bodies[index]).attributes.sharedKeyDescriptor).descriptor.keyData
            let keys = DataPathKeys(
                Device.key(key), initiator: Device.liveSubscriberNDI, responder: Device.livePublisherNDI,
                initiatorNonce: nonces.initiator, responderNonce: nonces.responder, strength: .bits128)
            let content = try #require(KeyData(unwrapping: data, with: keys.keyEncryptionKey).first(.igtk))
            return content.withOctets { Array($0[8...]) }
        }
    }

    @Test("captured, as the responder", arguments: Run.all)
    private func liveResponder(_ run: Run) throws {
        var machine = DataPathMachine(
            live(try run.groupKey(ofMessage: 3)),
            entropy: entropy(nonce: run.nonces.responder, ndc: try ndcID(run.bodies[1])))
        _ = machine.handle(Device.live(Device.livePublisher, Device.livePublisherNDI), now: now)
        let request = try #require(try machine.hear(run.bodies[0], from: Device.liveSubscriber, now: now).request)
        #expect(request.peer == Device.liveSubscriber && request.publishID == InstanceID(run.publishID))
        #expect(request.suite == .ncsPKPASN128 && request.isProtected && request.serviceInfo == run.infos.initiator)
        let acceptance = DataPathMachine.Acceptance(
            credential: .init(Device.key(run.key), service: Device.liveService), serviceInfo: run.infos.responder,
            interfaceIdentifier: InterfaceIdentifier(bits: 0x0200_0000_FFFE_0002))
        let second = machine.handle(.answer(request.id, .accept(acceptance)), now: now)
        #expect(second.bodies == [run.bodies[1]])
        #expect(second.frames.allSatisfy { $0.peer == Device.liveSubscriber && $0.dataRoute == nil })
        // M3 comes before the status of M2.
        let fourth = try machine.hear(run.bodies[2], from: Device.liveSubscriber, now: now)
        #expect(fourth.bodies == [run.bodies[3]])
        #expect(machine.handle(.transmitted(second.token, acknowledged: true), now: now) == [])
        let connection = try #require(
            machine.handle(.transmitted(fourth.token, acknowledged: true), now: now).connection)
        #expect(connection.local == Device.livePublisherNDI && connection.remote == Device.liveSubscriberNDI)
        #expect(connection.remoteIdentifier == InterfaceIdentifier(bits: 0x0200_0000_FFFE_0001))
        #expect(connection.serviceInfo == run.infos.initiator)
        let groupKey = try run.groupKey(ofMessage: 2)
        #expect(connection.groupKeys == [Device.igtk(groupKey)])
        #expect(connection.isFirstOnPair && !connection.isInitiator)
        #expect(connection.elements == Device.liveElements)
        #expect(connection.schedule.channels.map(\.frequency) == [2437, 5180])
        #expect(connection.schedule.sequenceID == 1 && connection.schedule.committedDW == 0x0449)
        #expect(machine.nextDeadline == now.advanced(by: .milliseconds(2500)))

        guard run.testDescription == "after pairing" else { return }
        #expect(connection.key?.cipher == .ccmp128 && connection.key?.key == SecretKey(copying: Transcript.liveTK))
        let ended = try machine.hear(Transcript.liveTermination, from: Device.liveSubscriber, now: now)
        let ending = try #require(ended.ending)
        #expect(ending.cause == .terminatedByPeer && ending.reason == .unspecified)
        #expect(ending.wasConnected && ending.isLastOnPair && ending.isLastWithPeer)
        #expect(machine.nextDeadline == nil && !machine.isBusy(with: Device.liveSubscriber))
    }

    @Test("captured, as the initiator", arguments: Run.all)
    private func liveInitiator(_ run: Run) throws {
        var machine = DataPathMachine(
            live(try run.groupKey(ofMessage: 2)), entropy: entropy(nonce: run.nonces.initiator))
        _ = machine.handle(Device.live(Device.liveSubscriber, Device.liveSubscriberNDI), now: now)
        if run.token == 3 {
            // The second path has the second number.
            _ = machine.handle(
                .request(
                    .init(
                        peer: Device.livePublisher, publishID: InstanceID(1), dialogToken: DialogToken(2),
                        isProtected: true)), now: now)
            _ = machine.handle(.reset, now: now)
        }
        let first = machine.handle(
            .request(
                .init(
                    peer: Device.livePublisher, publishID: InstanceID(run.publishID),
                    dialogToken: DialogToken(run.token),
                    security: (.ncsPKPASN128, .init(Device.key(run.key), service: Device.liveService)),
                    isProtected: true, serviceInfo: run.infos.initiator,
                    interfaceIdentifier: InterfaceIdentifier(bits: 0x0200_0000_FFFE_0001))), now: now)
        #expect(first.bodies == [run.bodies[0]])
        #expect(machine.handle(.transmitted(first.token, acknowledged: true), now: now) == [])
        let third = try machine.hear(run.bodies[1], from: Device.livePublisher, now: now)
        #expect(third.bodies == [run.bodies[2]])
        let connection = try #require(
            try machine.hear(run.bodies[3], from: Device.livePublisher, now: now).connection)
        #expect(connection.isInitiator && connection.serviceInfo == run.infos.responder)
        #expect(connection.remoteIdentifier == InterfaceIdentifier(bits: 0x0200_0000_FFFE_0002))
        let groupKey = try run.groupKey(ofMessage: 3)
        #expect(connection.groupKeys == [Device.igtk(groupKey)])

        guard run.testDescription == "after pairing" else { return }
        #expect(connection.key?.key == SecretKey(copying: Transcript.liveTK))
        let last = machine.handle(.terminate(connection.id, .unspecified), now: now)
        #expect(last.bodies == [Transcript.liveTermination])
        #expect(machine.isBusy(with: Device.livePublisher))
        let ending = try #require(
            machine.handle(.transmitted(last.token, acknowledged: true), now: now).ending)
        #expect(ending.cause == .terminatedHere && ending.isLastWithPeer)
    }

    // MARK: Module test, cipher suite 1, NDP

    private var plain: DataPathMachine.Configuration {
        var configuration = DataPathMachine.Configuration()
        configuration.idlePeriod = 0
        configuration.presenceTimeout = .zero
        return configuration
    }

    @Test("module test with keys, as the responder")
    func secureResponder() throws {
        var machine = DataPathMachine(
            plain, entropy: entropy(nonce: Transcript.secureRNonce, ndc: try ndcID(Transcript.secureM2)))
        _ = machine.handle(
            Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 8)), now: now)
        let request = try #require(
            try machine.hear(Transcript.secureM1, from: Device.subscriber, now: now).request)
        let second = machine.handle(
            .answer(
                request.id,
                .accept(.init(credential: .init(Device.key(Transcript.secureKey), service: Device.service)))), now: now)
        #expect(second.bodies == [Transcript.secureM2])
        let fourth = try machine.hear(Transcript.secureM3, from: Device.subscriber, now: now)
        #expect(fourth.bodies == [Transcript.secureM4])
        let connection = try #require(
            machine.handle(.transmitted(fourth.token, acknowledged: true), now: now).connection)
        #expect(connection.key?.key == SecretKey(copying: Transcript.secureTK))
        #expect(connection.suite == .ncsSK128 && connection.groupKeys.isEmpty)
    }

    @Test("module test with keys, as the initiator, with the termination under the data key")
    func secureInitiator() throws {
        var machine = DataPathMachine(plain, entropy: entropy(nonce: Transcript.secureINonce))
        _ = machine.handle(
            Device.module(Device.subscriber, Device.subscriberNDI, Device.schedule(5745, sequenceID: 5)), now: now)
        let first = machine.handle(
            .request(
                .init(
                    peer: Device.publisher, publishID: InstanceID(12), dialogToken: DialogToken(1),
                    security: (.ncsSK128, .init(Device.key(Transcript.secureKey), service: Device.service)),
                    usesExtension: false, isProtected: false)), now: now)
        #expect(first.bodies == [Transcript.secureM1])
        let third = try machine.hear(Transcript.secureM2, from: Device.publisher, now: now)
        #expect(third.bodies == [Transcript.secureM3])
        let connection = try #require(
            try machine.hear(Transcript.secureM4, from: Device.publisher, now: now).connection)
        #expect(connection.key?.key == SecretKey(copying: Transcript.secureTK))
        let last = machine.handle(.terminate(connection.id, .unspecified), now: now)
        #expect(last.bodies == [Transcript.secureTermination])
        #expect(last.frames.first?.dataRoute?.peer == Device.publisherNDI)
        #expect(last.frames.first?.dataRoute?.interface == Device.subscriberNDI)
    }

    // MARK: Module tests, open

    @Test("two open data paths and a termination, as the responder")
    func openTwiceResponder() throws {
        let frames = Transcript.openTwice
        var machine = DataPathMachine(plain, entropy: entropy(ndc: try ndcID(frames[1])))
        _ = machine.handle(
            Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 12)), now: now)
        for start in [0, 3] {
            let request = try #require(
                try machine.hear(frames[start], from: Device.subscriber, now: now).request)
            #expect(request.suite == nil)
            let second = machine.handle(.answer(request.id, .accept(.init())), now: now)
            #expect(second.bodies == [frames[start + 1]])
            let connection = try #require(
                try machine.hear(frames[start + 2], from: Device.subscriber, now: now).connection)
            #expect(connection.isFirstOnPair == (start == 0))
            #expect(connection.elements == Device.elements && connection.key == nil)
        }
        #expect(machine.isConnected(with: Device.subscriber))
        let ending = try #require(try machine.hear(frames[6], from: Device.subscriber, now: now).ending)
        #expect(ending.id.number == NDPID(2) && !ending.isLastOnPair && !ending.isLastWithPeer)
        #expect(machine.isConnected(with: Device.subscriber))
    }

    @Test("two open data paths and a termination, as the initiator")
    func openTwiceInitiator() throws {
        let frames = Transcript.openTwice
        var machine = DataPathMachine(plain, entropy: entropy())
        _ = machine.handle(
            Device.module(Device.subscriber, Device.subscriberNDI, Device.schedule(5745, sequenceID: 7)), now: now)
        var last: DataPathID?
        for start in [0, 3] {
            let first = machine.handle(
                .request(
                    .init(
                        peer: Device.publisher, publishID: InstanceID(12),
                        dialogToken: DialogToken(start == 0 ? 1 : 2), usesExtension: false, isProtected: false)),
                now: now)
            #expect(first.bodies == [frames[start]])
            let third = try machine.hear(frames[start + 1], from: Device.publisher, now: now)
            #expect(third.bodies == [frames[start + 2]])
            last = machine.handle(.transmitted(third.token, acknowledged: true), now: now).connection?.id
        }
        #expect(machine.handle(.terminate(try #require(last), .unspecified), now: now).bodies == [frames[6]])
    }

    /// Channel 6 first, then what the responder is on.
    private func counterSchedules() -> (before: LocalSchedule, after: LocalSchedule) {
        let before = Device.schedule(2437, sequenceID: 3, possible: [.wide, Channel(2437)])
        return (before, Device.schedule(5745, sequenceID: 7, possible: [.wide, Channel(2437)]))
    }

    @Test("a counter-proposal, as the responder")
    func counterResponder() throws {
        let frames = Transcript.openCounter
        var machine = DataPathMachine(plain, entropy: entropy(ndc: try ndcID(frames[1])))
        _ = machine.handle(
            Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 6)), now: now)
        let request = try #require(try machine.hear(frames[0], from: Device.subscriber, now: now).request)
        #expect(machine.handle(.answer(request.id, .accept(.init())), now: now).bodies == [frames[1]])
        let connection = try #require(try machine.hear(frames[2], from: Device.subscriber, now: now).connection)
        #expect(connection.schedule.channels.map(\.frequency) == [5745] && connection.schedule.sequenceID == 7)
        #expect(try machine.hear(frames[3], from: Device.subscriber, now: now).ending?.cause == .terminatedByPeer)
    }

    @Test("a counter-proposal, as the initiator")
    func counterInitiator() throws {
        let frames = Transcript.openCounter
        let schedules = counterSchedules()
        var machine = DataPathMachine(plain, entropy: entropy())
        _ = machine.handle(Device.module(Device.subscriber, Device.subscriberNDI, schedules.before), now: now)
        let first = machine.handle(
            .request(
                .init(
                    peer: Device.publisher, publishID: InstanceID(12), dialogToken: DialogToken(1),
                    usesExtension: false, isProtected: false)), now: now)
        #expect(first.bodies == [frames[0]])
        let proposed = try machine.hear(frames[1], from: Device.publisher, now: now)
        guard case .counterProposed(let id, Device.publisher, let peer)? = proposed.first, proposed.count == 1 else {
            Issue.record("no counter-proposal: \(proposed)")
            return
        }
        #expect(peer.allotments.map(\.channel) == [Channel(5745)])
        let third = machine.handle(.adopt(id, schedules.after), now: now)
        #expect(third.bodies == [frames[2]])
        #expect(
            machine.handle(.transmitted(third.token, acknowledged: true), now: now).connection?.id == id)
        #expect(machine.handle(.terminate(id, .unspecified), now: now).bodies == [frames[3]])
    }

    @Test("a refusal, as the responder")
    func rejectedResponder() throws {
        let frames = Transcript.openRejected
        var machine = DataPathMachine(plain, entropy: entropy())
        _ = machine.handle(
            Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 6)), now: now)
        let request = try #require(try machine.hear(frames[0], from: Device.subscriber, now: now).request)
        let refusal = machine.handle(.answer(request.id, .reject(.ndpRejected)), now: now)
        #expect(refusal.bodies == [frames[1]])
        let ending = try #require(
            machine.handle(.transmitted(refusal.token, acknowledged: true), now: now).ending)
        #expect(ending.cause == .rejectedHere && ending.reason == .ndpRejected && !ending.wasConnected)
    }

    @Test("a refusal, as the initiator")
    func rejectedInitiator() throws {
        let frames = Transcript.openRejected
        var machine = DataPathMachine(plain, entropy: entropy())
        _ = machine.handle(
            Device.module(Device.subscriber, Device.subscriberNDI, Device.schedule(5745, sequenceID: 4)), now: now)
        let first = machine.handle(
            .request(
                .init(
                    peer: Device.publisher, publishID: InstanceID(12), dialogToken: DialogToken(1),
                    usesExtension: false, isProtected: false)), now: now)
        #expect(first.bodies == [frames[0]])
        let ending = try #require(try machine.hear(frames[1], from: Device.publisher, now: now).ending)
        #expect(ending.cause == .rejectedByPeer && ending.reason == .ndpRejected && !ending.wasConnected)
    }
}
