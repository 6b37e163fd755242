/// One channel of a schedule as the radio takes it (nl80211 NAN_CHANNEL).
package struct RadioChannel: Equatable, Sendable {
    /// Control (primary 20 MHz) frequency, MHz.
    package var frequency: Int
    /// Centre frequency, MHz.
    package var centerFrequency: Int
    /// 20, 40, 80 or 160 MHz.
    package var width: Int
    /// The NAN channel entry: operating class, LE16 channel bitmap, primary bitmap; padded to 6 octets.
    package var entry: [UInt8]
    package var rxNSS: UInt8

    /// - Precondition: `entry` has 6 octets.
    package init(frequency: Int, centerFrequency: Int, width: Int, entry: [UInt8], rxNSS: UInt8) {
        precondition(entry.count == 6, "a channel entry has 6 octets")
        self.frequency = frequency
        self.centerFrequency = centerFrequency
        self.width = width
        self.entry = entry
        self.rxNSS = rxNSS
    }
}

/// 32 slots of 16 TU, each the index of a channel or none.
package struct SlotMap: Equatable, Sendable {
    /// "Not available" (NL80211_NAN_SCHED_NOT_AVAIL_SLOT).
    package static let unavailable: UInt8 = 0xFF
    package static let slotCount = 32

    package private(set) var slots: [UInt8]

    /// - Precondition: 32 slots.
    package init(_ slots: [UInt8]) {
        precondition(slots.count == Self.slotCount, "a slot map has 32 slots")
        self.slots = slots
    }

    package static let empty = SlotMap([UInt8](repeating: unavailable, count: slotCount))
}

/// Our own committed schedule (nl80211 NAN_SET_LOCAL_SCHED).
package struct LocalRadioSchedule: Equatable, Sendable {
    /// Their order defines the index that `slots` uses; at most 3.
    package var channels: [RadioChannel]
    package var slots: SlotMap
    /// The NAN Availability attribute's committed entries, at most 54 octets.
    ///
    /// With the sequence id that frames carry from now on. Empty with an empty schedule.
    package var availability: [UInt8]

    package init(channels: [RadioChannel], slots: SlotMap, availability: [UInt8]) {
        self.channels = channels
        self.slots = slots
        self.availability = availability
    }

    package static let empty = LocalRadioSchedule(channels: [], slots: .empty, availability: [])
}

/// A peer's schedule (nl80211 NAN_SET_PEER_SCHED): when and where it can be reached.
package struct PeerRadioSchedule: Equatable, Sendable {
    /// From its Device Capability attribute.
    package var committedDW: UInt16
    package var maxChannelSwitchTime: UInt16
    /// Of its Availability attribute; nil, with no channels, when only its discovery windows are known.
    package var sequenceID: UInt8?
    package var channels: [RadioChannel]
    /// One per map id; slots index `channels`.
    package var maps: [PeerMap]

    package struct PeerMap: Equatable, Sendable {
        package var mapID: UInt8
        package var slots: SlotMap

        package init(mapID: UInt8, slots: SlotMap) {
            self.mapID = mapID
            self.slots = slots
        }
    }

    package init(
        committedDW: UInt16, maxChannelSwitchTime: UInt16 = 0, sequenceID: UInt8? = nil, channels: [RadioChannel] = [],
        maps: [PeerMap] = []
    ) {
        self.committedDW = committedDW
        self.maxChannelSwitchTime = maxChannelSwitchTime
        self.sequenceID = sequenceID
        self.channels = channels
        self.maps = maps
    }
}
