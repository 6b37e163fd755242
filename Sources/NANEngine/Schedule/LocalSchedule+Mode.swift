package import NANFrames
package import Ports

extension LocalSchedule {
    /// What a link is for; the other device must be set to the same.
    package enum Mode: String, Equatable, Sendable, CaseIterable {
        /// One long stretch of slots, the rest of the time off the air: throughput for the time awake.
        case bulk
        /// Every slot that discovery leaves: nothing waits longer than a discovery window lasts.
        case realtime

        /// Slots 1…23, 368 TU in one piece but for a window; or 1…31.
        var slots: UInt32 {
            switch self {
            case .bulk: 0x00FF_FFFE
            case .realtime: 0xFFFF_FFFE
            }
        }

        /// Bulk takes what it gets; with 8 slots of 32, or gaps of more than 8 (131 ms), nothing is realtime.
        var qos: NDLQoS? {
            switch self {
            case .bulk: nil
            case .realtime: NDLQoS(minimumSlots: 8, maximumLatency: 8)
            }
        }
    }

    /// The schedule that a device keeps from the start: the mode's slots on one channel.
    ///
    /// Slot 0 belongs to the discovery windows on 2437 MHz and is never promised; slot 8, which belongs to those on
    /// `fiveGigahertzWindow`, only where that is the data channel too. With another data channel than 2437 MHz, bulk
    /// keeps slots 1…3 there: a device that may not use the data channel still meets us.
    ///
    /// - Precondition: the channel is one of an operating class.
    package init(
        _ mode: Mode, channel: Channel = .social24GHz, fiveGigahertzWindow: Channel? = nil, rxNSS: UInt8 = 1,
        potential: [Channel] = [], sequenceID: UInt8 = 1
    ) {
        var slots = mode.slots
        if let window = fiveGigahertzWindow, window.controlFrequency != channel.controlFrequency {
            slots &= ~(1 << 8)
        }
        let meeting: UInt32 =
            mode == .bulk && channel.controlFrequency != Channel.social24GHz.controlFrequency ? 0x0E : 0
        let parts = [
            meeting == 0 ? nil : Allotment(.social24GHz, slots: meeting, rxNSS: rxNSS),
            Allotment(channel, slots: slots & ~meeting, rxNSS: rxNSS),
        ]
        precondition(parts[1] != nil, "no operating class has channel \(channel)")
        let entries = potential.compactMap(ChannelEntry.init(_:)).prefix(15)
        self.init(
            sequenceID: sequenceID, parts.compactMap { $0 },
            potential: entries.isEmpty
                ? [] : [Potential(preference: 1, entries: Array(entries), rxNSS: rxNSS)], qos: mode.qos)
    }

    /// The mode's schedule on the best channel that the radio may use: 5180 MHz, 80 MHz wide, before 5745, before 5220,
    /// before 2437; the others are said to be possible, so that we can go where a peer is.
    package init(_ mode: Mode, with capabilities: RadioCapabilities) {
        let choices = [
            Channel(controlFrequency: 5180, centerFrequency: 5210, width: .mhz80),
            Channel(controlFrequency: 5745, centerFrequency: 5775, width: .mhz80),
            Channel(controlFrequency: 5220, centerFrequency: 5210, width: .mhz80), .social24GHz,
        ].filter { capabilities.frequencies.contains($0.controlFrequency) }
        guard let channel = choices.first, choices.count > 1 else {
            self.init(mode)
            return
        }
        self.init(
            mode, channel: channel, rxNSS: max(1, min(capabilities.antennas >> 4, capabilities.antennas & 3)),
            potential: choices.dropFirst().map { Channel($0.controlFrequency) })
    }

    /// The schedule with which we could meet a peer that has answered our request with a counter-proposal.
    ///
    /// The peer's committed channels, as far as we have them or said we could, in the peer's slots but for the
    /// discovery windows; our own slots where they are left. Nil when there is nothing to meet on.
    package func meeting(_ peer: DeviceSchedule) -> LocalSchedule? {
        let possible = Set(
            allotments.map(\.channel.controlFrequency)
                + potential.flatMap(\.entries).flatMap(\.channels)
                .map(\.controlFrequency))
        let rxNSS = allotments.first?.rxNSS ?? potential.first?.rxNSS ?? 1
        var parts: [Allotment] = []
        var used: UInt32 = 1  // slot 0 is the discovery window's
        func add(_ channel: Channel, _ entry: ChannelEntry, _ slots: UInt32) {
            let free = slots & ~used
            guard free != 0 else { return }
            if let index = parts.firstIndex(where: { $0.channel.controlFrequency == channel.controlFrequency }) {
                parts[index] = Allotment(
                    parts[index].channel, parts[index].entry, slots: parts[index].slots | free, rxNSS: rxNSS)
            } else if parts.count < Self.maximumChannels {
                parts.append(Allotment(channel, entry, slots: free, rxNSS: rxNSS))
            } else {
                return
            }
            used |= free
        }
        for theirs in peer.allotments where possible.contains(theirs.channel.controlFrequency) {
            let ours = allotments.first { $0.channel.controlFrequency == theirs.channel.controlFrequency }
            add(ours?.channel ?? theirs.channel, ours?.entry ?? theirs.entry, theirs.slots.kernelSlots)
        }
        guard !parts.isEmpty else { return nil }
        for ours in allotments { add(ours.channel, ours.entry, ours.slots) }
        return LocalSchedule(
            sequenceID: sequenceID &+ 1, mapID: mapID, parts, potential: potential, qos: qos,
            ndcSlots: nil)
    }
}

extension SlotSet {
    /// As slots of 512 TU: those that every period has; for one that has none, those of the first, as hostap cuts it.
    var kernelSlots: UInt32 { everyPeriod != 0 ? everyPeriod : firstPeriod }
}
