/// The parameter sets that a stream has shown, for pictures that come without them.
struct ParameterSets: Equatable, Sendable {
    /// Of each kind: an encoder has one, and another when its resolution changes.
    static let countLimit = 4
    /// Octets of one: with scaling matrices and timing it stays below.
    static let octetLimit = 1024

    private struct Kept: Equatable {
        let identifier: Int
        let octets: [UInt8]
    }

    private var sequence: [Kept] = []
    private var picture: [Kept] = []

    var isComplete: Bool { !sequence.isEmpty && !picture.isEmpty }

    /// All of them, sequence parameter sets first.
    var all: [[UInt8]] { (sequence + picture).map(\.octets) }

    /// Keeps the set in place of an older one of its number; the oldest goes when there are too many.
    mutating func keep(_ nalUnit: [UInt8]) {
        guard let header = nalUnit.first, nalUnit.count <= Self.octetLimit else { return }
        switch NALUnitType(header: header) {
        case .sequenceParameterSet:
            // After profile, constraints and level (H.264, 7.3.2.1.1).
            guard let identifier = Self.unsigned(in: nalUnit, from: 4) else { return }
            Self.put(Kept(identifier: identifier, octets: nalUnit), into: &sequence)
        case .pictureParameterSet:
            guard let identifier = Self.unsigned(in: nalUnit, from: 1) else { return }
            Self.put(Kept(identifier: identifier, octets: nalUnit), into: &picture)
        default: return
        }
    }

    private static func put(_ set: Kept, into sets: inout [Kept]) {
        sets.removeAll { $0.identifier == set.identifier }
        if sets.count == countLimit { sets.removeFirst() }
        sets.append(set)
    }

    /// The number that starts at an octet, ue(v) (H.264, 9.1); nil above 255, which no set's number is.
    private static func unsigned(in octets: [UInt8], from start: Int) -> Int? {
        var position = start * 8
        func nextBit() -> Int? {
            guard position / 8 < octets.count else { return nil }
            defer { position += 1 }
            return Int(octets[position / 8] >> UInt8(7 - position % 8)) & 1
        }
        var zeros = 0
        while true {
            guard let bit = nextBit(), zeros <= 8 else { return nil }
            if bit == 1 { break }
            zeros += 1
        }
        var value = 1
        for _ in 0..<zeros {
            guard let bit = nextBit() else { return nil }
            value = value << 1 | bit
        }
        return value - 1 <= 255 ? value - 1 : nil
    }
}
