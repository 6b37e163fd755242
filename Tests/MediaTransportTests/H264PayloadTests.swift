import MediaTransport
import Octets
import Testing

@Suite("H.264 in RTP") struct H264PayloadTests {
    @Test("a unit that fits travels as it is") func single() {
        let unit = AccessUnit(nalUnits: [[0x41, 0x9A, 1, 2]])
        #expect(payloads(of: unit, limit: 16) == [[0x41, 0x9A, 1, 2]])
    }

    @Test("parameter sets and SEI share a STAP-A; a slice never does") func aggregate() {
        // RFC 6184, figure 7: header, then size and unit, twice. F is the OR, NRI the maximum: 0x60, type 24 = 0x78.
        let unit = AccessUnit(nalUnits: [[0x67, 0x42], [0x68, 0xCE, 0x3C], [0x06, 9], [0x65, 0x88, 1]])
        let expected: [[UInt8]] = [
            [0x78, 0, 2, 0x67, 0x42, 0, 3, 0x68, 0xCE, 0x3C, 0, 2, 0x06, 9], [0x65, 0x88, 1],
        ]
        #expect(payloads(of: unit, limit: 16) == expected)
        #expect(payloads(of: unit, limit: 16, aggregates: false).count == 4)
    }

    @Test("a large unit travels in fragments with S on the first and E on the last") func fragments() {
        // RFC 6184, figures 14-16: indicator = F, NRI and type 28; header = S, E, R and the unit's type.
        let large = nalUnit(0x65, count: 1 + 14 + 14 + 3)
        let all = payloads(of: AccessUnit(nalUnits: [large]), limit: 16)
        #expect(all.map { Array($0.prefix(2)) } == [[0x7C, 0x85], [0x7C, 0x05], [0x7C, 0x45]])
        #expect(all.flatMap { $0.dropFirst(2) } == Array(large.dropFirst()))
    }

    @Test("the border between whole and fragmented is the payload limit", arguments: [15, 16, 17, 29, 30])
    func border(_ count: Int) {
        let all = payloads(of: AccessUnit(nalUnits: [nalUnit(0x41, count: count)]), limit: 16)
        #expect(all.count == (count <= 16 ? 1 : (count - 1 + 13) / 14))
        #expect(all.allSatisfy { $0.count <= 16 })
        // A fragmented unit has at least two fragments, else S and E would meet.
        #expect(all.count != 1 || all[0][0] & 0x1F == 1)
    }

    @Test("the count of what is to come is right at every step") func remaining() throws {
        let clip = try DemoClip.clip()
        var packetizer = H264Packetizer(payloadLimit: 1188)
        let slot = UnsafeMutableRawBufferPointer.allocate(byteCount: 1188, alignment: 1)
        defer { slot.deallocate() }
        for unit in clip.units.prefix(3) {
            packetizer.begin(unit)
            var expected = packetizer.remainingCount
            while packetizer.next(into: slot) != nil {
                expected -= 1
                #expect(packetizer.remainingCount == expected)
            }
            #expect(expected == 0 && packetizer.isFinished)
        }
    }

    @Test("the film comes out of its packets as it went in", arguments: [16, 100, 1188])
    func roundTrip(_ limit: Int) throws {
        var depacketizer = H264Depacketizer()
        var sequence: UInt16 = 65500
        for (index, unit) in try DemoClip.clip().units.prefix(40).enumerated() {
            let all = payloads(of: unit, limit: limit)
            var out: [H264Depacketizer.Unit] = []
            for (position, payload) in all.enumerated() {
                out += depacketizer.receive(
                    try packet(
                        sequence, timestamp: UInt32(index) * 3000, marker: position == all.count - 1, payload: payload))
                sequence &+= 1
            }
            #expect(out.count == 1 && out.first?.isComplete == true)
            // Bound first, so that a failure does not print the film.
            let same =
                out.first.map { $0.accessUnit.nalUnits.map($0.accessUnit.nalUnit) } == unit.nalUnits.map(unit.nalUnit)
            #expect(same)
        }
    }

    @Test("a unit with a hole is dropped, its neighbours are kept, and the picture is marked") func hole() throws {
        let unit = AccessUnit(nalUnits: [[0x67, 1], nalUnit(0x65, count: 40), [0x41, 0x01]])
        let all = payloads(of: unit, limit: 16)
        for lost in 1..<4 {
            var depacketizer = H264Depacketizer()
            var out: [H264Depacketizer.Unit] = []
            for (index, payload) in all.enumerated() {
                if index == lost {
                    depacketizer.lost()
                    continue
                }
                out += depacketizer.receive(
                    try packet(UInt16(index), marker: index == all.count - 1, payload: payload))
            }
            #expect(out.map(\.isComplete) == [false])
            #expect(out[0].accessUnit.nalUnits.map(out[0].accessUnit.nalUnit) == [[0x67, 1], [0x41, 0x01]])
        }
    }

    @Test("a lost last packet damages its picture and the one after, not the one after that") func lostMarker() throws {
        var depacketizer = H264Depacketizer()
        #expect(depacketizer.receive(try packet(0, timestamp: 0, payload: [0x65, 0x88])).isEmpty)
        depacketizer.lost()
        let both = depacketizer.receive(try packet(2, timestamp: 3000, marker: true, payload: [0x41, 0x9A]))
        #expect(both.map(\.isComplete) == [false, false])
        let next = depacketizer.receive(try packet(3, timestamp: 6000, marker: true, payload: [0x41, 0x9B]))
        #expect(next.map(\.isComplete) == [true])
    }

    @Test(
        "a payload that contradicts itself is counted and costs its picture only",
        arguments: ["78 0005 67", "78 0000", "78 00", "7C C5 01", "7C 85", "7D 85 01", "1F 00", "7A 0001 67"])
    func malformed(_ hex: String) throws {
        var depacketizer = H264Depacketizer()
        let out = depacketizer.receive(try packet(0, marker: true, payload: try bytes(hex)))
        #expect(depacketizer.malformed == 1)
        #expect(out.allSatisfy { !$0.isComplete })
        let next = depacketizer.receive(try packet(1, timestamp: 1, marker: true, payload: [0x65, 0x88]))
        #expect(next.map(\.isComplete) == [true])
    }

    @Test("fragments without end do not fill the memory") func bounded() throws {
        var depacketizer = H264Depacketizer()
        let body = [UInt8](repeating: 0xFF, count: 1400)
        _ = depacketizer.receive(try packet(0, payload: [0x7C, 0x85] + body))
        for index in 1..<1000 {
            _ = depacketizer.receive(try packet(UInt16(index), payload: [0x7C, 0x05] + body))
        }
        #expect(depacketizer.malformed > 0)
        let last = depacketizer.receive(try packet(1000, marker: true, payload: [0x41, 0x9A]))
        #expect(last.first.map { $0.accessUnit.octets.count < AccessUnitSplitter.octetLimit } == true)
    }
}
