internal import Cryptography
package import MediaTransport

/// One time round of a video that is played in a loop.
package struct LoopResult: Equatable, Sendable {
    /// From 1.
    package var number: Int
    package var nalUnits: Int
    /// SHA-256 over the SHA-256 of each NAL unit, in the clip's order.
    package var digest: [UInt8]
    /// Whether it is the expected clip, unit for unit; nil when none was given.
    package var isAsExpected: Bool?

    package init(number: Int, nalUnits: Int, digest: [UInt8], isAsExpected: Bool?) {
        self.number = number
        self.nalUnits = nalUnits
        self.digest = digest
        self.isAsExpected = isAsExpected
    }
}

/// Tells when a video has come round, and whether it was all there.
///
/// A loop is over when the keyframe it began with comes again; viewers start anywhere in a clip.
package struct LoopRecognizer: Sendable {
    /// NAL units of a loop that are remembered, by digest: half an hour at 60 pictures a second.
    private static let limit = 110_000

    private let expected: [[UInt8]]?
    private var first: [[UInt8]] = []
    private var units: [[UInt8]] = []
    private var loops = 0
    private var hasGivenUp = false

    package init(expected clip: Clip?) {
        expected = clip?.units.flatMap(Self.digests)
    }

    /// Takes the next access unit; returns the loop that it shows to be over.
    package mutating func take(_ unit: AccessUnit) -> LoopResult? {
        guard !hasGivenUp else { return nil }
        let digests = Self.digests(unit)
        var result: LoopResult?
        if first.isEmpty {
            guard unit.isKeyframe else { return nil }
            first = digests
        } else if unit.isKeyframe, digests == first {
            result = finish()
            units = []
        }
        units += digests
        if units.count > Self.limit {
            hasGivenUp = true
            units = []
        }
        return result
    }

    private mutating func finish() -> LoopResult {
        loops += 1
        let ordered = expected.flatMap { turn(of: units, fitting: $0) } ?? units
        return LoopResult(
            number: loops, nalUnits: units.count, digest: HashFunction.sha256.digest(Array(ordered.joined())),
            isAsExpected: expected.map { $0 == ordered })
    }

    /// The units from where the clip begins; parameter sets stand before every keyframe, so that every turn which
    /// begins like the clip is tried.
    private func turn(of units: [[UInt8]], fitting clip: [[UInt8]]) -> [[UInt8]]? {
        guard units.count == clip.count else { return nil }
        for offset in units.indices where units[offset] == clip[0] {
            let turned = Array(units[offset...] + units[..<offset])
            if turned == clip { return turned }
        }
        return nil
    }

    private static func digests(_ unit: AccessUnit) -> [[UInt8]] {
        unit.nalUnits.map { HashFunction.sha256.digest(unit.nalUnit($0)) }
    }
}
