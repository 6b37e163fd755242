import Cryptography
import NANEngine
import NANFrames
import Octets
import Testing

/// What strangers and broken peers send.
@Suite("Data paths and others' frames") struct DataPathForgeryTests {
    private let start = Setup.start
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

    @Test("forged and foreign frames change nothing")
    func forged() throws {
        var bench = bench()
        bench.request(.ncsSK128)
        let bodies = bench.sent.map(\.1.body)
        var machine = try #require(bench.machines[.publisher])
        let stranger = NMI(MACAddress(bits: 0x0200_0000_0099))
        for body in bodies.dropFirst() {
            #expect(try machine.hear(body, from: stranger, now: bench.now).drops == ["NDP/unknown"])
        }
        #expect(try machine.hear(bodies[0], from: stranger, now: bench.now).drops == ["NDP/ID in use"])
        // Another request for the same path, in clear, while keys protect it.
        var request = bodies[0]
        request[request.count - 1] ^= 1
        #expect(try machine.hear(request, from: Device.subscriber, now: bench.now).drops == ["NDP/clear request"])
        let termination = NAF(
            .dataPathTermination,
            [
                .ndp(
                    NDP(
                        dialogToken: DialogToken(0), kind: .terminate, status: .rejected, reason: .unspecified,
                        initiatorNDI: Device.subscriberNDI, ndpID: NDPID(1), content: .ndp(serviceInfo: nil)))
            ]
        ).encoded
        #expect(try machine.hear(termination, from: Device.subscriber, now: bench.now).drops == ["NDP/clear"])
        #expect(machine.isConnected(with: Device.subscriber))
    }

    @Test("nobody gets the data address of another, nor its keys")
    func othersAddress() throws {
        var bench = bench()
        bench.request(.ncsSK128)
        var request = bench.sent[0].1.body
        var writer = ByteWriter(reserving: 6)
        Device.subscriberNDI.address.encode(into: &writer)
        let at = try #require(request.indices.first { Array(request[$0...].prefix(6)) == writer.bytes })
        request[at + 6] = 9  // NDP ID
        var machine = try #require(bench.machines[.publisher])
        let stranger = NMI(MACAddress(bits: 0x0200_0000_0099))
        #expect(try machine.hear(request, from: stranger, now: bench.now).drops == ["NDP/address in use"])
        #expect(machine.isConnected(with: Device.subscriber))
    }

    @Test("a schedule in clear ends nothing that keys protect, and one that keys protect does")
    func clearSchedule() throws {
        var bench = bench()
        bench.request(.ncsSK128)
        let elsewhere = try #require(try DeviceSchedule(Device.schedule(2437, sequenceID: 10).availability))
        bench.tell(.publisher, .peerSchedule(Device.subscriber, elsewhere, isProtected: false))
        #expect(bench.isConnected)
        bench.tell(.publisher, .peerSchedule(Device.subscriber, elsewhere, isProtected: true))
        #expect(bench.endings[.publisher]?.map(\.cause) == [.noCommonSlots])
    }

    @Test("every octet of M2 and M3 that is changed is noticed", arguments: [1, 2])
    func tampered(_ message: Int) throws {
        let bodies = [Transcript.secureM1, Transcript.secureM2, Transcript.secureM3]
        for at in stride(from: NAF.attributesOffset, to: bodies[message].count, by: 1) {
            var body = bodies[message]
            body[at] ^= 0x40
            guard case .action(let naf)? = try? NANFrame.decodeTolerantly(body).0 else { continue }
            var machine: DataPathMachine
            let peer: NMI
            if message == 1 {
                machine = Setup.initiator(.ncsSK128)
                peer = Device.publisher
            } else {
                machine = DataPathMachine(
                    Setup.quiet(),
                    entropy: .scripted(byLabel: [
                        "nonce": Transcript.secureRNonce, "ndc": [0x15, 0x62, 0xED, 0xB4, 0x69, 0x6C],
                    ]))
                _ = machine.handle(
                    Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 8)),
                    now: start)
                let request = try #require(
                    try machine.hear(bodies[0], from: Device.subscriber, now: start).request)
                let credential = DataPathMachine.Credential(
                    Device.key(Transcript.secureKey), service: Device.service)
                let answer = machine.handle(.answer(request.id, .accept(.init(credential: credential))), now: start)
                #expect(answer.bodies == [bodies[1]])
                peer = Device.subscriber
            }
            let effects = machine.handle(
                .received(naf, body: body, from: peer, isProtected: false), now: start)
            #expect(effects.frames.isEmpty && effects.connection == nil, "octet \(at)")
        }
    }

    @Test("a late copy of an ended path's request is no new request")
    func lateRequest() throws {
        var bench = bench()
        bench.request(.ncsSK128)
        let request = bench.sent[0].1.body
        bench.tell(.subscriber, .terminateAll)
        var machine = try #require(bench.machines[.publisher])
        #expect(try machine.hear(request, from: Device.subscriber, now: bench.now).drops == ["NDP/late request"])
    }

    @Test("a new request takes the place of a setup that its peer has given up")
    func newRequest() throws {
        var (machine, request) = try Setup.responder()
        _ = machine.handle(.answer(request.id, .accept(.init())), now: start)
        var body = Transcript.openTwice[0]
        let id = try #require(body.indices.first { Array(body[$0...].prefix(4)) == [0x01, 0x09, 0x0C, 0x12] })
        body[id] = 9
        let effects = try machine.hear(body, from: Device.subscriber, now: start)
        #expect(effects.ending?.cause == .replaced && effects.ending?.isLastWithPeer == true)
        #expect(effects.request?.id.number == NDPID(9))
    }

    @Test("strangers get only so many places, and are told so")
    func limits() throws {
        var machine = DataPathMachine(.init(), entropy: .seeded(1))
        _ = machine.handle(
            Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 6)), now: start)
        var asked = 0
        for number in 0..<20 {
            let peer = NMI(MACAddress(bits: 0x0200_0000_0000 + UInt64(number)))
            var body = Transcript.openTwice[0]
            let at = try #require(body.indices.first { Array(body[$0...].prefix(3)) == [0xBB, 0xBB, 0xBB] })
            body[at + 2] = UInt8(number)
            let effects = try machine.hear(body, from: peer, now: start)
            if effects.request != nil {
                asked += 1
            } else {
                let body = try #require(effects.bodies.first)
                let ndp = try #require(NAF(body: body).attributes.ndp)
                #expect(ndp.status == .rejected && ndp.reason == .resourceLimitation)
            }
        }
        #expect(asked == DataPathMachine.maximumRequests)
    }

    @Test(
        "requests that contradict themselves are refused or dropped",
        arguments: [
            "no NDL", "two suites", "no descriptor", "no context", "bands committed", "NDC outside", "no HT",
            "no publish ID",
        ])
    func malformed(_ fault: String) throws {
        var machine = DataPathMachine(.init(), entropy: .seeded(1))
        _ = machine.handle(
            Device.module(Device.publisher, Device.publisherNDI, Device.schedule(5745, sequenceID: 6)), now: start)
        let naf = try NAF(body: Transcript.secureM1)
        var expected: ReasonCode? = .invalidParameters
        var attributes: [Attribute] = []
        for attribute in naf.attributes.attributes {
            switch (fault, attribute) {
            case ("no NDL", .ndl), ("no HT", .elementContainer): expected = .ndlUnacceptable
            case ("no descriptor", .sharedKeyDescriptor), ("no context", .securityContextInformation): break
            case ("two suites", .cipherSuiteInformation(let value)):
                attributes.append(
                    .cipherSuiteInformation(
                        CipherSuiteInformation(
                            value.entries + [.init(.ncsPKPASN128, publishID: InstanceID(12))])))
            case ("bands committed", .availability(let value)):
                expected = .ndlUnacceptable
                let entry = Availability.Entry(value.entries[0].control, .init(.bands([.band5GHz])))
                attributes.append(
                    .availability(Availability(sequenceID: 1, mapID: 0, changes: .committed, [entry])))
            case ("NDC outside", .ndl):
                expected = .ndlUnacceptable
                attributes.append(
                    .ndc(NDC(ndcID: MACAddress(bits: 1), [ScheduleEntry(mapID: 0, TimeBitmap(everyPeriod: 1))])))
                attributes.append(attribute)
            case ("no publish ID", .ndp(let value)):
                expected = nil
                attributes.append(
                    .ndp(
                        NDP(
                            dialogToken: value.dialogToken, kind: .request, status: .continued,
                            initiatorNDI: value.initiatorNDI, ndpID: value.ndpID, control: value.control,
                            content: value.content)))
            default: attributes.append(attribute)
            }
        }
        let effects = try machine.hear(
            NAF(.dataPathRequest, AttributeList(attributes)).encoded, from: Device.subscriber, now: start)
        #expect(effects.request == nil)
        guard let expected else {
            #expect(effects.drops == ["NDP/malformed request"])
            return
        }
        let refusal = try #require(effects.bodies.first)
        let answer = try NAF(body: refusal).attributes
        #expect(answer.ndp?.status == .rejected && answer.ndp?.reason == expected)
        #expect(answer.ndp?.control.contains(.securityPresent) == true && answer.sharedKeyDescriptor == nil)
    }

    @Test("20 000 mutated frames in every state change nothing they should not, and never trap", arguments: 0..<20)
    func mutations(_ batch: Int) throws {
        var entropy = Entropy.seeded(UInt64(batch))
        var bench = bench(seed: UInt64(batch))
        bench.request(.ncsSK128)
        let recorded = bench.sent.map(\.1.body)
        var machines = [Setup.initiator(.ncsSK128), try Setup.responder().0]
        machines += try [Bench.Side.subscriber, .publisher].map { try #require(bench.machines[$0]) }
        for _ in 0..<1000 {
            var body = recorded[Int.random(in: recorded.indices, using: &entropy)]
            for _ in 0..<Int.random(in: 1...3, using: &entropy) {
                body[Int.random(in: body.indices, using: &entropy)] = UInt8.random(in: .min ... .max, using: &entropy)
            }
            guard case .action(let naf)? = try? NANFrame.decodeTolerantly(body).0 else { continue }
            let index = Int.random(in: machines.indices, using: &entropy)
            let peer = index % 2 == 0 ? Device.publisher : Device.subscriber
            let effects = machines[index].handle(
                .received(naf, body: body, from: peer, isProtected: Bool.random(using: &entropy)), now: start)
            // No mutation carries a MIC: nobody gets a key out of one.
            #expect(effects.connection?.key == nil)
        }
    }
}
