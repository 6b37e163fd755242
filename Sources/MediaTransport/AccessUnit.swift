/// A NAL unit's type (H.264, table 7-1), the low five bits of its first octet.
package struct NALUnitType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package init(header: UInt8) { rawValue = header & 0x1F }

    package static let slice = Self(rawValue: 1)
    package static let instantaneousRefresh = Self(rawValue: 5)
    package static let supplementalInformation = Self(rawValue: 6)
    package static let sequenceParameterSet = Self(rawValue: 7)
    package static let pictureParameterSet = Self(rawValue: 8)
    package static let accessUnitDelimiter = Self(rawValue: 9)
    /// Aggregation and fragmentation in an RTP payload (RFC 6184, table 1); never in a stream.
    package static let singleTimeAggregation = Self(rawValue: 24)
    package static let fragmentation = Self(rawValue: 28)

    /// Coded slice data: types 1 to 5.
    package var isSlice: Bool { (1...5).contains(rawValue) }

    /// Whether a unit of this type, after a picture's slices, starts the next access unit (H.264, 7.4.1.2.3).
    package var precedesPicture: Bool { (6...9).contains(rawValue) || (14...18).contains(rawValue) }
}

/// One coded picture and what belongs to it, as NAL units in sending order.
///
/// `octets` holds the units as a byte stream (H.264, Annex B), start codes included; nothing in them is rewritten.
package struct AccessUnit: Equatable, Sendable {
    /// An Annex B start code, in the long form that also serves before parameter sets.
    package static let startCode: [UInt8] = [0, 0, 0, 1]

    package let octets: [UInt8]
    /// Each NAL unit's place in `octets`, its header octet first; none is empty.
    package let nalUnits: [Range<Int>]
    /// Whether decoding can start here: an IDR picture.
    package let isKeyframe: Bool

    /// - Precondition: every range is within `octets` and not empty.
    package init(octets: [UInt8], nalUnits: [Range<Int>]) {
        precondition(nalUnits.allSatisfy { !$0.isEmpty && $0.lowerBound >= 0 && $0.upperBound <= octets.count })
        self.octets = octets
        self.nalUnits = nalUnits
        isKeyframe = nalUnits.contains { NALUnitType(header: octets[$0.lowerBound]) == .instantaneousRefresh }
    }

    package init(nalUnits: [[UInt8]]) {
        var octets: [UInt8] = []
        var ranges: [Range<Int>] = []
        for unit in nalUnits where !unit.isEmpty {
            octets += Self.startCode
            ranges.append(octets.count..<octets.count + unit.count)
            octets += unit
        }
        self.init(octets: octets, nalUnits: ranges)
    }

    package func type(of unit: Range<Int>) -> NALUnitType { NALUnitType(header: octets[unit.lowerBound]) }

    package func contains(_ type: NALUnitType) -> Bool { nalUnits.contains { self.type(of: $0) == type } }

    /// A copy of one NAL unit, for hashing and comparing.
    package func nalUnit(_ unit: Range<Int>) -> [UInt8] { Array(octets[unit]) }
}
