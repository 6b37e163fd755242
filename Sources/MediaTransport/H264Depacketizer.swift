/// Builds access units from RTP payloads in sequence order (RFC 6184, non-interleaved mode).
///
/// It is told of losses; a NAL unit with a hole is dropped, and the access unit it belonged to is handed out
/// without it and marked as damaged.
package struct H264Depacketizer: Sendable {
    /// An access unit and whether all of it arrived.
    package struct Unit: Equatable, Sendable {
        package let accessUnit: AccessUnit
        package let isComplete: Bool
        package let timestamp: UInt32
    }

    /// Payloads that were of no known kind or contradicted themselves.
    package private(set) var malformed = 0

    private var octets: [UInt8] = []
    private var nalUnits: [Range<Int>] = []
    /// Where the NAL unit being put together from fragments starts in `octets`.
    private var fragmentStart: Int?
    private var isDamaged = false
    /// Whether packets are missing since the last one.
    private var hasHole = false
    private var timestamp: UInt32?

    package init() {}

    /// Says that at least one packet is missing before the next one.
    package mutating func lost() { hasHole = true }

    /// Takes the next packet in order; returns the units it ends, two when it also ends the one before.
    package mutating func receive(_ packet: RTPPacket) -> [Unit] {
        var units: [Unit] = []
        if hasHole { dropFragment() }
        if let timestamp, timestamp != packet.header.timestamp {
            // The one before had no marker: its last packet was lost, or its sender gave it up.
            dropFragment()
            isDamaged = isDamaged || hasHole
            take(into: &units)
        }
        // A hole on the border may belong to either side: both are damaged.
        isDamaged = isDamaged || hasHole
        hasHole = false
        timestamp = packet.header.timestamp
        if !packet.payload.isEmpty { unpack(packet.datagram, packet.payload) }
        if packet.header.marker {
            dropFragment()
            take(into: &units)
        }
        return units
    }

    private mutating func unpack(_ datagram: [UInt8], _ payload: Range<Int>) {
        let type = NALUnitType(header: datagram[payload.lowerBound])
        if type != .fragmentation { dropFragment() }
        switch type.rawValue {
        case 1...23: append(datagram, payload)
        case NALUnitType.singleTimeAggregation.rawValue: unpackAggregate(datagram, payload)
        case NALUnitType.fragmentation.rawValue: unpackFragment(datagram, payload)
        default: refuse()
        }
    }

    private mutating func unpackAggregate(_ datagram: [UInt8], _ payload: Range<Int>) {
        var at = payload.lowerBound + 1
        while at < payload.upperBound {
            guard at + 2 <= payload.upperBound else { return refuse() }
            let length = Int(datagram[at]) << 8 | Int(datagram[at + 1])
            at += 2
            guard length > 0, at + length <= payload.upperBound else { return refuse() }
            append(datagram, at..<at + length)
            at += length
        }
    }

    private mutating func unpackFragment(_ datagram: [UInt8], _ payload: Range<Int>) {
        guard payload.count > 2 else { return refuse() }
        let indicator = datagram[payload.lowerBound]
        let header = datagram[payload.lowerBound + 1]
        let isStart = header & 0x80 != 0
        let isEnd = header & 0x40 != 0
        // One packet is never both (RFC 6184, 5.8).
        guard !(isStart && isEnd) else { return refuse() }
        if isStart {
            dropFragment()
            guard hasRoom(for: payload.count) else { return refuse() }
            octets += AccessUnit.startCode
            fragmentStart = octets.count
            octets.append(indicator & 0xE0 | header & 0x1F)
        }
        guard let start = fragmentStart else {
            // The start was lost; the loss has been told.
            isDamaged = true
            return
        }
        guard octets.count + payload.count <= AccessUnitSplitter.octetLimit else { return refuse() }
        octets += datagram[payload.lowerBound + 2..<payload.upperBound]
        if isEnd {
            nalUnits.append(start..<octets.count)
            fragmentStart = nil
        }
    }

    private mutating func append(_ datagram: [UInt8], _ range: Range<Int>) {
        guard hasRoom(for: range.count) else { return refuse() }
        octets += AccessUnit.startCode
        nalUnits.append(octets.count..<octets.count + range.count)
        octets += datagram[range]
    }

    private func hasRoom(for count: Int) -> Bool {
        octets.count + AccessUnit.startCode.count + count <= AccessUnitSplitter.octetLimit
            && nalUnits.count < AccessUnitSplitter.nalUnitLimit
    }

    private mutating func refuse() {
        malformed += 1
        dropFragment()
        isDamaged = true
    }

    private mutating func dropFragment() {
        guard let start = fragmentStart else { return }
        octets.removeSubrange((start - AccessUnit.startCode.count)...)
        fragmentStart = nil
        isDamaged = true
    }

    private mutating func take(into units: inout [Unit]) {
        let isComplete = !isDamaged && !nalUnits.isEmpty
        units.append(
            Unit(
                accessUnit: AccessUnit(octets: octets, nalUnits: nalUnits), isComplete: isComplete,
                timestamp: timestamp ?? 0))
        octets = []
        nalUnits = []
        isDamaged = false
        timestamp = nil
    }
}
