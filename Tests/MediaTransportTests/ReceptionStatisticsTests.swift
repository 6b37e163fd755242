import MediaTransport
import Octets
import Testing

@Suite("Reception statistics") struct ReceptionStatisticsTests {
    private func header(_ sequence: UInt16, _ timestamp: UInt32 = 0) -> RTPHeader {
        RTPHeader(payloadType: 96, marker: false, sequenceNumber: sequence, timestamp: timestamp, ssrc: 9)
    }

    @Test("losses are counted over the wrap, per interval and in all (RFC 3550, A.3)") func losses() {
        var statistics = ReceptionStatistics(first: header(65534))
        for sequence: UInt16 in [65534, 65535, 0, 2] { statistics.receive(header(sequence), at: instant(0)) }
        let first = statistics.report(at: instant(1000))
        // Expected 5, received 4: 256/5 = 51.
        #expect(first.fractionLost == 51)
        #expect(first.cumulativeLost == 1)
        #expect(first.extendedHighestSequence == 0x1_0002)
        for sequence: UInt16 in 3...6 { statistics.receive(header(sequence), at: instant(0)) }
        let second = statistics.report(at: instant(2000))
        #expect(second.fractionLost == 0)
        #expect(second.cumulativeLost == 1)
    }

    @Test("a stream that starts at number 0 has lost nothing") func startsAtZero() {
        var statistics = ReceptionStatistics(first: header(0))
        statistics.receive(header(0), at: instant(0))
        #expect(statistics.expected == 1)
        #expect(statistics.lost == 0)
    }

    @Test("duplicates make the loss negative, never the fraction") func duplicates() {
        var statistics = ReceptionStatistics(first: header(10))
        for sequence: UInt16 in [10, 11, 11, 11] { statistics.receive(header(sequence), at: instant(0)) }
        let block = statistics.report(at: instant(1000))
        #expect(block.fractionLost == 0)
        #expect(block.cumulativeLost == -2)
    }

    @Test("jitter follows the filter of RFC 3550, A.8, worked by hand") func jitter() {
        var statistics = ReceptionStatistics(first: header(0))
        // 3000 ticks = 33.333 ms apart by the media clock; they arrive 0, 43.333 and 66.666 ms after the first.
        statistics.receive(header(0, 0), at: MonotonicInstant(nanoseconds: 1_000_000_000))
        statistics.receive(header(1, 3000), at: MonotonicInstant(nanoseconds: 1_043_333_334))
        // D = 900 ticks: J16 = 900 - (0 + 8 >> 4) = 900; J = 900 >> 4 = 56.
        #expect(statistics.jitter == 56)
        statistics.receive(header(2, 6000), at: MonotonicInstant(nanoseconds: 1_066_666_667))
        // D = 900 again: J16 = 900 + 900 - (900 + 8 >> 4) = 1744; J = 109.
        #expect(statistics.jitter == 109)
    }

    @Test("the media clock's wrap is no jitter") func clockWrap() {
        var statistics = ReceptionStatistics(first: header(0))
        statistics.receive(header(0, .max - 1499), at: instant(1000))
        statistics.receive(header(1, 1500), at: MonotonicInstant(nanoseconds: 1_033_333_334))
        #expect(statistics.jitter == 0)
    }

    @Test("a sender report is answered with its time and the delay since") func lastSenderReport() {
        var statistics = ReceptionStatistics(first: header(0))
        statistics.receive(
            RTCPPacket.SenderReport(
                ssrc: 9, ntp: NTPTime(rawValue: 0x1111_2222_3333_4444), rtpTimestamp: 0, packetCount: 0, octetCount: 0),
            at: instant(1000))
        let block = statistics.report(at: instant(1500))
        #expect(block.lastSenderReport == 0x2222_3333)
        #expect(block.delaySinceLastSenderReport == 0x8000)
    }

    @Test("an instant becomes seconds and a binary fraction") func ntp() {
        #expect(NTPTime(MonotonicInstant(nanoseconds: 1_500_000_000)).rawValue == 0x1_8000_0000)
        #expect(NTPTime(MonotonicInstant(nanoseconds: 1_500_000_000)).middle == 0x1_8000)
    }
}
