import MediaTransport
import Octets
import Testing

@Suite("The clip's clock") struct ClipClockTests {
    /// Six pictures, keyframes at 0 and 3; the last octet tells which is which.
    private func clip() throws -> Clip {
        let units = (0..<6).map { index -> [UInt8] in
            let sets: [UInt8] = [0, 0, 1, 0x67, 1, 0, 0, 1, 0x68, 1]
            return (index % 3 == 0 ? sets + [0, 0, 1, 0x65] : [0, 0, 1, 0x41]) + [0x80, UInt8(index + 1)]
        }
        return try Clip(byteStream: units.flatMap { $0 })
    }

    private func clock(_ rate: FrameRate = FrameRate(30)) throws -> ClipClock {
        ClipClock(clip: try clip(), rate: rate, timestampBase: .max - 2999, start: instant(0))
    }

    private func number(_ next: (unit: AccessUnit, timestamp: UInt32)?) -> UInt8? { next?.unit.octets.last }

    @Test("each picture is due at its time, with 90 kHz timestamps over the wrap, and the clip loops") func loops()
        throws
    {
        var clock = try clock()
        var numbers: [UInt8] = []
        var timestamps: [UInt32] = []
        for index in 0..<8 {
            let due = clock.nextDeadline
            #expect(due == instant(0).advanced(by: .nanoseconds(Int64(index) * 1_000_000_000 / 30)))
            if index > 0 {
                let early = clock.next(atKeyframe: false, now: due.advanced(by: .nanoseconds(-1)))
                #expect(number(early) == nil)
            }
            let taken = clock.next(atKeyframe: false, now: due)
            let next = try #require(taken)
            numbers.append(next.unit.octets.last ?? 0)
            timestamps.append(next.timestamp)
        }
        #expect(numbers == [1, 2, 3, 4, 5, 6, 1, 2])
        #expect(Array(timestamps.prefix(3)) == [UInt32.max - 2999, 0, 3000])
    }

    @Test("on request it goes on with the next keyframe, at the time the next picture was due") func keyframe() throws {
        var clock = try clock()
        _ = clock.next(atKeyframe: true, now: instant(0))
        let due = clock.nextDeadline
        let next = clock.next(atKeyframe: true, now: due)
        #expect(number(next) == 4)
        #expect(next?.timestamp == 0)
    }

    @Test("late pictures are left out, and the next one is a keyframe") func late() throws {
        var clock = try clock()
        _ = clock.next(atKeyframe: false, now: instant(0))
        // 33 ms due, 150 ms of patience: at 200 ms it and the next (66 - 150 is in time) differ.
        let next = clock.next(atKeyframe: false, now: instant(200))
        #expect(number(next) == 4)
        #expect(clock.skipped == 1)
        #expect(next?.timestamp == 3000)
    }

    @Test("30000/1001 stays exact for a year") func fraction() {
        let rate = FrameRate(30000, over: 1001)
        #expect(rate.ticks(of: 30000) == 1001 * 90000)
        #expect(rate.ticks(of: 945_000_000) == 945_000_000 * 3003)
        #expect(rate.offset(of: 30000 * 31_536) == .seconds(31_536 * 1001))
    }
}
