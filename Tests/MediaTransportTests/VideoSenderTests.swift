import MediaTransport
import Octets
import Testing

@Suite("A viewer's stream, sending end") struct VideoSenderTests {
    private static let report = RTCPPacket.compound([.receiverReport(ssrc: 5, blocks: [])])
    private let keyframe = AccessUnit(nalUnits: [[0x67, 1], [0x68, 1], nalUnit(0x65, count: 5000)])
    private let picture = AccessUnit(nalUnits: [nalUnit(0x41, count: 3000)])

    private func sender() -> VideoSender { VideoSender(configuration: .init(), entropy: .seeded(1)) }

    private func started() -> VideoSender {
        var sender = sender()
        _ = sender.handle(.control(Self.report), now: instant(0))
        return sender
    }

    /// Begins `unit` and takes all its bursts at once.
    private func send(_ unit: AccessUnit, _ sender: inout VideoSender, at now: MonotonicInstant) -> [[UInt8]] {
        sender.begin(unit, timestamp: 90, spread: .zero, now: now)
        var all: [[UInt8]] = []
        while let run = sender.nextBurst(now: now) { all += datagrams(sender, first: run.first, count: run.count) }
        return all
    }

    private func ssrc(_ packets: [[UInt8]]) throws -> UInt32 {
        try RTPPacket(parsing: try #require(packets.first)).header.ssrc
    }

    @Test("nothing is sent before a receiver report, and a report starts it once") func start() {
        var sender = sender()
        #expect(sender.nextDeadline == nil)
        #expect(send(keyframe, &sender, at: instant(0)).isEmpty)
        let indication = RTCPPacket.compound([.pictureLossIndication(sender: 5, media: 0)])
        #expect(sender.handle(.control(indication), now: instant(0)).isEmpty)
        #expect(sender.handle(.control(Self.report), now: instant(0)) == [.started])
        #expect(sender.handle(.control(Self.report), now: instant(1)).isEmpty)
    }

    @Test("a stream starts with a keyframe; what comes before it is left out") func startsWithKeyframe() {
        var sender = started()
        #expect(send(picture, &sender, at: instant(0)).isEmpty)
        #expect(sender.counters.skippedUnits == 1)
        #expect(send(keyframe, &sender, at: instant(33)).count == 6)
        #expect(send(picture, &sender, at: instant(66)).count == 3)
    }

    @Test("packets are numbered without a gap and only a picture's last carries the marker") func packets() throws {
        var sender = started()
        let all = send(keyframe, &sender, at: instant(0)) + send(picture, &sender, at: instant(33))
        let headers = try all.map { try RTPPacket(parsing: $0).header }
        for (earlier, later) in zip(headers, headers.dropFirst()) {
            #expect(later.sequenceNumber == earlier.sequenceNumber &+ 1)
        }
        #expect(headers.map(\.marker) == [false, false, false, false, false, true, false, false, true])
        #expect(Set(headers.map(\.ssrc)).count == 1)
        #expect(all.allSatisfy { $0.count <= 1200 })
    }

    @Test("silence ends it after 5 s, not a nanosecond before, with a goodbye") func silence() {
        var sender = started()
        _ = sender.handle(.control(Self.report), now: instant(1000))
        let end = instant(6000)
        let before = sender.handle(.deadlineReached, now: MonotonicInstant(nanoseconds: end.nanoseconds - 1))
        #expect(!before.contains(.ended(.silence)))
        let effects = sender.handle(.deadlineReached, now: end)
        #expect(effects.last == .ended(.silence))
        #expect(effects.count == 2)
        #expect(sender.nextDeadline == nil)
        #expect(sender.handle(.deadlineReached, now: end).isEmpty)
    }

    @Test("BYE ends it at once, also in one datagram with a report, and a new report starts it anew") func goodbye() {
        var sender = started()
        let bye = RTCPPacket.compound([.receiverReport(ssrc: 5, blocks: []), .goodbye(ssrcs: [5])])
        #expect(sender.handle(.control(bye), now: instant(10)) == [.ended(.goodbye)])
        #expect(send(keyframe, &sender, at: instant(20)).isEmpty)
        #expect(sender.handle(.control(Self.report), now: instant(30)) == [.started])
        #expect(send(keyframe, &sender, at: instant(40)).count == 6)
    }

    @Test("after a picture loss indication the next unit sent is SPS, PPS and IDR") func indication() throws {
        var sender = started()
        let ssrc = try ssrc(send(keyframe, &sender, at: instant(0)))
        let indication = RTCPPacket.compound([.pictureLossIndication(sender: 5, media: ssrc)])
        #expect(sender.handle(.control(indication), now: instant(200)).isEmpty)
        #expect(sender.asksForKeyframe(at: instant(200)))
        #expect(send(picture, &sender, at: instant(233)).isEmpty)
        let packets = try send(keyframe, &sender, at: instant(266)).map { try RTPPacket(parsing: $0) }
        // A STAP-A with types 7 and 8, then the IDR's first fragment.
        #expect(packets[0].datagram[packets[0].payload] == [0x78, 0, 2, 0x67, 1, 0, 2, 0x68, 1])
        #expect(packets[1].datagram[packets[1].payload].prefix(2) == [0x7C, 0x85])
        #expect(!sender.wantsKeyframe)
    }

    @Test("an indication for another stream changes nothing, a storm of them asks at the pace set") func storm() throws
    {
        var sender = started()
        let ssrc = try ssrc(send(keyframe, &sender, at: instant(0)))
        let foreign = RTCPPacket.compound([.pictureLossIndication(sender: 5, media: ssrc &+ 1)])
        _ = sender.handle(.control(foreign), now: instant(10))
        #expect(!sender.wantsKeyframe)
        let own = RTCPPacket.compound([.pictureLossIndication(sender: 5, media: ssrc)])
        _ = sender.handle(.control(own), now: instant(10))
        #expect(!sender.asksForKeyframe(at: instant(99)))
        #expect(sender.asksForKeyframe(at: instant(100)))
    }

    @Test("a lost packet is sent again, octet for octet, three times at most and not when it is old") func resends()
        throws
    {
        var sender = started()
        let sent = send(keyframe, &sender, at: instant(0))
        let header = try RTPPacket(parsing: sent[2]).header
        let request = RTCPPacket.compound([
            .negativeAcknowledgement(
                sender: 5, media: header.ssrc,
                lost: [RTCPPacket.LostPackets(first: header.sequenceNumber, following: 0x8000)])
        ])
        for _ in 0..<3 {
            // The other packet asked for has not been sent yet.
            #expect(sender.handle(.control(request), now: instant(50)) == [.resend([header.sequenceNumber])])
        }
        #expect(datagrams(sender, first: header.sequenceNumber, count: 1) == [sent[2]])
        #expect(sender.handle(.control(request), now: instant(50)).isEmpty)

        var late = started()
        _ = send(keyframe, &late, at: instant(0))
        #expect(late.handle(.control(request), now: instant(401)).isEmpty)
    }

    @Test("a large picture is spread over bursts") func pacing() {
        var sender = started()
        let large = AccessUnit(nalUnits: [nalUnit(0x65, count: 24_000)])
        sender.begin(large, timestamp: 0, spread: .milliseconds(15), now: instant(0))
        #expect(sender.nextBurst(now: instant(0))?.count == 8)
        #expect(sender.nextBurst(now: instant(4)) == nil)
        #expect(sender.nextDeadline == instant(5))
        #expect(sender.nextBurst(now: instant(5))?.count == 8)
        #expect(sender.nextBurst(now: instant(10))?.count == 5)
        #expect(sender.nextBurst(now: instant(20)) == nil)
    }

    @Test("hurrying sends the rest of a picture at once") func hurrying() {
        var sender = started()
        sender.begin(
            AccessUnit(nalUnits: [nalUnit(0x65, count: 24_000)]), timestamp: 0, spread: .milliseconds(15),
            now: instant(0))
        var counts: [Int] = []
        while let run = sender.nextBurst(now: instant(1), hurrying: true) { counts.append(run.count) }
        #expect(counts == [8, 8, 5])
        #expect(sender.counters.droppedPackets == 0)
    }

    @Test("what is late is dropped, and the stream goes on at a keyframe") func late() {
        var sender = started()
        sender.begin(
            AccessUnit(nalUnits: [nalUnit(0x65, count: 24_000)]), timestamp: 0, spread: .milliseconds(15),
            now: instant(0))
        _ = sender.nextBurst(now: instant(0))
        #expect(send(picture, &sender, at: instant(33)).isEmpty)
        #expect(sender.counters.droppedPackets == 13)
        #expect(send(keyframe, &sender, at: instant(66)).count == 6)
    }

    @Test("what the kernel refuses is dropped with the rest of its picture") func refused() {
        var sender = started()
        sender.begin(
            AccessUnit(nalUnits: [nalUnit(0x65, count: 24_000)]), timestamp: 0, spread: .milliseconds(15),
            now: instant(0))
        _ = sender.nextBurst(now: instant(0))
        sender.refused(3)
        #expect(sender.nextBurst(now: instant(30)) == nil)
        #expect(sender.counters.droppedPackets == 16)
        #expect(sender.wantsKeyframe)
    }

    @Test("a report block gives loss, jitter and the round trip by LSR and DLSR") func measured() throws {
        var sender = started()
        let ssrc = try ssrc(send(keyframe, &sender, at: instant(0)))
        let effects = sender.handle(.deadlineReached, now: instant(100))
        guard case .send(let datagram)? = effects.first,
            case .senderReport(let report)? = try RTCPPacket.compound(from: datagram).first
        else {
            Issue.record("no sender report")
            return
        }
        #expect(report.ssrc == ssrc)
        #expect(report.packetCount == 6)
        // 100 ms after the picture with timestamp 90: 9000 ticks on.
        #expect(report.rtpTimestamp == 9090)
        var block = RTCPPacket.ReportBlock(
            ssrc: ssrc, fractionLost: 13, cumulativeLost: 4, extendedHighestSequence: 0, jitter: 90,
            lastSenderReport: report.ntp.middle, delaySinceLastSenderReport: 0x8000)
        // Held for 500 ms, back after 750 ms: 250 ms on the way, in units of 1/65536 s.
        let answer = RTCPPacket.compound([.receiverReport(ssrc: 5, blocks: [block])])
        guard case .measured(let measurement)? = sender.handle(.control(answer), now: instant(850)).first else {
            Issue.record("no measurement")
            return
        }
        let roundTrip = try #require(measurement.roundTrip)
        #expect(abs((roundTrip - .milliseconds(250)) / .microseconds(1)) < 20)
        #expect(measurement.jitter == .milliseconds(1))
        #expect(measurement.fractionLost == 13)
        block.ssrc = ssrc &+ 1
        let foreign = RTCPPacket.compound([.receiverReport(ssrc: 5, blocks: [block])])
        #expect(sender.handle(.control(foreign), now: instant(900)).isEmpty)
    }

    @Test("malformed RTCP is counted and changes nothing") func malformed() {
        var sender = started()
        #expect(sender.handle(.control([0x80, 201, 0, 9, 0]), now: instant(0)).isEmpty)
        #expect(sender.counters.malformedControl == 1)
        #expect(sender.isStreaming)
    }
}
