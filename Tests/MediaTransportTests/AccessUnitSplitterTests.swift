import MediaTransport
import Octets
import Testing

@Suite("Access units of a byte stream") struct AccessUnitSplitterTests {
    /// Built by hand from H.264 Annex B: three- and four-octet start codes, a trailing zero, two slices in one picture
    /// (the second's first_mb_in_slice is not 0), a delimiter, SEI.
    private static let stream = """
        00000001 6742C01E 000001 68CE3C80   # SPS, PPS
        000001 658880AA 00 000001 654080BB  # IDR, two slices; trailing_zero_8bits between
        000001 419A01CC                     # P
        000001 09F0 000001 0601FF80         # delimiter, SEI
        00000001 419A02DD                   # P
        """

    private static let expected: [[[UInt8]]] = [
        [[0x67, 0x42, 0xC0, 0x1E], [0x68, 0xCE, 0x3C, 0x80], [0x65, 0x88, 0x80, 0xAA], [0x65, 0x40, 0x80, 0xBB]],
        [[0x41, 0x9A, 0x01, 0xCC]],
        [[0x09, 0xF0], [0x06, 0x01, 0xFF, 0x80], [0x41, 0x9A, 0x02, 0xDD]],
    ]

    private func split(_ octets: [UInt8], inPiecesOf size: Int) -> [AccessUnit] {
        var splitter = AccessUnitSplitter()
        var units: [AccessUnit] = []
        for start in stride(from: 0, to: octets.count, by: size) {
            units += splitter.append(Array(octets[start..<min(start + size, octets.count)]))
        }
        if let last = splitter.finish() { units.append(last) }
        return units
    }

    @Test("pictures are told apart however the stream is chopped", arguments: [1, 2, 3, 5, 7, 64, 4096])
    func splits(_ size: Int) throws {
        let units = split(try bytes(Self.stream), inPiecesOf: size)
        #expect(units.map { unit in unit.nalUnits.map(unit.nalUnit) } == Self.expected)
        #expect(units.map(\.isKeyframe) == [true, false, false])
    }

    @Test("octets before the first start code belong to nothing") func garbage() throws {
        let units = split([0xFF, 0x65, 0x00, 0x88] + (try bytes(Self.stream)), inPiecesOf: 3)
        #expect(units.first?.octets.prefix(4) == [0, 0, 1, 0x67])
        #expect(units.count == 3)
    }

    @Test("a unit is handed out when two octets of the next have come, not later") func latency() throws {
        var splitter = AccessUnitSplitter()
        #expect(splitter.append(try bytes("000001 658880AA 000001 41")).isEmpty)
        #expect(splitter.append([0x9A]).map(\.isKeyframe) == [true])
    }

    @Test("the demo's film is 300 pictures with ten entry points and keeps every octet of its NAL units")
    func film() throws {
        let octets = try DemoClip.octets()
        #expect(octets.count < 1 << 20)
        let clip = try Clip(byteStream: octets)
        #expect(clip.units.count == 300)
        #expect(
            clip.units.indices.filter { Clip.isEntryPoint(clip.units[$0]) } == Array(stride(from: 0, to: 300, by: 30)))
        // An independent count: every 00 00 01 of the file starts one NAL unit.
        var starts = 0
        for index in 0..<octets.count - 2 where octets[index] == 0 && octets[index + 1] == 0 && octets[index + 2] == 1 {
            starts += 1
        }
        #expect(clip.units.reduce(0) { $0 + $1.nalUnits.count } == starts)
    }

    @Test("a stream without end or without structure does not fill the memory") func bounded() {
        var splitter = AccessUnitSplitter()
        _ = splitter.append([0, 0, 1, 0x65, 0x88])
        for _ in 0..<40 { #expect(splitter.append(Array(repeating: 0xFF, count: 1 << 16)).isEmpty) }
        #expect(splitter.oversized > 0)
        var many = AccessUnitSplitter()
        for _ in 0..<AccessUnitSplitter.nalUnitLimit + 2 { _ = many.append([0, 0, 1, 0x68, 0x80]) }
        #expect(many.oversized == 1)
    }

    @Test("what is no film is refused with its reason") func unplayable() throws {
        #expect(throws: Clip.Unplayable.noAccessUnit) { try Clip(byteStream: []) }
        #expect(throws: Clip.Unplayable.noAccessUnit) { try Clip(byteStream: Array("not H.264".utf8)) }
        let withoutSets = try bytes("000001 658880AA")
        #expect(throws: Clip.Unplayable.startsWithoutParameterSets) { try Clip(byteStream: withoutSets) }
    }
}
