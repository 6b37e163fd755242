package import Octets

extension RTCPPacket {
    /// Packets in one datagram: what a phone sends is 4 at most; the rest is somebody filling the table.
    package static let compoundLimit = 16
    /// Feedback items read of one packet: 16 items name 272 packets, more than a resend buffer holds.
    package static let feedbackLimit = 16
    /// A chunk's CNAME item.
    private static let canonicalNameItem: UInt8 = 1

    /// Reads the packets of one datagram.
    ///
    /// A feedback packet may come first or alone (RFC 5506); every other rule of RFC 3550's A.2 holds.
    package static func compound(from datagram: [UInt8]) throws(WireError) -> [RTCPPacket] {
        var reader = ByteReader(datagram)
        var packets: [RTCPPacket] = []
        repeat {
            let start = reader.offset
            let first = try reader.u8("RTCP version")
            guard first >> 6 == 2 else {
                throw .invalid(field: "RTCP version", offset: start, value: UInt64(first >> 6))
            }
            let type = try reader.u8("RTCP packet type")
            guard (192...223).contains(type) else {
                throw .invalid(field: "RTCP packet type", offset: start + 1, value: UInt64(type))
            }
            let length = Int(try reader.u16BE("RTCP length")) * 4
            var body = try reader.slice(length, "RTCP packet")
            if first & 0x20 != 0 {
                // Padding is of the last packet only (6.4.1), and its last octet counts it.
                let padding = Int(datagram[reader.offset - 1])
                guard reader.remaining == 0, padding > 0, padding % 4 == 0, padding <= length else {
                    throw .invalid(field: "RTCP padding", offset: reader.offset - 1, value: UInt64(padding))
                }
                body = try body.slice(length - padding, "RTCP padded packet")
            }
            guard packets.count < compoundLimit else {
                throw .invalid(field: "RTCP packet count", offset: start, value: UInt64(packets.count + 1))
            }
            packets.append(try RTCPPacket(type: type, count: Int(first & 0x1F), body: &body))
        } while reader.remaining > 0
        return packets
    }

    /// One datagram with `packets` in order.
    package static func compound(_ packets: [RTCPPacket]) -> [UInt8] {
        var writer = ByteWriter(reserving: 128)
        for packet in packets { packet.encode(into: &writer) }
        return writer.bytes
    }

    private init(type: UInt8, count: Int, body: inout ByteReader) throws(WireError) {
        switch (type, count) {
        case (TypeCode.senderReport, _):
            var report = SenderReport(
                ssrc: try body.u32BE("SR SSRC"),
                ntp: NTPTime(
                    rawValue: UInt64(try body.u32BE("SR NTP")) << 32 | UInt64(try body.u32BE("SR NTP fraction"))),
                rtpTimestamp: try body.u32BE("SR RTP timestamp"), packetCount: try body.u32BE("SR packet count"),
                octetCount: try body.u32BE("SR octet count"))
            report.blocks = try Self.blocks(count, from: &body)
            self = .senderReport(report)
        case (TypeCode.receiverReport, _):
            let ssrc = try body.u32BE("RR SSRC")
            self = .receiverReport(ssrc: ssrc, blocks: try Self.blocks(count, from: &body))
        case (TypeCode.sourceDescription, 1...): self = try Self.sourceDescription(from: &body)
        case (TypeCode.goodbye, _):
            var ssrcs: [UInt32] = []
            for _ in 0..<count { ssrcs.append(try body.u32BE("BYE SSRC")) }
            self = .goodbye(ssrcs: ssrcs)
        case (TypeCode.payloadFeedback, 1):
            self = .pictureLossIndication(sender: try body.u32BE("PLI sender"), media: try body.u32BE("PLI media"))
        case (TypeCode.transportFeedback, 1):
            let sender = try body.u32BE("NACK sender")
            let media = try body.u32BE("NACK media")
            var lost: [LostPackets] = []
            while body.remaining > 0, lost.count < Self.feedbackLimit {
                lost.append(LostPackets(first: try body.u16BE("NACK PID"), following: try body.u16BE("NACK BLP")))
            }
            self = .negativeAcknowledgement(sender: sender, media: media, lost: lost)
        default: self = .unknown(type: type)
        }
    }

    private static func blocks(_ count: Int, from body: inout ByteReader) throws(WireError) -> [ReportBlock] {
        var blocks: [ReportBlock] = []
        for _ in 0..<count {
            let ssrc = try body.u32BE("report block SSRC")
            let lost = try body.u32BE("report block loss")
            blocks.append(
                ReportBlock(
                    ssrc: ssrc, fractionLost: UInt8(lost >> 24),
                    // Sign-extended from 24 bits.
                    cumulativeLost: Int32(bitPattern: lost << 8) >> 8,
                    extendedHighestSequence: try body.u32BE("report block sequence"),
                    jitter: try body.u32BE("report block jitter"), lastSenderReport: try body.u32BE("report block LSR"),
                    delaySinceLastSenderReport: try body.u32BE("report block DLSR")))
        }
        return blocks
    }

    /// The first chunk's CNAME; other chunks and items are a mixer's, and there is none.
    private static func sourceDescription(from body: inout ByteReader) throws(WireError) -> RTCPPacket {
        let ssrc = try body.u32BE("SDES SSRC")
        while body.remaining > 0 {
            let item = try body.u8("SDES item")
            if item == 0 { break }
            let length = Int(try body.u8("SDES item length"))
            let text = try body.octets(length, "SDES item text")
            if item == canonicalNameItem {
                return .sourceDescription(ssrc: ssrc, canonicalName: String(decoding: text, as: UTF8.self))
            }
        }
        return .unknown(type: TypeCode.sourceDescription)
    }

    private func encode(into writer: inout ByteWriter) {
        switch self {
        case .senderReport(let report):
            Self.header(TypeCode.senderReport, report.blocks.count, words: 6 + 6 * report.blocks.count, &writer)
            writer.u32BE(report.ssrc)
            writer.u32BE(UInt32(truncatingIfNeeded: report.ntp.rawValue >> 32))
            writer.u32BE(UInt32(truncatingIfNeeded: report.ntp.rawValue))
            writer.u32BE(report.rtpTimestamp)
            writer.u32BE(report.packetCount)
            writer.u32BE(report.octetCount)
            for block in report.blocks { block.encode(into: &writer) }
        case .receiverReport(let ssrc, let blocks):
            Self.header(TypeCode.receiverReport, blocks.count, words: 1 + 6 * blocks.count, &writer)
            writer.u32BE(ssrc)
            for block in blocks { block.encode(into: &writer) }
        case .sourceDescription(let ssrc, let name):
            let text = Array(name.utf8.prefix(255))
            // Ended by one to four zeros, to the next word (6.5).
            let padding = 4 - (2 + text.count) % 4
            Self.header(TypeCode.sourceDescription, 1, words: 1 + (2 + text.count + padding) / 4, &writer)
            writer.u32BE(ssrc)
            writer.u8(Self.canonicalNameItem)
            writer.u8(UInt8(text.count))
            writer.octets(text)
            writer.octets(repeatElement(0, count: padding))
        case .goodbye(let ssrcs):
            Self.header(TypeCode.goodbye, ssrcs.count, words: ssrcs.count, &writer)
            for ssrc in ssrcs { writer.u32BE(ssrc) }
        case .pictureLossIndication(let sender, let media):
            Self.header(TypeCode.payloadFeedback, 1, words: 2, &writer)
            writer.u32BE(sender)
            writer.u32BE(media)
        case .negativeAcknowledgement(let sender, let media, let lost):
            Self.header(TypeCode.transportFeedback, 1, words: 2 + lost.count, &writer)
            writer.u32BE(sender)
            writer.u32BE(media)
            for item in lost {
                writer.u16BE(item.first)
                writer.u16BE(item.following)
            }
        case .unknown: break  // read, never sent
        }
    }

    private static func header(_ type: UInt8, _ count: Int, words: Int, _ writer: inout ByteWriter) {
        precondition(count < 32)
        writer.u8(0x80 | UInt8(count))
        writer.u8(type)
        writer.u16BE(UInt16(words))
    }
}

extension RTCPPacket.ReportBlock {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.u32BE(ssrc)
        writer.u32BE(UInt32(fractionLost) << 24 | UInt32(bitPattern: cumulativeLost) & 0xFF_FFFF)
        writer.u32BE(extendedHighestSequence)
        writer.u32BE(jitter)
        writer.u32BE(lastSenderReport)
        writer.u32BE(delaySinceLastSenderReport)
    }
}
