import MediaTransport
import Octets
import Testing

@Suite("A viewer's stream, receiving end") struct VideoReceiverTests {
    private let keyframe: [UInt8] = [0x78, 0, 2, 0x67, 1, 0, 2, 0x68, 1]

    private func receiver() -> VideoReceiver {
        var receiver = VideoReceiver(configuration: .init(), entropy: .seeded(2))
        _ = receiver.handle(.start, now: instant(0))
        return receiver
    }

    private func datagram(
        _ sequence: UInt16, _ timestamp: UInt32, marker: Bool = true, _ payload: [UInt8]
    ) throws -> VideoReceiver.Event {
        .datagram(try packet(sequence, timestamp: timestamp, marker: marker, payload: payload).datagram)
    }

    private func control(_ effects: [VideoReceiver.Effect]) throws -> [RTCPPacket] {
        try effects.flatMap { effect throws -> [RTCPPacket] in
            guard case .send(let datagram) = effect else { return [] }
            return try RTCPPacket.compound(from: datagram)
        }
    }

    private func delivered(_ effects: [VideoReceiver.Effect]) -> Int {
        effects.count { if case .deliver = $0 { true } else { false } }
    }

    /// A receiver that has shown a keyframe: numbers 0 and 1, timestamp 0.
    private func watching() throws -> VideoReceiver {
        var receiver = receiver()
        _ = receiver.handle(try datagram(0, 0, marker: false, keyframe), now: instant(0))
        #expect(receiver.handle(try datagram(1, 0, [0x65, 0x88]), now: instant(0)).isEmpty)
        #expect(delivered(receiver.handle(.deadlineReached, now: instant(4))) == 1)
        return receiver
    }

    @Test("a report goes out at once and then every second") func reports() throws {
        var receiver = VideoReceiver(configuration: .init(), entropy: .seeded(2))
        let first = try control(receiver.handle(.start, now: instant(0)))
        guard case .receiverReport(_, let blocks)? = first.first else {
            Issue.record("no report")
            return
        }
        #expect(blocks.isEmpty)
        _ = receiver.handle(try datagram(0, 0, marker: false, keyframe), now: instant(1))
        _ = receiver.handle(.deadlineReached, now: instant(5))
        #expect(receiver.nextDeadline == instant(1000))
        #expect(receiver.handle(.deadlineReached, now: instant(999)).isEmpty)
        #expect(receiver.handle(.deadlineReached, now: instant(1000)).count == 2)
        #expect(receiver.nextDeadline == instant(2000))
    }

    @Test("a stream that does not come is asked for again, ever less often, until its first packet")
    func asksAgain() throws {
        var receiver = VideoReceiver(configuration: .init(), entropy: .seeded(2))
        _ = receiver.handle(.start, now: instant(0))
        for due: Int64 in [50, 150, 350, 750] {
            #expect(receiver.nextDeadline == instant(due))
            #expect(try control(receiver.handle(.deadlineReached, now: instant(due))).count == 2)
        }
        #expect(receiver.nextDeadline == instant(1000))
        _ = receiver.handle(.deadlineReached, now: instant(1000))
        #expect(receiver.nextDeadline == instant(1550))
        _ = receiver.handle(try datagram(0, 0, marker: false, keyframe), now: instant(1100))
        _ = receiver.handle(.deadlineReached, now: instant(1104))
        #expect(receiver.nextDeadline == instant(2000))
    }

    @Test("a packet that overtook the first of the stream does not cost the first") func reorderedStart() throws {
        var receiver = receiver()
        _ = receiver.handle(try datagram(0, 0, [0x65, 0x88]), now: instant(0))
        #expect(receiver.nextDeadline == instant(4))
        _ = receiver.handle(try datagram(65535, 0, marker: false, keyframe), now: instant(1))
        #expect(delivered(receiver.handle(.deadlineReached, now: instant(4))) == 1)
        #expect(receiver.nextDeadline == instant(1000))
    }

    @Test("packets that overtook each other are put in order and none is asked for") func reordered() throws {
        var receiver = try watching()
        #expect(receiver.handle(try datagram(3, 6000, [0x41, 2]), now: instant(33)).isEmpty)
        let effects = receiver.handle(try datagram(2, 3000, [0x41, 1]), now: instant(34))
        #expect(delivered(effects) == 2)
        #expect(receiver.nextDeadline == instant(1000))
    }

    @Test("a missing packet is asked for, and its repair delivers what waited") func repaired() throws {
        var receiver = try watching()
        _ = receiver.handle(try datagram(3, 6000, [0x41, 2]), now: instant(33))
        let due = try #require(receiver.nextDeadline)
        #expect(due == instant(37))
        let asked = try control(receiver.handle(.deadlineReached, now: due))
        #expect(
            asked.contains {
                if case .negativeAcknowledgement(_, 7, let lost) = $0 { lost.map(\.first) == [2] } else { false }
            })
        #expect(try control(receiver.handle(.deadlineReached, now: instant(66))).isEmpty)
        #expect(try control(receiver.handle(.deadlineReached, now: instant(67))).count == 3)
        let effects = receiver.handle(try datagram(2, 3000, [0x41, 1]), now: instant(70))
        #expect(delivered(effects) == 2)
        guard case .report(let report)? = receiver.handle(.deadlineReached, now: instant(1000)).last else {
            Issue.record("no report")
            return
        }
        // The repair does not hide the link's loss: 1 of 4.
        #expect(report.fractionLost == 64)
        #expect(report.repaired == 1)
        #expect(report.unrepaired == 0)
        #expect(report.accessUnits == 3)
    }

    @Test("what stays lost freezes the picture until a keyframe, which is asked for at once and again") func frozen()
        throws
    {
        var receiver = try watching()
        _ = receiver.handle(try datagram(3, 6000, [0x41, 2]), now: instant(33))
        _ = receiver.handle(.deadlineReached, now: instant(37))
        let gaveUp = receiver.handle(.deadlineReached, now: instant(183))
        #expect(delivered(gaveUp) == 0)
        let isIndication = { (packet: RTCPPacket) in
            if case .pictureLossIndication(_, 7) = packet { true } else { false }
        }
        #expect(try control(gaveUp).contains(where: isIndication))
        let still = receiver.handle(try datagram(4, 9000, [0x41, 3]), now: instant(200))
        #expect(still.isEmpty)
        #expect(try control(receiver.handle(.deadlineReached, now: instant(432))).isEmpty)
        #expect(try control(receiver.handle(.deadlineReached, now: instant(433))).contains(where: isIndication))
        _ = receiver.handle(try datagram(5, 12000, marker: false, keyframe), now: instant(440))
        #expect(delivered(receiver.handle(try datagram(6, 12000, [0x65, 0x88]), now: instant(440))) == 1)
        #expect(delivered(receiver.handle(try datagram(7, 15000, [0x41, 9]), now: instant(470))) == 1)
        #expect(receiver.nextDeadline == instant(1000))
    }

    @Test("a stream joined in its middle shows nothing before its first keyframe") func joined() throws {
        var receiver = receiver()
        _ = receiver.handle(try datagram(100, 0, [0x41, 1]), now: instant(0))
        let effects = receiver.handle(.deadlineReached, now: instant(4))
        #expect(delivered(effects) == 0)
        #expect(try control(effects).count == 3)
    }

    @Test("a sender that starts over is followed") func newSource() throws {
        var receiver = try watching()
        let first = try packet(9000, timestamp: 77, ssrc: 8, payload: keyframe).datagram
        let second = try packet(9001, timestamp: 77, marker: true, ssrc: 8, payload: [0x65, 0x88]).datagram
        _ = receiver.handle(.datagram(first), now: instant(10))
        _ = receiver.handle(.datagram(second), now: instant(10))
        #expect(delivered(receiver.handle(.deadlineReached, now: instant(14))) == 1)
    }

    @Test("a jump too far to repair is given up without waiting") func jump() throws {
        var receiver = try watching()
        _ = receiver.handle(try datagram(2000, 6000, marker: false, keyframe), now: instant(33))
        _ = receiver.handle(try datagram(2001, 6000, [0x65, 0x88]), now: instant(33))
        let effects = receiver.handle(try datagram(2002, 9000, [0x41, 1]), now: instant(40))
        // The hole may have cost the first keyframe's head; the decoder starts at the next that is whole.
        #expect(delivered(effects) <= 1)
        #expect(receiver.nextDeadline != nil)
    }

    @Test("a goodbye of the sender is told, stopping says goodbye") func goodbye() throws {
        var receiver = try watching()
        let foreign = RTCPPacket.compound([.goodbye(ssrcs: [8])])
        #expect(receiver.handle(.datagram(foreign), now: instant(1)).isEmpty)
        let own = RTCPPacket.compound([.goodbye(ssrcs: [7])])
        #expect(receiver.handle(.datagram(own), now: instant(1)) == [.ended])
        let last = try control(receiver.handle(.stop, now: instant(2))).last
        guard case .goodbye? = last else {
            Issue.record("no goodbye")
            return
        }
        #expect(receiver.nextDeadline == nil)
    }

    @Test("mutated datagrams trap nothing and fill nothing") func mutations() throws {
        var entropy = Entropy.seeded(7)
        var receiver = try watching()
        let clip = try DemoClip.clip()
        let all = clip.units.prefix(10).flatMap { payloads(of: $0, limit: 1188) }
        for round in 0..<20_000 {
            let now = instant(Int64(round))
            var octets = try packet(UInt16(truncatingIfNeeded: round + 2), payload: all[round % all.count]).datagram
            for _ in 0..<Int.random(in: 1...3, using: &entropy) {
                let index = Int.random(in: 0..<min(octets.count, 24), using: &entropy)
                octets[index] = UInt8.random(in: .min ... .max, using: &entropy)
            }
            for case .deliver(let unit, _) in receiver.handle(.datagram(octets), now: now) {
                #expect(unit.octets.count <= AccessUnitSplitter.octetLimit)
            }
            _ = receiver.handle(.deadlineReached, now: now)
        }
    }
}
