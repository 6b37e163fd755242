/// Turns one access unit after the other into RTP payloads (RFC 6184, non-interleaved mode, 6.3).
///
/// Small NAL units travel alone or, parameter sets and SEI, together in a STAP-A (5.7.1); large ones in FU-A
/// fragments (5.8). It writes into slots of the caller and allocates nothing.
package struct H264Packetizer: Sendable {
    /// Octets of one RTP payload; the RTP header is not in it.
    private let payloadLimit: Int
    private let aggregates: Bool

    private var unit: AccessUnit?
    private var index = 0
    /// How many octets of the NAL unit at `index` have been sent in fragments; 0 when none.
    private var offset = 0

    /// A fragment's two octets, FU indicator and FU header (RFC 6184, 5.8).
    private static let fragmentHeaderSize = 2
    private static let aggregateHeaderSize = 1
    private static let aggregateLengthSize = 2

    /// - Parameters:
    ///   - payloadLimit: octets of one payload at most; at least 16.
    ///   - aggregates: whether what precedes a picture's first slice shares a packet where it fits.
    package init(payloadLimit: Int, aggregates: Bool = true) {
        precondition(payloadLimit >= 16)
        self.payloadLimit = payloadLimit
        self.aggregates = aggregates
    }

    /// Starts on `unit`, forgetting what was left of the one before.
    package mutating func begin(_ unit: AccessUnit) {
        self.unit = unit
        index = 0
        offset = 0
    }

    package mutating func cancel() { unit = nil }

    package var isFinished: Bool {
        guard let unit else { return true }
        return index == unit.nalUnits.count
    }

    /// How many payloads are still to come of the unit now in work.
    package var remainingCount: Int {
        guard let unit else { return 0 }
        var position = (index: index, offset: offset)
        var count = 0
        while position.index < unit.nalUnits.count {
            position = after(position, in: unit).next
            count += 1
        }
        return count
    }

    /// Writes the next payload to the start of `slot` and returns its length; nil when the unit is finished.
    ///
    /// - Precondition: `slot` has room for `payloadLimit` octets.
    package mutating func next(into slot: UnsafeMutableRawBufferPointer) -> Int? {
        guard let unit, index < unit.nalUnits.count else { return nil }
        precondition(slot.count >= payloadLimit)
        let step = after((index, offset), in: unit)
        let length = unit.octets.withUnsafeBytes { octets in
            switch step.form {
            case .single: Self.copy(octets, unit.nalUnits[index], to: slot, at: 0)
            case .aggregate(let count): Self.writeAggregate(octets, unit.nalUnits, index, count, slot)
            case .fragment(let range): Self.writeFragment(octets, unit.nalUnits[index], range, slot)
            }
        }
        (index, offset) = step.next
        return length
    }

    private enum Form {
        case single
        case aggregate(count: Int)
        /// The octets that travel; the NAL unit's header octet never does.
        case fragment(Range<Int>)
    }

    /// The form of the payload at a position, and the position behind it.
    private func after(_ position: (index: Int, offset: Int), in unit: AccessUnit) -> (
        form: Form, next: (index: Int, offset: Int)
    ) {
        let nalUnit = unit.nalUnits[position.index]
        if nalUnit.count <= payloadLimit {
            let count = aggregates ? aggregateCount(from: position.index, in: unit) : 1
            return (count > 1 ? .aggregate(count: count) : .single, (position.index + count, 0))
        }
        let start = nalUnit.lowerBound + max(position.offset, 1)
        let end = min(start + payloadLimit - Self.fragmentHeaderSize, nalUnit.upperBound)
        let isLast = end == nalUnit.upperBound
        return (.fragment(start..<end), isLast ? (position.index + 1, 0) : (position.index, end - nalUnit.lowerBound))
    }

    /// How many NAL units from `first` on share a packet: only what precedes a slice, so that one lost packet
    /// never costs two slices.
    private func aggregateCount(from first: Int, in unit: AccessUnit) -> Int {
        var size = Self.aggregateHeaderSize
        var count = 0
        while first + count < unit.nalUnits.count {
            let nalUnit = unit.nalUnits[first + count]
            size += Self.aggregateLengthSize + nalUnit.count
            guard unit.type(of: nalUnit).precedesPicture, size <= payloadLimit else { break }
            count += 1
        }
        return max(count, 1)
    }

    private static func writeAggregate(
        _ octets: UnsafeRawBufferPointer, _ nalUnits: [Range<Int>], _ first: Int, _ count: Int,
        _ slot: UnsafeMutableRawBufferPointer
    ) -> Int {
        var length = aggregateHeaderSize
        var importance: UInt8 = 0
        var forbidden: UInt8 = 0
        for index in first..<first + count {
            let nalUnit = nalUnits[index]
            let header = octets[nalUnit.lowerBound]
            // The aggregate's F is the OR, its NRI the maximum of what it carries (RFC 6184, 5.7).
            forbidden |= header & 0x80
            importance = max(importance, header & 0x60)
            slot[length] = UInt8(truncatingIfNeeded: nalUnit.count >> 8)
            slot[length + 1] = UInt8(truncatingIfNeeded: nalUnit.count)
            length += aggregateLengthSize
            length += copy(octets, nalUnit, to: slot, at: length)
        }
        slot[0] = forbidden | importance | NALUnitType.singleTimeAggregation.rawValue
        return length
    }

    private static func writeFragment(
        _ octets: UnsafeRawBufferPointer, _ nalUnit: Range<Int>, _ range: Range<Int>,
        _ slot: UnsafeMutableRawBufferPointer
    ) -> Int {
        let header = octets[nalUnit.lowerBound]
        slot[0] = header & 0xE0 | NALUnitType.fragmentation.rawValue
        slot[1] =
            header & 0x1F | (range.lowerBound == nalUnit.lowerBound + 1 ? 0x80 : 0)
            | (range.upperBound == nalUnit.upperBound ? 0x40 : 0)
        return fragmentHeaderSize + copy(octets, range, to: slot, at: fragmentHeaderSize)
    }

    private static func copy(
        _ octets: UnsafeRawBufferPointer, _ range: Range<Int>, to slot: UnsafeMutableRawBufferPointer, at offset: Int
    ) -> Int {
        UnsafeMutableRawBufferPointer(rebasing: slot[offset...]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: octets[range]))
        return range.count
    }
}
