/// One packet of an RTCP compound (RFC 3550, 6; RFC 4585, 6).
package enum RTCPPacket: Equatable, Sendable {
    case senderReport(SenderReport)
    case receiverReport(ssrc: UInt32, blocks: [ReportBlock])
    case sourceDescription(ssrc: UInt32, canonicalName: String)
    case goodbye(ssrcs: [UInt32])
    case pictureLossIndication(sender: UInt32, media: UInt32)
    case negativeAcknowledgement(sender: UInt32, media: UInt32, lost: [LostPackets])
    /// APP, other feedback, other description items: skipped, its type kept for counting.
    case unknown(type: UInt8)

    /// A sender's clock and counts (RFC 3550, 6.4.1).
    package struct SenderReport: Equatable, Sendable {
        package var ssrc: UInt32
        package var ntp: NTPTime
        package var rtpTimestamp: UInt32
        package var packetCount: UInt32
        package var octetCount: UInt32
        package var blocks: [ReportBlock]

        package init(
            ssrc: UInt32, ntp: NTPTime, rtpTimestamp: UInt32, packetCount: UInt32, octetCount: UInt32,
            blocks: [ReportBlock] = []
        ) {
            self.ssrc = ssrc
            self.ntp = ntp
            self.rtpTimestamp = rtpTimestamp
            self.packetCount = packetCount
            self.octetCount = octetCount
            self.blocks = blocks
        }
    }

    /// How one source is received (RFC 3550, 6.4.1).
    package struct ReportBlock: Equatable, Sendable {
        package var ssrc: UInt32
        /// Lost since the last report, in 256ths of what was expected.
        package var fractionLost: UInt8
        /// Lost since the start, 24 bits on the wire; negative when duplicates outnumber losses.
        package var cumulativeLost: Int32
        package var extendedHighestSequence: UInt32
        /// In units of the media clock.
        package var jitter: UInt32
        /// The middle of the last sender report's time; 0 when there was none.
        package var lastSenderReport: UInt32
        /// Since that report came, in 16.16 seconds.
        package var delaySinceLastSenderReport: UInt32

        package init(
            ssrc: UInt32, fractionLost: UInt8, cumulativeLost: Int32, extendedHighestSequence: UInt32, jitter: UInt32,
            lastSenderReport: UInt32, delaySinceLastSenderReport: UInt32
        ) {
            self.ssrc = ssrc
            self.fractionLost = fractionLost
            self.cumulativeLost = min(max(cumulativeLost, -0x80_0000), 0x7F_FFFF)
            self.extendedHighestSequence = extendedHighestSequence
            self.jitter = jitter
            self.lastSenderReport = lastSenderReport
            self.delaySinceLastSenderReport = delaySinceLastSenderReport
        }
    }

    /// A lost packet and which of the sixteen after it are lost too (RFC 4585, 6.2.1).
    package struct LostPackets: Equatable, Sendable {
        package var first: UInt16
        /// Bit i says that `first` + i + 1 is lost.
        package var following: UInt16

        package init(first: UInt16, following: UInt16 = 0) {
            self.first = first
            self.following = following
        }

        package var sequenceNumbers: [UInt16] {
            var numbers = [first]
            for bit: UInt16 in 0..<16 where following >> bit & 1 == 1 { numbers.append(first &+ bit &+ 1) }
            return numbers
        }

        /// The fewest items that name all of `numbers`, which are in sending order.
        package static func covering(_ numbers: [UInt16]) -> [LostPackets] {
            var items: [LostPackets] = []
            for number in numbers {
                if let last = items.last, (1...16).contains(number &- last.first) {
                    items[items.count - 1].following |= 1 << (number &- last.first - 1)
                } else {
                    items.append(LostPackets(first: number))
                }
            }
            return items
        }
    }

    enum TypeCode {
        static let senderReport: UInt8 = 200
        static let receiverReport: UInt8 = 201
        static let sourceDescription: UInt8 = 202
        static let goodbye: UInt8 = 203
        static let transportFeedback: UInt8 = 205
        static let payloadFeedback: UInt8 = 206
    }
}
