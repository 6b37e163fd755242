package import Octets

/// RTP fixed header (RFC 3550, 5.1): 12 octets, big-endian, written in place.
package struct RTPHeader: Equatable, Sendable {
    package static let size = 12

    package var payloadType: UInt8
    package var marker: Bool
    package var sequenceNumber: UInt16
    /// Media clock, 90 kHz for video.
    package var timestamp: UInt32
    package var ssrc: UInt32

    package init(payloadType: UInt8, marker: Bool, sequenceNumber: UInt16, timestamp: UInt32, ssrc: UInt32) {
        precondition(payloadType < 128)
        self.payloadType = payloadType
        self.marker = marker
        self.sequenceNumber = sequenceNumber
        self.timestamp = timestamp
        self.ssrc = ssrc
    }

    /// - Precondition: `slot` has at least `size` octets.
    package func write(to slot: UnsafeMutableRawBufferPointer) {
        precondition(slot.count >= Self.size)
        slot[0] = 0x80
        slot[1] = payloadType | (marker ? 0x80 : 0)
        slot.storeBytes(of: sequenceNumber.bigEndian, toByteOffset: 2, as: UInt16.self)
        slot.storeBytes(of: timestamp.bigEndian, toByteOffset: 4, as: UInt32.self)
        slot.storeBytes(of: ssrc.bigEndian, toByteOffset: 8, as: UInt32.self)
    }
}

/// A received RTP packet: its header, and where in the datagram its payload is.
package struct RTPPacket: Equatable, Sendable {
    package let header: RTPHeader
    package let datagram: [UInt8]
    /// Without contributing sources, header extension and padding; may be empty.
    package let payload: Range<Int>

    package init(parsing datagram: [UInt8]) throws(WireError) {
        var reader = ByteReader(datagram)
        let first = try reader.u8("RTP version")
        guard first >> 6 == 2 else { throw .invalid(field: "RTP version", offset: 0, value: UInt64(first >> 6)) }
        let second = try reader.u8("RTP payload type")
        header = RTPHeader(
            payloadType: second & 0x7F, marker: second & 0x80 != 0,
            sequenceNumber: try reader.u16BE("RTP sequence number"), timestamp: try reader.u32BE("RTP timestamp"),
            ssrc: try reader.u32BE("RTP SSRC"))
        _ = try reader.slice(Int(first & 0x0F) * 4, "RTP contributing sources")
        if first & 0x10 != 0 {
            _ = try reader.u16BE("RTP extension profile")
            _ = try reader.slice(Int(try reader.u16BE("RTP extension length")) * 4, "RTP extension")
        }
        var end = datagram.count
        if first & 0x20 != 0 {
            let padding = Int(datagram[end - 1])
            guard padding > 0, padding <= reader.remaining else {
                throw .invalid(field: "RTP padding", offset: end - 1, value: UInt64(padding))
            }
            end -= padding
        }
        payload = reader.offset..<end
        self.datagram = datagram
    }
}
