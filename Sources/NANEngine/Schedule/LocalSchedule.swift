package import NANFrames
package import Ports

/// When and where this device is on the air, one generation of it: what frames announce and what the radio is given.
///
/// A schedule has one map and repeats every 512 TU, which is all the kernel can do.
package struct LocalSchedule: Equatable, Sendable {
    /// A channel and the slots of 16 TU, of 32, that it is committed for.
    package struct Allotment: Equatable, Sendable {
        package let channel: Channel
        package let entry: ChannelEntry
        /// Bit n is slot n of every 512 TU.
        package let slots: UInt32
        package let rxNSS: UInt8

        /// Nil when no operating class has the channel.
        package init?(_ channel: Channel, slots: UInt32, rxNSS: UInt8) {
            guard let entry = ChannelEntry(channel) else { return nil }
            self.init(channel, entry, slots: slots, rxNSS: rxNSS)
        }

        init(_ channel: Channel, _ entry: ChannelEntry, slots: UInt32, rxNSS: UInt8) {
            self.channel = channel
            self.entry = entry
            self.slots = slots
            self.rxNSS = rxNSS
        }
    }

    /// Channels the radio may be asked for instead, never promised.
    package struct Potential: Equatable, Sendable {
        /// 0…3, 3 most wanted.
        package let preference: UInt8
        package let entries: [ChannelEntry]
        package let rxNSS: UInt8

        package init(preference: UInt8, entries: [ChannelEntry], rxNSS: UInt8) {
            precondition(preference <= 3 && entries.count <= 15, "a potential entry's fields have 2 and 4 bits")
            self.preference = preference
            self.entries = entries
            self.rxNSS = rxNSS
        }
    }

    /// mac80211 takes three channels at most.
    package static let maximumChannels = 3

    package let sequenceID: UInt8
    package let mapID: UInt8
    package let allotments: [Allotment]
    package let potential: [Potential]
    /// What the link has to give; nil has no wishes and sends no NDL QoS.
    package let qos: NDLQoS?
    /// Slots of the NDC where it is not to be one slot chosen by rule; octets of its bitmap.
    private let fixedNDC: (slots: UInt32, octetCount: Int)?
    /// The attribute control's bits, which say what has changed.
    private let changes: Availability.Changes

    /// - Precondition: at most three channels, no slot in two of them.
    package init(
        sequenceID: UInt8, mapID: UInt8 = 1, _ allotments: [Allotment], potential: [Potential] = [],
        qos: NDLQoS? = nil, ndcSlots: UInt32? = nil, ndcOctetCount: Int = 4
    ) {
        precondition(allotments.count <= Self.maximumChannels, "the kernel takes three channels")
        var used: UInt32 = 0
        for allotment in allotments {
            precondition(used & allotment.slots == 0, "a slot belongs to one channel")
            used |= allotment.slots
        }
        self.sequenceID = sequenceID
        self.mapID = mapID
        self.allotments = allotments
        self.potential = potential
        self.qos = qos
        fixedNDC = ndcSlots.map { ($0, ndcOctetCount) }
        changes = allotments.isEmpty ? .potential : [.committed, .potential]
    }

    package static func == (left: LocalSchedule, right: LocalSchedule) -> Bool {
        left.sequenceID == right.sequenceID && left.mapID == right.mapID && left.allotments == right.allotments
            && left.potential == right.potential && left.qos == right.qos
            && left.fixedNDC?.slots == right.fixedNDC?.slots
    }

    /// The attributes of service discovery and action frames; none for a schedule without any channel.
    package var availability: [Availability] {
        let committed = allotments.map(\.availabilityEntry)
        let possible = potential.map { entry in
            Availability.Entry(
                .init(.potential, usagePreference: entry.preference, rxNSS: entry.rxNSS),
                .init(.channels(entry.entries)))
        }
        let entries = committed + possible
        guard !entries.isEmpty else { return [] }
        return [Availability(sequenceID: sequenceID, mapID: mapID, changes: changes, entries)]
    }

    /// What the radio is given: channels, slots, and the committed part as one attribute of at most 54 octets.
    package var radio: LocalRadioSchedule {
        guard !allotments.isEmpty else { return .empty }
        var slots = [UInt8](repeating: SlotMap.unavailable, count: SlotMap.slotCount)
        for (index, allotment) in allotments.enumerated() {
            for slot in 0..<SlotMap.slotCount where allotment.slots & 1 << UInt32(slot) != 0 {
                slots[slot] = UInt8(index)
            }
        }
        let blob = Availability(
            sequenceID: sequenceID, mapID: mapID, changes: [.committed, .potential],
            allotments.map(\.availabilityEntry))
        return LocalRadioSchedule(
            channels: allotments.map { RadioChannel($0.channel, $0.entry, rxNSS: $0.rxNSS) }, slots: SlotMap(slots),
            availability: Attribute.availability(blob).encoded)
    }

    /// The base slots of a data link that we choose: one slot, where hostap would put it (reference 5.6.3).
    ///
    /// Right behind the discovery window of the first channel where it is a social one, else the first slot there is.
    /// Nil without a committed channel.
    package var ndcEntry: ScheduleEntry? {
        if let fixedNDC {
            return ScheduleEntry(
                mapID: mapID, TimeBitmap(everyPeriod: fixedNDC.slots, octetCount: fixedNDC.octetCount))
        }
        guard let first = allotments.first(where: { $0.slots != 0 }) else { return nil }
        let preferred: UInt32 =
            switch first.channel.controlFrequency {
            case Channel.social5GHz.controlFrequency, Channel.social5GHzLower.controlFrequency: 9
            case Channel.social24GHz.controlFrequency: 1
            default: 32
            }
        let isFree = preferred < 32 && first.slots & 1 << preferred != 0
        let slot = isFree ? preferred : UInt32(first.slots.trailingZeroBitCount)
        return ScheduleEntry(mapID: mapID, TimeBitmap(everyPeriod: 1 << slot))
    }

    /// All committed slots, over 8192 TU.
    var slots: SlotSet { allotments.reduce(.none) { $0.union($1.slotSet) } }

    /// The same schedule as the next generation, which every change has to be.
    package func following(_ sequenceID: UInt8) -> LocalSchedule {
        LocalSchedule(
            sequenceID: sequenceID &+ 1, mapID: mapID, allotments, potential: potential, qos: qos,
            ndcSlots: fixedNDC?.slots, ndcOctetCount: fixedNDC?.octetCount ?? 4)
    }
}

extension LocalSchedule.Allotment {
    var slotSet: SlotSet { SlotSet(everyPeriod: (0..<32).filter { slots & 1 << UInt32($0) != 0 }) }

    fileprivate var availabilityEntry: Availability.Entry {
        Availability.Entry(
            .init(.committed, rxNSS: rxNSS), timeBitmap: TimeBitmap(everyPeriod: slots), .init(.channels([entry])))
    }
}

extension RadioChannel {
    init(_ channel: Channel, _ entry: ChannelEntry, rxNSS: UInt8) {
        self.init(
            frequency: channel.controlFrequency, centerFrequency: channel.centerFrequency,
            width: channel.width.rawValue,
            entry: entry.kernelOctets, rxNSS: rxNSS)
    }
}
