import FactoryLine
import MediaTransport
import Testing

@Suite("A clip that comes round") struct LoopRecognizerTests {
    private static func unit(_ number: UInt8, isKeyframe: Bool) -> AccessUnit {
        let picture: [UInt8] = [isKeyframe ? 0x65 : 0x41, 0x80, number + 1]
        return AccessUnit(nalUnits: isKeyframe ? [[0x67, 1, 2, 3], [0x68, 4], picture] : [picture])
    }

    /// Twelve pictures, a keyframe with its parameter sets before every fourth.
    private static let pictures = (0..<12).map { unit(UInt8($0), isKeyframe: $0 % 4 == 0) }

    private func clip() throws -> Clip { try Clip(byteStream: Self.pictures.flatMap(\.octets)) }

    private func loops(_ pictures: [AccessUnit], expected: Clip?) -> [LoopResult] {
        var recognizer = LoopRecognizer(expected: expected)
        return pictures.compactMap { recognizer.take($0) }
    }

    @Test("a whole turn is as expected, from whichever keyframe it begins", arguments: [0, 4, 8])
    func wholeTurn(_ start: Int) throws {
        let turned = Array(Self.pictures[start...] + Self.pictures[..<start])
        let results = loops(turned + turned + [turned[0]], expected: try clip())
        #expect(results.map(\.number) == [1, 2])
        #expect(results.map(\.nalUnits) == [18, 18])
        #expect(results.map(\.isAsExpected) == [true, true])
        let fromStart = loops(Self.pictures + [Self.pictures[0]], expected: try clip())
        #expect(results.first?.digest == fromStart.first?.digest)
    }

    @Test("a missing picture, a changed one and a doubled one are not as expected")
    func faults() throws {
        var missing = Self.pictures
        missing.remove(at: 6)
        var changed = Self.pictures
        changed[6] = Self.unit(99, isKeyframe: false)
        var doubled = Self.pictures
        doubled.insert(doubled[6], at: 6)
        for pictures in [missing, changed, doubled] {
            let results = loops(pictures + [Self.pictures[0]], expected: try clip())
            #expect(results.map(\.isAsExpected) == [false])
        }
    }

    @Test("what comes before the first keyframe is not counted") func lateStart() throws {
        let results = loops(
            Array(Self.pictures[2...]) + Self.pictures + [Self.pictures[0]], expected: try clip())
        // It begins with picture 4, which comes again in the second round.
        #expect(results.map(\.isAsExpected) == [true])
    }

    @Test("without a clip to compare with, a loop is told by its first keyframe") func unknownClip() {
        let results = loops(Self.pictures + [Self.pictures[0]], expected: nil)
        #expect(results.map(\.isAsExpected) == [nil])
        #expect(results.first?.nalUnits == 18)
    }
}
