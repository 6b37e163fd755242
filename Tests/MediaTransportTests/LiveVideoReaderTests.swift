import MediaTransport
import Octets
import Testing

@Suite("Pictures of a live stream") struct LiveVideoReaderTests {
    // Built by hand from H.264, 7.3.2: SPS 0 and PPS 0 of constrained baseline; an IDR slice and P slices, whose
    // first_mb_in_slice is 0 (a leading one bit), and continued slices, whose is not.
    private static let sequence: [UInt8] = [0x67, 0x42, 0xC0, 0x1E, 0xDA]
    private static let picture: [UInt8] = [0x68, 0xCE, 0x3C, 0x80]
    private static let idr: [UInt8] = [0x65, 0x88, 0x80, 0xAA]
    private static let code: [UInt8] = [0, 0, 0, 1]
    private static func slice(_ number: UInt8) -> [UInt8] { [0x41, 0x9A, 0x20, number | 0x80] }
    private static let start = stream([sequence, picture, idr])

    private static func stream(_ units: [[UInt8]]) -> [UInt8] { units.flatMap { code + $0 } }

    private func units(_ picture: LivePicture) -> [[UInt8]] { picture.unit.nalUnits.map(picture.unit.nalUnit) }

    @Test("a picture is over after 5 ms of quiet, and not before") func quiet() throws {
        var reader = LiveVideoReader()
        #expect(reader.append(Self.start, now: instant(10)).isEmpty)
        #expect(reader.nextDeadline == instant(15))
        #expect(reader.endIfQuiet(instant(15).advanced(by: .nanoseconds(-1))) == nil)
        let firstEnded = reader.endIfQuiet(instant(15))
        let first = try #require(firstEnded)
        #expect(units(first) == [Self.sequence, Self.picture, Self.idr])
        // Its time is that of its first octets, not of its end.
        #expect(first.timestamp == 900)
        #expect(!first.followsGap)
        #expect(reader.nextDeadline == nil && reader.endIfQuiet(instant(99)) == nil)
        #expect(reader.append(Self.code + Self.slice(1), now: instant(43)).isEmpty)
        let secondEnded = reader.endIfQuiet(instant(48))
        let second = try #require(secondEnded)
        #expect(units(second) == [Self.slice(1)] && second.timestamp == 3870 && !second.followsGap)
        #expect(reader.counters.pictures == 2 && reader.counters.cutShort == 0)
    }

    @Test("the next picture ends it at once, and two that come together have different times") func successor() throws {
        var reader = LiveVideoReader()
        let both = reader.append(Self.start + Self.stream([Self.slice(1), Self.slice(2)]), now: instant(10))
        #expect(both.map(\.timestamp) == [900, 901])
        #expect(both.map { units($0).count } == [3, 1])
    }

    @Test("a picture that ends too early is lost, the stream goes on at a keyframe, and the quiet is doubled")
    func cutShort() throws {
        var reader = LiveVideoReader()
        _ = reader.append(Self.start + Self.code + [0x41, 0x9A, 0x77], now: instant(10))
        #expect(reader.endIfQuiet(instant(15)) != nil)
        // The rest of that slice, and a picture after it.
        #expect(reader.append([0x55, 0x66] + Self.code + Self.slice(2), now: instant(17)).isEmpty)
        #expect(reader.counters.cutShort == 1)
        #expect(reader.nextDeadline == instant(27))
        let nextEnded = reader.endIfQuiet(instant(27))
        let next = try #require(nextEnded)
        #expect(next.followsGap)
    }

    @Test("an encoder that writes slice by slice is waited for after a few pictures") func slices() throws {
        var reader = LiveVideoReader()
        _ = reader.append(Self.start, now: instant(0))
        _ = reader.endIfQuiet(instant(5))
        var now = instant(40)
        var whole = 0
        for number in 0..<8 as Range<UInt8> {
            // The halves are 12 ms apart, pictures 40 ms.
            for half in [Self.slice(number), [0x41, 0x40, number | 0x80]] {
                let pictures = reader.append(Self.code + half, now: now)
                whole += pictures.count { units($0).count == 2 }
                let next = now.advanced(by: half[1] == 0x40 ? .milliseconds(28) : .milliseconds(12))
                if let due = reader.nextDeadline, due < next, let picture = reader.endIfQuiet(due) {
                    if units(picture).count == 2 { whole += 1 }
                }
                now = next
            }
        }
        // 5 and 10 ms were too short; with 20 ms all that follow are whole.
        #expect(reader.counters.cutShort == 2)
        #expect(whole == 6)
    }

    @Test("what ends in zeros is not over: a start code may be on its way") func zeros() {
        var reader = LiveVideoReader()
        _ = reader.append(Self.start + [0, 0], now: instant(0))
        #expect(reader.nextDeadline == nil)
    }

    @Test("a keyframe without parameter sets gets the last ones, after its delimiter") func sets() throws {
        var reader = LiveVideoReader()
        _ = reader.append(Self.start, now: instant(0))
        _ = reader.endIfQuiet(instant(5))
        let other: [UInt8] = [0x68, 0xCE, 0x3C, 0xA0]
        _ = reader.append(Self.stream([other, Self.slice(1)]), now: instant(33))
        _ = reader.endIfQuiet(instant(40))
        _ = reader.append(Self.stream([[0x09, 0xF0], Self.idr]), now: instant(66))
        let keyframeEnded = reader.endIfQuiet(instant(71))
        let keyframe = try #require(keyframeEnded)
        #expect(units(keyframe) == [[0x09, 0xF0], Self.sequence, other, Self.idr])
    }

    @Test("nothing is shown before there is a picture that a viewer could start at") func entry() throws {
        var reader = LiveVideoReader()
        let early = Self.stream([Self.slice(1), Self.idr, Self.slice(2), Self.sequence, Self.slice(3)])
        #expect(reader.append(early, now: instant(0)).isEmpty)
        #expect(reader.append(Self.stream([Self.picture, Self.idr, Self.slice(4)]), now: instant(1)).count == 1)
        #expect(reader.counters.dropped == 4)
    }

    @Test("a picture larger than anything costs itself and what follows up to a keyframe, no memory") func flood() {
        var reader = LiveVideoReader()
        _ = reader.append(Self.start, now: instant(0))
        _ = reader.append(Self.code + Self.slice(1), now: instant(33))
        for index in 0..<40 as Range<Int64> {
            _ = reader.append([UInt8](repeating: 0xFF, count: 1 << 16), now: instant(34 + index))
        }
        let next = reader.append(Self.stream([Self.slice(2), Self.slice(3)]), now: instant(100))
        #expect(reader.counters.oversized == 2)
        #expect(next.allSatisfy { $0.followsGap })
    }

    @Test("pictures are 4 to 40 ms apart as far as their sending is concerned") func interval() {
        var reader = LiveVideoReader()
        _ = reader.append(Self.start, now: instant(0))
        for index in 1...60 as ClosedRange<Int64> {
            for picture in reader.append(Self.code + Self.slice(1), now: instant(index * 1000)) {
                #expect(LiveVideoReader.intervals.contains(picture.interval))
            }
        }
    }

    @Test("the demo's film comes out unit for unit, however it is chopped", arguments: [1000, 4097, 65_536])
    func film(_ size: Int) throws {
        let octets = try DemoClip.octets()
        let clip = try DemoClip.clip()
        var reader = LiveVideoReader()
        var pictures: [LivePicture] = []
        var now = instant(0)
        for start in stride(from: 0, to: octets.count, by: size) {
            pictures += reader.append(Array(octets[start..<min(start + size, octets.count)]), now: now)
            now = now.advanced(by: .milliseconds(1))
        }
        if let last = reader.endIfQuiet(now.advanced(by: .milliseconds(9))) { pictures.append(last) }
        let same = pictures.map { units($0) } == clip.units.map { unit in unit.nalUnits.map(unit.nalUnit) }
        #expect(same)
        #expect(pictures.allSatisfy { !$0.followsGap })
        #expect(zip(pictures, pictures.dropFirst()).allSatisfy { $0.timestamp < $1.timestamp })
    }

    @Test("mutated film never traps and never grows without bound", arguments: 1...3 as ClosedRange<UInt64>)
    func mutations(_ seed: UInt64) throws {
        var entropy = Entropy.seeded(seed)
        var octets = try DemoClip.octets()
        for _ in 0..<2000 {
            let index = Int.random(in: 0..<octets.count, using: &entropy)
            switch Int.random(in: 0..<3, using: &entropy) {
            case 0: octets[index] = UInt8.random(in: 0...255, using: &entropy)
            case 1: octets.replaceSubrange(index..<min(index + 4, octets.count), with: [0, 0, 1, octets[index]])
            default: octets.removeSubrange(index..<min(index + 40, octets.count))
            }
        }
        var reader = LiveVideoReader()
        var now = instant(0)
        var index = 0
        while index < octets.count {
            let size = Int.random(in: 1...20_000, using: &entropy)
            for picture in reader.append(Array(octets[index..<min(index + size, octets.count)]), now: now) {
                #expect(picture.unit.octets.count <= AccessUnitSplitter.octetLimit + (1 << 16))
            }
            index += size
            now = now.advanced(by: .milliseconds(Int.random(in: 0...9, using: &entropy)))
            _ = reader.endIfQuiet(now)
        }
        #expect(reader.counters.pictures > 0)
    }

    @Test("a stream of nothing but start codes costs no more than its length") func startCodes() {
        var reader = LiveVideoReader()
        let octets = [UInt8]((0..<(1 << 18)).map { $0 % 3 == 2 ? 1 : 0 })
        let clock = ContinuousClock()
        let began = clock.now
        #expect(reader.append(octets, now: instant(0)).isEmpty)
        // Quadratic, it would take a minute here, unoptimised.
        #expect(clock.now - began < .seconds(20))
    }
}
