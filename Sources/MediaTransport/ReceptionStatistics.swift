package import Octets

/// What one RTP source looks like from the receiving end (RFC 3550, A.1, A.3 and A.8).
package struct ReceptionStatistics: Equatable, Sendable {
    /// A jump further ahead than this is a restarted sender, not a loss (A.1, MAX_DROPOUT).
    private static let dropoutLimit: UInt16 = 3000
    /// Half of the sequence space minus this is a jump back (A.1, MAX_MISORDER).
    private static let misorderLimit: UInt16 = 100

    package let ssrc: UInt32
    package private(set) var received: UInt32 = 0

    private var base: UInt32
    private var highest: UInt16
    private var cycles: UInt32 = 0
    private var expectedPrior: UInt32 = 0
    private var receivedPrior: UInt32 = 0
    private var transit: Int64?
    /// Sixteen times the jitter, so that the filter's division loses nothing (A.8).
    private var jitter16: Int64 = 0
    private var senderReport: (middle: UInt32, at: MonotonicInstant)?

    package init(first header: RTPHeader) {
        ssrc = header.ssrc
        base = UInt32(header.sequenceNumber)
        highest = header.sequenceNumber
    }

    /// Counts a packet that was sent for the first time; repeats on request would hide the loss.
    package mutating func receive(_ header: RTPHeader, at now: MonotonicInstant) {
        let ahead = header.sequenceNumber &- highest
        if ahead < Self.dropoutLimit {
            if header.sequenceNumber < highest { cycles &+= 1 << 16 }
            highest = header.sequenceNumber
        } else if ahead <= UInt16.max - Self.misorderLimit {
            // The peer is connected and one source is one SSRC: the jump is believed at once.
            let jitter = jitter16
            self = ReceptionStatistics(first: header)
            jitter16 = jitter
            highest = header.sequenceNumber
        }
        received &+= 1
        let arrival = now.nanoseconds * 9 / 100_000  // 90 kHz
        // Only differences matter, and both clocks wrap at 32 bits.
        let transit = Int64(UInt32(truncatingIfNeeded: arrival) &- header.timestamp)
        if let last = self.transit {
            let difference = Int64(abs(Int32(truncatingIfNeeded: transit - last)))
            jitter16 += difference - ((jitter16 + 8) >> 4)
        }
        self.transit = transit
    }

    package mutating func receive(_ report: RTCPPacket.SenderReport, at now: MonotonicInstant) {
        senderReport = (report.ntp.middle, now)
    }

    package var extendedHighest: UInt32 { cycles &+ UInt32(highest) }
    package var expected: UInt32 { extendedHighest &- base &+ 1 }
    package var lost: Int64 { Int64(expected) - Int64(received) }
    /// In units of the 90 kHz media clock.
    package var jitter: UInt32 { UInt32(clamping: jitter16 >> 4) }

    /// The report block for now; starts a new interval for the lost fraction.
    package mutating func report(at now: MonotonicInstant) -> RTCPPacket.ReportBlock {
        let expectedInterval = expected &- expectedPrior
        let receivedInterval = received &- receivedPrior
        let lostInterval = Int64(expectedInterval) - Int64(receivedInterval)
        expectedPrior = expected
        receivedPrior = received
        let fraction = expectedInterval == 0 || lostInterval <= 0 ? 0 : lostInterval * 256 / Int64(expectedInterval)
        return RTCPPacket.ReportBlock(
            ssrc: ssrc, fractionLost: UInt8(clamping: fraction), cumulativeLost: Int32(clamping: lost),
            extendedHighestSequence: extendedHighest, jitter: jitter, lastSenderReport: senderReport?.middle ?? 0,
            delaySinceLastSenderReport: senderReport.map { $0.at.duration(to: now).middleNTP } ?? 0)
    }

    package static func == (a: Self, b: Self) -> Bool {
        a.ssrc == b.ssrc && a.received == b.received && a.base == b.base && a.highest == b.highest
            && a.cycles == b.cycles && a.jitter16 == b.jitter16
    }
}
