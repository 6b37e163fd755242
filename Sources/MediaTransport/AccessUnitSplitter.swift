/// Cuts a byte stream (H.264, Annex B) into access units, however the stream is chopped on the way in.
///
/// A new access unit starts at a delimiter, parameter set or SEI after a slice, or at a slice that begins
/// with macroblock 0 (H.264, 7.4.1.2.3 and .4, for streams without arbitrary slice order, which no board's
/// encoder makes). A unit is handed out as soon as the first two octets of the next one are there.
package struct AccessUnitSplitter: Sendable {
    /// Largest access unit kept: an uncompressed-looking 1080p intra picture stays below it, a stream
    /// without start codes does not fill the memory.
    package static let octetLimit = 1 << 20
    /// NAL units in one access unit: 1080p in slices of one macroblock row is 68, with room for SEI.
    package static let nalUnitLimit = 256

    /// Octets looked at before what they complete is handed out and dropped: what stays is moved each time.
    private static let pieceSize = 4096

    /// Access units thrown away because they went over a limit.
    package private(set) var oversized = 0
    /// Access units ended by `endUnit` in the middle of a NAL unit.
    package private(set) var cutShort = 0

    private var buffer: [UInt8] = []
    private var nalUnits: [Range<Int>] = []
    private var hasSlice = false
    /// Where the NAL unit now open starts; nil before the first start code and after an overflow.
    private var open: Int?
    private var isOpenClassified = false
    private var scanned = 0
    /// `endUnit` has ended the last access unit, and no start code has come since.
    private var hasEndedEarly = false

    package init() {}

    /// Takes the next piece of the stream and returns the access units it completes.
    package mutating func append(_ octets: [UInt8]) -> [AccessUnit] {
        var units: [AccessUnit] = []
        // In pieces, so that one large call is bounded like many small ones.
        var index = 0
        while index < octets.count {
            let end = min(index + Self.pieceSize, octets.count)
            buffer.append(contentsOf: octets[index..<end])
            index = end
            scan(into: &units)
            if buffer.count > Self.octetLimit { discard() }
        }
        return units
    }

    /// Closes the last NAL unit, as at the end of a file, and returns what is left.
    package mutating func finish() -> AccessUnit? {
        var units: [AccessUnit] = []
        if open != nil {
            closeOpenUnit(at: buffer.count)
            emit(upTo: buffer.count, into: &units)
        }
        let (oversized, cutShort) = (self.oversized, self.cutShort)
        self = Self()
        self.oversized = oversized
        self.cutShort = cutShort
        return units.last
    }

    /// Whether what has come could be a whole access unit: it has a slice, and does not end in zeros, as no NAL unit does.
    package var mayEndUnit: Bool {
        guard let start = open, isOpenClassified, let last = buffer.last, last != 0 else { return false }
        return hasSlice || NALUnitType(header: buffer[start]).isSlice
    }

    /// Takes what has come for a whole access unit before anything of the next shows it; nil when it cannot be one.
    ///
    /// If its last NAL unit goes on after all, that is counted in `cutShort`, and what comes of it belongs to nothing.
    package mutating func endUnit() -> AccessUnit? {
        guard mayEndUnit, let unit = finish() else { return nil }
        hasEndedEarly = true
        return unit
    }

    private mutating func scan(into units: inout [AccessUnit]) {
        while scanned + 2 < buffer.count {
            if buffer[scanned + 2] > 1 {
                scanned += 3
            } else if buffer[scanned] == 0, buffer[scanned + 1] == 0, buffer[scanned + 2] == 1 {
                closeOpenUnit(at: scanned)
                if hasEndedEarly {
                    hasEndedEarly = false
                    if buffer[..<scanned].contains(where: { $0 != 0 }) { cutShort += 1 }
                }
                if nalUnits.isEmpty {
                    // What precedes the first start code of a unit belongs to nothing.
                    buffer.removeSubrange(..<scanned)
                    scanned = 0
                }
                scanned += 3
                open = scanned
                isOpenClassified = false
            } else {
                scanned += 1
            }
            classifyOpenUnit(into: &units)
        }
        classifyOpenUnit(into: &units)
    }

    /// Decides, as soon as two octets are there, whether the open NAL unit starts a new access unit.
    private mutating func classifyOpenUnit(into units: inout [AccessUnit]) {
        guard let start = open, !isOpenClassified, start + 1 < buffer.count else { return }
        isOpenClassified = true
        let type = NALUnitType(header: buffer[start])
        // The slice header's first field, first_mb_in_slice, is the single bit 1 when it is 0 (7.3.3, 9.1).
        let startsPicture = type.isSlice && buffer[start + 1] & 0x80 != 0
        guard hasSlice, type.precedesPicture || startsPicture else { return }
        emit(upTo: start, into: &units)
    }

    private mutating func closeOpenUnit(at end: Int) {
        guard let start = open else { return }
        open = nil
        var end = end
        // Zeros before a start code belong to it, or are trailing_zero_8bits; a NAL unit ends in a one bit.
        while end > start, buffer[end - 1] == 0 { end -= 1 }
        guard end > start else { return }
        if nalUnits.count == Self.nalUnitLimit { return discardUnits() }
        nalUnits.append(start..<end)
        if NALUnitType(header: buffer[start]).isSlice { hasSlice = true }
    }

    /// Hands out the closed NAL units and drops their octets from the buffer.
    private mutating func emit(upTo end: Int, into units: inout [AccessUnit]) {
        if hasSlice, let last = nalUnits.last {
            units.append(AccessUnit(octets: Array(buffer[..<last.upperBound]), nalUnits: nalUnits))
        }
        nalUnits = []
        hasSlice = false
        // The start code before `end` goes too: the next unit's octets start with its NAL unit, after a
        // start code of its own, so that the stream can be written down again as it came.
        let keep = max(0, end - 3)
        buffer.removeSubrange(..<keep)
        scanned = max(scanned - keep, 0)
        if let start = open { open = start - keep }
    }

    private mutating func discardUnits() {
        nalUnits = []
        hasSlice = false
        oversized += 1
    }

    private mutating func discard() {
        hasEndedEarly = false
        discardUnits()
        buffer = []
        scanned = 0
        open = nil
    }
}
