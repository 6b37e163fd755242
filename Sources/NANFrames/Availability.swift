package import Octets

/// NAN Availability attribute: when and where a device listens on one map (Wi-Fi Aware v4.0).
package struct Availability: WireCodable {
    /// Entries kept; hostap sends a few, and a frame has room for some dozens.
    package static let maximumEntryCount = 64

    /// What changed since the last sequence ID; the upper twelve bits of the attribute control.
    package struct Changes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue & 0xFFF0 }
        package static let committed = Self(rawValue: 1 << 4)
        package static let potential = Self(rawValue: 1 << 5)
        package static let publicAvailability = Self(rawValue: 1 << 6)
        package static let ndc = Self(rawValue: 1 << 7)
    }

    /// Generation of the schedule; the same in all maps of a frame.
    package let sequenceID: UInt8
    package let mapID: UInt8
    package let changes: Changes
    package let entries: [Entry]

    package init(sequenceID: UInt8, mapID: UInt8, changes: Changes, _ entries: [Entry]) {
        precondition(mapID <= 15, "a map ID has four bits")
        precondition(entries.count <= Self.maximumEntryCount, "more entries than a receiver keeps")
        self.sequenceID = sequenceID
        self.mapID = mapID
        self.changes = changes
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        sequenceID = try reader.u8("availability sequence ID")
        let control = try reader.u16("availability control")
        mapID = UInt8(control & 0x000F)
        changes = Changes(rawValue: control)
        var list: [Entry] = []
        while reader.remaining > 0 {
            guard list.count < Self.maximumEntryCount else {
                throw .excessive(field: "availability entries", offset: reader.offset, limit: Self.maximumEntryCount)
            }
            list.append(try Entry(from: &reader))
        }
        entries = list
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(sequenceID)
        writer.u16(UInt16(mapID) | changes.rawValue)
        for entry in entries { entry.encode(into: &writer) }
    }

    /// Whether `new` is a later generation than `old`; the same one again is not.
    package static func isNewer(_ new: UInt8, than old: UInt8) -> Bool { old &- new >= 128 }
}

extension Availability {
    /// One availability entry: what kind, when, on which channels.
    package struct Entry: WireCodable {
        package struct Control: RawRepresentable, Hashable, Sendable {
            package let rawValue: UInt16
            package init(rawValue: UInt16) { self.rawValue = rawValue & ~Self.bitmapPresent }

            package init(
                _ kind: Kind, usagePreference: UInt8 = 0, utilization: UInt8 = Self.utilizationUnknown, rxNSS: UInt8
            ) {
                precondition(
                    usagePreference <= 3 && utilization <= 7 && rxNSS <= 15, "an availability entry's fields are narrow"
                )
                rawValue =
                    kind.rawValue | UInt16(usagePreference) << 3 | UInt16(utilization) << 5 | UInt16(rxNSS) << 8
            }

            package static let utilizationUnknown: UInt8 = 7
            fileprivate static let bitmapPresent: UInt16 = 1 << 12

            package var kind: Kind { Kind(rawValue: rawValue & 0x07) }
            package var usagePreference: UInt8 { UInt8(rawValue >> 3 & 0x03) }
            package var utilization: UInt8 { UInt8(rawValue >> 5 & 0x07) }
            package var rxNSS: UInt8 { UInt8(rawValue >> 8 & 0x0F) }
        }

        package struct Kind: OptionSet, Hashable, Sendable {
            package let rawValue: UInt16
            package init(rawValue: UInt16) { self.rawValue = rawValue }
            package static let committed = Self(rawValue: 1 << 0)
            package static let potential = Self(rawValue: 1 << 1)
            package static let conditional = Self(rawValue: 1 << 2)
        }

        package let control: Control
        /// Absent: always for a potential entry, never for a committed one.
        package let timeBitmap: TimeBitmap?
        package let list: BandOrChannelList

        package init(_ control: Control, timeBitmap: TimeBitmap? = nil, _ list: BandOrChannelList) {
            self.control = control
            self.timeBitmap = timeBitmap
            self.list = list
        }

        package init(from reader: inout ByteReader) throws(WireError) {
            var body = try reader.slice(Int(try reader.u16("availability entry length")), "availability entry")
            let bits = try body.u16("availability entry control")
            control = Control(rawValue: bits)
            timeBitmap = bits & Control.bitmapPresent != 0 ? try TimeBitmap(from: &body) : nil
            list = try BandOrChannelList(from: &body)
            try body.finish("availability entry")
        }

        package func encode(into writer: inout ByteWriter) {
            writer.lengthPrefixed16 {
                $0.u16(control.rawValue | (timeBitmap == nil ? 0 : Control.bitmapPresent))
                timeBitmap?.encode(into: &$0)
                list.encode(into: &$0)
            }
        }

        /// The slots over 8192 TU: without a bitmap none if committed or conditional, else all.
        package var slots: SlotSet {
            timeBitmap?.expanded ?? (control.kind.isDisjoint(with: [.committed, .conditional]) ? .all : .none)
        }
    }

    /// Up to fifteen bands or channel entries.
    package struct BandOrChannelList: WireCodable {
        package enum Content: Equatable, Sendable {
            case bands([Band])
            case channels([ChannelEntry])
        }

        package let content: Content
        /// Bits of the control that neither kind of list gives a meaning.
        package let reserved: UInt8

        package init(_ content: Content) {
            switch content {
            case .bands(let bands): precondition(bands.count <= 15, "a band list has a 4-bit length")
            case .channels(let entries):
                precondition(entries.count <= 15, "a channel list has a 4-bit length")
                let count = entries.filter { $0.auxiliaryBitmap != nil }.count
                precondition(count == 0 || count == entries.count, "a channel list is contiguous or not as a whole")
            }
            self.content = content
            reserved = 0
        }

        package init(from reader: inout ByteReader) throws(WireError) {
            let control = try reader.u8("availability list control")
            let count = Int(control >> 4)
            guard control & 0x01 != 0 else {
                var bands: [Band] = []
                for _ in 0..<count { bands.append(Band(rawValue: try reader.u8("availability band"))) }
                content = .bands(bands)
                reserved = control & 0x0E
                return
            }
            let isNonContiguous = control & 0x02 != 0
            var entries: [ChannelEntry] = []
            for _ in 0..<count {
                let operatingClass = OperatingClass(rawValue: try reader.u8("availability operating class"))
                let channelBitmap = try reader.u16("availability channel bitmap")
                let primaryBitmap = try reader.u8("availability primary channel bitmap")
                let auxiliary = isNonContiguous ? try reader.u16("availability auxiliary channel bitmap") : nil
                entries.append(
                    ChannelEntry(
                        operatingClass: operatingClass, channelBitmap: channelBitmap, primaryBitmap: primaryBitmap,
                        auxiliaryBitmap: auxiliary))
            }
            content = .channels(entries)
            // Without an entry there is nothing else that would say the list is non-contiguous.
            reserved = control & (entries.isEmpty ? 0x0E : 0x0C)
        }

        package func encode(into writer: inout ByteWriter) {
            switch content {
            case .bands(let bands):
                writer.u8(reserved | UInt8(bands.count) << 4)
                for band in bands { writer.u8(band.rawValue) }
            case .channels(let entries):
                let isNonContiguous = entries.contains { $0.auxiliaryBitmap != nil }
                writer.u8(reserved | 0x01 | (isNonContiguous ? 0x02 : 0) | UInt8(entries.count) << 4)
                for entry in entries {
                    writer.u8(entry.operatingClass.rawValue)
                    writer.u16(entry.channelBitmap)
                    writer.u8(entry.primaryBitmap)
                    if let auxiliary = entry.auxiliaryBitmap { writer.u16(auxiliary) }
                }
            }
        }
    }

    /// A frequency band by its number in band lists.
    package struct Band: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let sub1GHz = Self(rawValue: 1)
        package static let band24GHz = Self(rawValue: 2)
        package static let band5GHz = Self(rawValue: 4)
        package static let band6GHz = Self(rawValue: 7)
    }
}
