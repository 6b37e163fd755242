package import Octets

/// Time bitmap: control, length, octets, in availability entries, NDCs and immutable schedules (Wi-Fi Aware v4.0).
///
/// Bit k, least significant first, stands for the k-th bit duration after the start offset.
package struct TimeBitmap: WireCodable {
    /// Bits 0…2 bit duration, 3…5 period, 6…14 start offset, 15 reserved.
    package let control: UInt16
    package let octets: [UInt8]

    package init(control: UInt16, _ octets: [UInt8]) {
        precondition(octets.count <= 255, "a time bitmap has an 8-bit length")
        self.control = control
        self.octets = octets
    }

    /// 16 TU per bit and a period of 512 TU: the form in which we and hostap write schedules.
    package init(everyPeriod slots: UInt32, octetCount: Int = 4) {
        precondition(1...4 ~= octetCount, "512 TU fill four octets")
        control = 0x0018
        octets = (0..<octetCount).map { UInt8(truncatingIfNeeded: slots >> (8 * $0)) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        control = try reader.u16("time bitmap control")
        let count = Int(try reader.u8("time bitmap length"))
        octets = try reader.octets(count, "time bitmap")
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u16(control)
        writer.lengthPrefixed8 { $0.octets(octets) }
    }

    /// Slots of 16 TU that one bit covers; nil for a reserved duration.
    package var slotsPerBit: Int? {
        let duration = Int(control & 0x07)
        return duration > 3 ? nil : 1 << duration
    }

    /// Slots of 16 TU after which the bitmap repeats, 8…512; nil for the reserved value 0.
    package var periodSlots: Int? {
        let period = Int(control >> 3 & 0x07)
        return period == 0 ? nil : 4 << period
    }

    /// Slots of 16 TU between the start of the period and bit 0.
    package var startOffset: Int { Int(control >> 6 & 0x1FF) }

    /// hostap's plausibility rules; the last octet may have bits beyond the period, which mean nothing.
    package var isValid: Bool {
        guard let slotsPerBit, let periodSlots, 1...64 ~= octets.count else { return false }
        return (octets.count - 1) * 8 * slotsPerBit < periodSlots && startOffset <= periodSlots
    }

    /// The slots it stands for over 8192 TU; none when it is not valid.
    package var expanded: SlotSet {
        var set = SlotSet.none
        guard isValid, let slotsPerBit, let periodSlots else { return set }
        for (index, octet) in octets.enumerated() {
            for bit in 0..<8 where octet & 1 << bit != 0 {
                let first = (8 * index + bit) * slotsPerBit
                guard first < periodSlots else { continue }
                for start in stride(from: 0, to: SlotSet.slotCount, by: periodSlots) {
                    for slot in 0..<min(slotsPerBit, periodSlots - first) {
                        set.insert((start + startOffset + first + slot) % SlotSet.slotCount)
                    }
                }
            }
        }
        return set
    }
}

/// A time bitmap of one map, in NDCs and immutable schedules.
package struct ScheduleEntry: WireCodable {
    /// Entries kept in one attribute; hostap sends one.
    package static let maximumCount = 16

    /// As received; the map is its low nibble.
    package let rawMapID: UInt8
    package let timeBitmap: TimeBitmap

    package init(mapID: UInt8, _ timeBitmap: TimeBitmap) {
        precondition(mapID <= 15, "a map ID has four bits")
        rawMapID = mapID
        self.timeBitmap = timeBitmap
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        rawMapID = try reader.u8("schedule entry map ID")
        timeBitmap = try TimeBitmap(from: &reader)
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(rawMapID)
        timeBitmap.encode(into: &writer)
    }

    package var mapID: UInt8 { rawMapID & 0x0F }

    /// Reads entries to the end of `reader`.
    package static func decodeAll(_ reader: inout ByteReader) throws(WireError) -> [ScheduleEntry] {
        var entries: [ScheduleEntry] = []
        while reader.remaining > 0 {
            guard entries.count < maximumCount else {
                throw .excessive(field: "schedule entries", offset: reader.offset, limit: maximumCount)
            }
            entries.append(try ScheduleEntry(from: &reader))
        }
        return entries
    }
}
