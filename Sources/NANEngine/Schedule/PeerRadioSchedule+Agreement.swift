package import NANFrames
package import Ports

extension PeerRadioSchedule {
    /// Only the discovery windows a peer wakes in: what the radio knows before a schedule is agreed on, and after.
    package init(windowsOf capability: DeviceCapability?) {
        self.init(
            committedDW: capability?.committedDW.rawValue ?? 0,
            maxChannelSwitchTime: capability?.maximumChannelSwitchTime ?? 0)
    }

    /// A peer's schedule as the kernel takes it: its channels that we have too, in slots of 512 TU (reference 6.11).
    ///
    /// Conditional slots count only once a link has made them firm. Of two channels with one control frequency the
    /// narrower is used, so that the kernel finds both compatible and ours is what the regulatory domain allows.
    package init(
        _ schedule: DeviceSchedule?, _ capability: DeviceCapability?, local: LocalSchedule, includesConditional: Bool
    ) {
        self.init(windowsOf: capability)
        guard let schedule else { return }
        var channels: [RadioChannel] = []
        var maps: [PeerMap] = []
        var used: UInt32 = 0
        for theirs in schedule.allotments where includesConditional || !theirs.isConditional {
            let frequency = theirs.channel.controlFrequency
            guard let ours = local.allotments.first(where: { $0.channel.controlFrequency == frequency }) else {
                continue
            }
            // One radio is on one channel at a time, and the kernel refuses anything else.
            let slots = theirs.slots.kernelSlots & ~used
            guard slots != 0 else { continue }
            let isNarrower = theirs.channel.width.rawValue <= ours.channel.width.rawValue
            let channel =
                isNarrower
                ? RadioChannel(theirs.channel, theirs.entry, rxNSS: theirs.rxNSS)
                : RadioChannel(ours.channel, ours.entry, rxNSS: theirs.rxNSS)
            let known = channels.firstIndex { $0.frequency == frequency }
            let map = maps.firstIndex { $0.mapID == theirs.mapID }
            // A channel lives in one map, and there are two maps.
            if let known, let map {
                guard maps[map].slots.slots.contains(UInt8(known)) else { continue }
            } else if known != nil || (map == nil && maps.count == Self.maximumMaps) {
                continue
            }
            used |= slots
            if known == nil { channels.append(channel) }
            let index = UInt8(known ?? channels.count - 1)
            var slotMap = map.map { maps[$0].slots.slots } ?? SlotMap.empty.slots
            for slot in 0..<SlotMap.slotCount where slots & 1 << UInt32(slot) != 0 { slotMap[slot] = index }
            let merged = PeerMap(mapID: theirs.mapID, slots: SlotMap(slotMap))
            if let map { maps[map] = merged } else { maps.append(merged) }
        }
        guard !channels.isEmpty else { return }
        sequenceID = schedule.sequenceID
        self.channels = channels
        self.maps = maps
    }

    private static let maximumMaps = 2
}

extension LocalSchedule {
    /// What the radio is told of a peer that announces `schedule`, as far as it meets ours.
    package func radioSchedule(of schedule: DeviceSchedule?, capability: DeviceCapability?) -> PeerRadioSchedule {
        PeerRadioSchedule(schedule, capability, local: self, includesConditional: false)
    }
}
