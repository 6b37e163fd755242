/// Why a peer's availability attributes are not believed, and with them the frame's whole device information.
package enum AvailabilityFault: Error, Equatable, Sendable, CaseIterable {
    case noEntry
    /// Neither committed nor potential nor conditional, or committed and conditional at once.
    case entryKind
    case utilization
    case timeBitmap
    /// A committed or conditional entry that names bands.
    case bands
    /// A committed or conditional entry with no channel entry, or with several.
    case channelCount
    /// Maps of one frame from different generations.
    case sequenceID
}

/// What a device's availability attributes say after hostap's checks, expanded to slots (reference 2.5.3).
package struct DeviceSchedule: Equatable, Sendable {
    /// One channel and when the device is on it.
    package struct Allotment: Equatable, Sendable {
        package let mapID: UInt8
        package let isConditional: Bool
        package let entry: ChannelEntry
        package let channel: Channel
        package let rxNSS: UInt8
        package let slots: SlotSet

        package init(
            mapID: UInt8, isConditional: Bool = false, entry: ChannelEntry, channel: Channel, rxNSS: UInt8,
            slots: SlotSet
        ) {
            self.mapID = mapID
            self.isConditional = isConditional
            self.entry = entry
            self.channel = channel
            self.rxNSS = rxNSS
            self.slots = slots
        }
    }

    /// Where and when the device could be; channels we do not know are not listed.
    package struct Potential: Equatable, Sendable {
        package let mapID: UInt8
        package let usagePreference: UInt8
        package let channels: [Channel]
        package let bands: [Availability.Band]
        package let slots: SlotSet
    }

    package let sequenceID: UInt8
    /// Committed and conditional; an entry on a channel that we do not know is left out.
    package let allotments: [Allotment]
    package let potential: [Potential]

    /// Nil without attributes: the frame says nothing about availability.
    package init?(_ attributes: [Availability]) throws(AvailabilityFault) {
        guard let first = attributes.first else { return nil }
        sequenceID = first.sequenceID
        var allotments: [Allotment] = []
        var potential: [Potential] = []
        for attribute in attributes {
            guard attribute.sequenceID == first.sequenceID else { throw .sequenceID }
            guard !attribute.entries.isEmpty else { throw .noEntry }
            for entry in attribute.entries {
                try Self.check(entry)
                let (scheduled, possible) = try Self.split(entry)
                if let scheduled, let channel = scheduled.channel {
                    allotments.append(
                        Allotment(
                            mapID: attribute.mapID, isConditional: entry.control.kind.contains(.conditional),
                            entry: scheduled, channel: channel, rxNSS: max(1, entry.control.rxNSS), slots: entry.slots))
                }
                guard entry.control.kind.contains(.potential) else { continue }
                let slots = entry.timeBitmap?.expanded ?? .all
                switch possible {
                case .bands(let bands):
                    potential.append(
                        Potential(
                            mapID: attribute.mapID, usagePreference: entry.control.usagePreference, channels: [],
                            bands: bands, slots: slots))
                case .channels(let entries):
                    potential.append(
                        Potential(
                            mapID: attribute.mapID, usagePreference: entry.control.usagePreference,
                            channels: entries.flatMap(\.channels), bands: [], slots: slots))
                }
            }
        }
        self.allotments = allotments
        self.potential = potential
    }

    private static func check(_ entry: Availability.Entry) throws(AvailabilityFault) {
        let kind = entry.control.kind
        guard !kind.isEmpty, !kind.isSuperset(of: [.committed, .conditional]) else { throw .entryKind }
        guard entry.control.utilization != 6 else { throw .utilization }
        if let bitmap = entry.timeBitmap, !bitmap.isValid { throw .timeBitmap }
    }

    /// The channel that is scheduled, and what is merely possible.
    ///
    /// Committed and potential at once with several channels: the first is committed, the rest possible.
    private static func split(
        _ entry: Availability.Entry
    ) throws(AvailabilityFault) -> (ChannelEntry?, Availability.BandOrChannelList.Content) {
        let kind = entry.control.kind
        guard !kind.isDisjoint(with: [.committed, .conditional]) else { return (nil, entry.list.content) }
        switch entry.list.content {
        case .bands: throw .bands
        case .channels(let entries):
            guard let first = entries.first else { throw .channelCount }
            if entries.count > 1 {
                guard kind == [.committed, .potential] else { throw .channelCount }
                return (first, .channels(Array(entries.dropFirst())))
            }
            return (first, entry.list.content)
        }
    }
}
