import MediaTransport
import Octets
import Testing

@Suite("RTP headers") struct RTPTests {
    @Test("the header fills its 12 octets in network order") func writes() {
        let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: 12, alignment: 1)
        defer { slot.deallocate() }
        slot.initializeMemory(as: UInt8.self, repeating: 0xA5)
        RTPHeader(payloadType: 96, marker: true, sequenceNumber: 0x0102, timestamp: 0x0304_0506, ssrc: 0x0708_090A)
            .write(to: slot)
        #expect(Array(slot) == [0x80, 0xE0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    }

    /// Built by hand from RFC 3550, 5.1 and 5.3.1: a CSRC, an extension of one word, three octets of padding.
    private static let full = """
        B1 E0 0102 03040506 0708090A  # V=2 P X CC=1, M PT=96
        11223344                      # CSRC
        BEDE 0001 AABBCCDD            # extension
        65 01                         # payload
        00 00 03                      # padding
        """

    @Test("sources, extension and padding are not payload") func parses() throws {
        let packet = try RTPPacket(parsing: try bytes(Self.full))
        #expect(
            packet.header
                == RTPHeader(
                    payloadType: 96, marker: true, sequenceNumber: 0x0102, timestamp: 0x0304_0506, ssrc: 0x0708_090A))
        #expect(Array(packet.datagram[packet.payload]) == [0x65, 0x01])
    }

    @Test("a header cut short, another version and impossible padding are refused") func refuses() throws {
        let full = try bytes(Self.full)
        for length in 0..<24 {
            #expect(throws: WireError.self) { try RTPPacket(parsing: Array(full[..<length])) }
        }
        #expect(throws: WireError.invalid(field: "RTP version", offset: 0, value: 1)) {
            try RTPPacket(parsing: [0x40] + full.dropFirst())
        }
        #expect(throws: WireError.invalid(field: "RTP padding", offset: full.count - 1, value: 0)) {
            try RTPPacket(parsing: full.dropLast() + [0])
        }
        #expect(throws: WireError.invalid(field: "RTP padding", offset: full.count - 1, value: 6)) {
            try RTPPacket(parsing: full.dropLast() + [6])
        }
    }
}
