import MediaTransport
import Octets
import Testing

@Suite("RTCP") struct RTCPTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let hex: String
        let packets: [RTCPPacket]
        var testDescription: String { name }
    }

    /// Built by hand from the octet figures of RFC 3550 6.4-6.6 and RFC 4585 6.2-6.3; not captures.
    static let vectors = [
        Vector(
            name: "receiver report without blocks and a name",
            hex: """
                80 C9 0001 11223344
                81 CA 0003 11223344 01 04 61626364 0000
                """,
            packets: [
                .receiverReport(ssrc: 0x1122_3344, blocks: []),
                .sourceDescription(ssrc: 0x1122_3344, canonicalName: "abcd"),
            ]),
        Vector(
            name: "receiver report with one block, losses negative",
            hex: """
                81 C9 0007 11223344
                55667788 40 FFFFFE 00010003 00000102 89ABCDEF 00018000
                """,
            packets: [
                .receiverReport(
                    ssrc: 0x1122_3344,
                    blocks: [
                        RTCPPacket.ReportBlock(
                            ssrc: 0x5566_7788, fractionLost: 64, cumulativeLost: -2,
                            extendedHighestSequence: 0x0001_0003, jitter: 258, lastSenderReport: 0x89AB_CDEF,
                            delaySinceLastSenderReport: 0x0001_8000)
                    ])
            ]),
        Vector(
            name: "sender report",
            hex: "80 C8 0006 55667788 00000001 80000000 00015F90 00000064 0001E240",
            packets: [
                .senderReport(
                    RTCPPacket.SenderReport(
                        ssrc: 0x5566_7788, ntp: NTPTime(rawValue: 0x0000_0001_8000_0000), rtpTimestamp: 90000,
                        packetCount: 100, octetCount: 123_456))
            ]),
        Vector(
            name: "picture loss indication alone (RFC 5506)", hex: "81 CE 0002 11223344 55667788",
            packets: [.pictureLossIndication(sender: 0x1122_3344, media: 0x5566_7788)]),
        Vector(
            name: "negative acknowledgement", hex: "81 CD 0003 11223344 55667788 FFFE 8001",
            packets: [
                .negativeAcknowledgement(
                    sender: 0x1122_3344, media: 0x5566_7788,
                    lost: [RTCPPacket.LostPackets(first: 0xFFFE, following: 0x8001)])
            ]),
        Vector(name: "goodbye", hex: "81 CB 0001 11223344", packets: [.goodbye(ssrcs: [0x1122_3344])]),
    ]

    @Test("packets read and written are those of the octet figures", arguments: vectors)
    func codec(_ vector: Vector) throws {
        let octets = try bytes(vector.hex)
        #expect(try RTCPPacket.compound(from: octets) == vector.packets)
        #expect(RTCPPacket.compound(vector.packets) == octets)
    }

    @Test("every strict prefix that is no whole packet is refused", arguments: vectors)
    func prefixes(_ vector: Vector) throws {
        let octets = try bytes(vector.hex)
        for length in 0..<octets.count {
            // Where a packet of a compound ends, the prefix is a compound itself.
            if length == 8, vector.packets.count == 2 { continue }
            #expect(throws: WireError.self) { try RTCPPacket.compound(from: Array(octets[..<length])) }
        }
    }

    @Test("APP, unknown feedback and a reason for leaving are skipped, padding of the last packet too")
    func skipped() throws {
        let octets = try bytes(
            """
            80 CC 0002 11223344 6E616D65   # APP
            8F CE 0002 11223344 00000000   # payload feedback 15
            A1 CB 0004 11223344 03 627965  # BYE, "bye"
            00000000 00000008              # eight octets of padding
            """)
        #expect(
            try RTCPPacket.compound(from: octets)
                == [.unknown(type: 204), .unknown(type: 206), .goodbye(ssrcs: [0x1122_3344])])
    }

    @Test("a wrong version, a media packet, wrong padding and a crowd are refused") func refused() throws {
        #expect(throws: WireError.invalid(field: "RTCP version", offset: 0, value: 1)) {
            try RTCPPacket.compound(from: [0x40, 201, 0, 1, 0, 0, 0, 0])
        }
        #expect(throws: WireError.invalid(field: "RTCP packet type", offset: 1, value: 96)) {
            try RTCPPacket.compound(from: [0x80, 96, 0, 1, 0, 0, 0, 0])
        }
        #expect(throws: WireError.invalid(field: "RTCP padding", offset: 7, value: 3)) {
            try RTCPPacket.compound(from: [0xA0, 201, 0, 1, 0, 0, 0, 3])
        }
        let crowd = (0...RTCPPacket.compoundLimit).flatMap { _ in [0x80, 203, 0, 0] as [UInt8] }
        #expect(throws: WireError.self) { try RTCPPacket.compound(from: crowd) }
    }

    @Test("a request names its packets over the wrap, in the fewest items") func covering() {
        let numbers: [UInt16] = [65534, 65535, 14, 15, 40]
        let items = RTCPPacket.LostPackets.covering(numbers)
        #expect(items.map(\.first) == [65534, 15, 40])
        #expect(items.flatMap(\.sequenceNumbers) == numbers)
        #expect(RTCPPacket.LostPackets(first: 0xFFFE, following: 0x8001).sequenceNumbers == [0xFFFE, 0xFFFF, 14])
    }

    @Test("a million mutated octets trap nothing, and what is read is written the same") func mutations() throws {
        var entropy = Entropy.seeded(42)
        var read = 0
        for round in 0..<20_000 {
            var octets = try bytes(Self.vectors[round % Self.vectors.count].hex)
            for _ in 0..<Int.random(in: 1...3, using: &entropy) {
                octets[Int.random(in: octets.indices, using: &entropy)] = UInt8.random(
                    in: .min ... .max, using: &entropy)
            }
            if let packets = try? RTCPPacket.compound(from: octets) {
                read += 1
                let writable = packets.filter { if case .unknown = $0 { false } else { true } }
                guard !writable.isEmpty else { continue }
                #expect(try RTCPPacket.compound(from: RTCPPacket.compound(writable)) == writable)
            }
        }
        #expect(read > 5000)
    }
}
