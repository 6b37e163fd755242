package import Octets

/// A picture as an encoder wrote it, with its time.
package struct LivePicture: Equatable, Sendable {
    package let unit: AccessUnit
    /// When its first octets came, on the 90 kHz media clock; no two pictures have the same.
    package let timestamp: UInt32
    /// Pictures are missing before it: what is no keyframe could not be decoded.
    package let followsGap: Bool
    /// How far pictures have been apart of late.
    package let interval: Duration
}

/// Reads the byte stream of a live encoder (H.264, Annex B), in whatever pieces it comes, and stamps its pictures.
///
/// The next picture shows that one is over, which would cost the time of a picture. So one is over, too, once nothing
/// has come for some milliseconds. When that turns out wrong, because the rest comes after all, the picture is lost and
/// the time doubled, until in the end only the next picture counts.
package struct LiveVideoReader: Sendable {
    /// An encoder writes a picture at once; what lies between two writes is what the scheduler makes of it.
    package static let firstQuietTime = Duration.milliseconds(5)
    package static let longestQuietTime = Duration.milliseconds(80)
    /// What `interval` may be: more would hold a large picture back for longer than helps the air.
    package static let intervals = Duration.milliseconds(4)...Duration.milliseconds(40)

    package struct Counters: Equatable, Sendable {
        package var octets: UInt64 = 0
        package var pictures: UInt64 = 0
        /// Pictures that were ended too early.
        package var cutShort: UInt64 = 0
        /// Pictures larger than anything that is kept, and octets that are no picture.
        package var oversized: UInt64 = 0
        /// Pieces of a picture whose beginning is missing, and pictures that no viewer could have started at yet.
        package var dropped: UInt64 = 0
    }

    package private(set) var counters = Counters()

    private var splitter = AccessUnitSplitter()
    private var sets = ParameterSets()
    /// When the first octets of the picture now coming came; nil between pictures.
    private var began: MonotonicInstant?
    private var lastOctets: MonotonicInstant?
    /// Nil once it has been wrong at its longest.
    private var quietTime: Duration? = firstQuietTime
    private var hasEndedEarly = false
    private var hasStarted = false
    private var hasGap = false
    private var lastTicks: Int64 = -1
    private var lastCame: MonotonicInstant?
    private var interval: Duration = .nanoseconds(33_333_333)

    package init() {}

    /// Takes what was read; returns the pictures that it completes.
    package mutating func append(_ octets: [UInt8], now: MonotonicInstant) -> [LivePicture] {
        guard !octets.isEmpty else { return [] }
        counters.octets += UInt64(octets.count)
        lastOctets = now
        let (oversized, cutShort) = (splitter.oversized, splitter.cutShort)
        let units = splitter.append(octets)
        let isBroken = splitter.oversized > oversized || splitter.cutShort > cutShort
        if isBroken {
            counters.oversized += UInt64(splitter.oversized - oversized)
            if splitter.cutShort > cutShort { noteWrongEnd() }
            hasGap = true
        }
        var pictures: [LivePicture] = []
        for unit in units {
            if let picture = picture(of: unit, came: began ?? now) { pictures.append(picture) }
            began = now
        }
        if began == nil { began = now }
        // Somewhere among them: what comes next may follow it, too.
        if isBroken { hasGap = true }
        return pictures
    }

    /// When `endIfQuiet` has something to do.
    package var nextDeadline: MonotonicInstant? {
        guard let quietTime, let lastOctets, splitter.mayEndUnit else { return nil }
        return lastOctets.advanced(by: quietTime)
    }

    /// The picture that is over because nothing more of it has come; make sure that nothing waits to be read.
    package mutating func endIfQuiet(_ now: MonotonicInstant) -> LivePicture? {
        guard let due = nextDeadline, due <= now, let unit = splitter.endUnit() else { return nil }
        let came = began ?? now
        began = nil
        let picture = picture(of: unit, came: came)
        hasEndedEarly = true
        return picture
    }

    private mutating func noteWrongEnd() {
        hasEndedEarly = false
        counters.cutShort += 1
        guard let time = quietTime else { return }
        quietTime = time < Self.longestQuietTime ? time * 2 : nil
    }

    private mutating func picture(of unit: AccessUnit, came: MonotonicInstant) -> LivePicture? {
        guard Self.startsPicture(unit) else {
            // The rest of a picture that was ended early, or whose beginning was thrown away.
            if hasEndedEarly { noteWrongEnd() }
            return drop()
        }
        hasEndedEarly = false
        for range in unit.nalUnits { sets.keep(unit, range) }
        guard let unit = unit.isKeyframe ? entryPoint(unit) : unit else { return drop() }
        hasStarted = hasStarted || unit.isKeyframe
        guard hasStarted else { return drop() }
        if let last = lastCame, last < came {
            let step = min(max(last.duration(to: came), Self.intervals.lowerBound), Self.intervals.upperBound)
            interval = (interval * 7 + step) / 8
        }
        lastCame = came
        lastTicks = max(came.nanoseconds * 9 / 100_000, lastTicks + 1)
        counters.pictures += 1
        defer { hasGap = false }
        return LivePicture(
            unit: unit, timestamp: UInt32(truncatingIfNeeded: lastTicks), followsGap: hasGap, interval: interval)
    }

    private mutating func drop() -> LivePicture? {
        counters.dropped += 1
        hasGap = true
        return nil
    }

    /// An IDR picture with both parameter sets before it, if they are known.
    private func entryPoint(_ unit: AccessUnit) -> AccessUnit? {
        if Clip.isEntryPoint(unit) { return unit }
        guard sets.isComplete else { return nil }
        let own = unit.nalUnits.filter { !unit.type(of: $0).isParameterSet }
        // A delimiter stays first (H.264, 7.4.1.2.3).
        let delimiters = own.filter { unit.type(of: $0) == .accessUnitDelimiter }
        let others = own.filter { unit.type(of: $0) != .accessUnitDelimiter }
        return AccessUnit(nalUnits: delimiters.map(unit.nalUnit) + sets.all + others.map(unit.nalUnit))
    }

    /// Whether the first slice begins with the picture's first macroblock (H.264, 7.3.3).
    private static func startsPicture(_ unit: AccessUnit) -> Bool {
        guard let slice = unit.nalUnits.first(where: { unit.type(of: $0).isSlice }), slice.count > 1 else {
            return false
        }
        return unit.octets[slice.lowerBound + 1] & 0x80 != 0
    }
}

extension ParameterSets {
    fileprivate mutating func keep(_ unit: AccessUnit, _ range: Range<Int>) {
        guard unit.type(of: range).isParameterSet, range.count <= Self.octetLimit else { return }
        keep(unit.nalUnit(range))
    }
}

extension NALUnitType {
    fileprivate var isParameterSet: Bool { self == .sequenceParameterSet || self == .pictureParameterSet }
}
