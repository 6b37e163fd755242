internal import Ports

/// What the kernel demands of schedules (nl80211 NAN_SET_LOCAL_SCHED and NAN_SET_PEER_SCHED, cfg80211 and mac80211 7.3).
struct ScheduleRules {
    /// mac80211's: a committed entry has 16 octets, so three of them.
    static let longestAvailability = 54
    static let mostChannels = 3
    static let mostPeerMaps = 2
    static let mostPeerChannelsPerLocal = 8

    let capabilities: RadioCapabilities
    let forbidden: Set<Int>
    /// Different channels that the interface combination admits.
    let channelLimit: Int

    func check(_ next: LocalRadioSchedule, replacing previous: LocalRadioSchedule) throws(RadioFailure) {
        let command = "NAN_SET_LOCAL_SCHED"
        guard next.channels.count <= Self.mostChannels else {
            throw KernelError.notSupported.failure(command, "more than \(Self.mostChannels) channels")
        }
        try check(next.slots, channelCount: next.channels.count, command)
        if next.slots == .empty {
            guard next.availability.isEmpty else {
                throw KernelError.invalid.failure(command, "availability of an empty schedule")
            }
        } else {
            try check(availability: next.availability, command)
        }
        for (index, channel) in next.channels.enumerated() {
            try check(channel, command)
            guard (1...Int(capabilities.antennas & 3)).contains(Int(channel.rxNSS)) else {
                throw KernelError.invalid.failure(command, "RX NSS \(channel.rxNSS)")
            }
            for other in next.channels[..<index] where channel.isCompatible(with: other) {
                throw KernelError.invalid.failure(command, "two channels that one channel could hold")
            }
            for old in previous.channels where old.isSameChannel(as: channel) && old.entry != channel.entry {
                throw KernelError.invalid.failure(command, "another channel entry for a kept channel")
            }
        }
        guard Set(next.channels.map(\.frequency)).count <= channelLimit else {
            throw KernelError.busy.failure(command, "more channels than the interface combination has")
        }
    }

    func check(_ next: PeerRadioSchedule, local: LocalRadioSchedule) throws(RadioFailure) {
        let command = "NAN_SET_PEER_SCHED"
        let parts = [next.sequenceID != nil, !next.channels.isEmpty, !next.maps.isEmpty]
        guard Set(parts).count == 1 else {
            throw KernelError.invalid.failure(command, "sequence id, channels and maps come together or not at all")
        }
        guard next.maps.count <= Self.mostPeerMaps, Set(next.maps.map(\.mapID)).count == next.maps.count,
            next.maps.allSatisfy({ $0.mapID <= 15 })
        else { throw KernelError.invalid.failure(command, "at most two maps, different ids of 4 bits") }
        guard next.channels.count <= Self.mostPeerChannelsPerLocal * local.channels.count else {
            throw KernelError.invalid.failure(command, "too many channels")
        }
        for map in next.maps { try check(map.slots, channelCount: next.channels.count, command) }
        try checkMaps(next, command)
        for (index, channel) in next.channels.enumerated() {
            try check(channel, command)
            guard channel.rxNSS != 0 else { throw KernelError.invalid.failure(command, "RX NSS 0") }
            guard local.channels.contains(where: channel.isCompatible) else {
                throw KernelError.invalid.failure(
                    command, "channel \(channel.frequency) MHz is compatible with no local one")
            }
            guard next.maps.contains(where: { $0.slots.slots.contains(UInt8(index)) }) else {
                throw KernelError.invalid.failure(command, "channel \(channel.frequency) MHz is used in no slot")
            }
        }
    }

    /// Of one radio: two maps share neither a slot nor a channel.
    private func checkMaps(_ next: PeerRadioSchedule, _ command: String) throws(RadioFailure) {
        guard next.maps.count == 2 else { return }
        let (first, second) = (next.maps[0].slots.slots, next.maps[1].slots.slots)
        for (one, other) in zip(first, second) where one != SlotMap.unavailable && other != SlotMap.unavailable {
            throw KernelError.invalid.failure(command, "a slot in two maps")
        }
        func used(_ slots: [UInt8]) -> [RadioChannel] {
            Set(slots).filter { $0 != SlotMap.unavailable }.sorted().map { next.channels[Int($0)] }
        }
        for channel in used(first) where used(second).contains(where: channel.isCompatible) {
            throw KernelError.invalid.failure(command, "a channel in two maps")
        }
    }

    private func check(_ slots: SlotMap, channelCount: Int, _ command: String) throws(RadioFailure) {
        for slot in slots.slots where slot != SlotMap.unavailable && Int(slot) >= channelCount {
            throw KernelError.invalid.failure(command, "slot of channel \(slot), which is not there")
        }
    }

    private func check(availability: [UInt8], _ command: String) throws(RadioFailure) {
        guard availability.count <= Self.longestAvailability else {
            throw KernelError.invalid.failure(command, "availability of \(availability.count) octets")
        }
        guard availability.count >= 6, availability[0] == 0x12,
            Int(availability[1]) | Int(availability[2]) << 8 == availability.count - 3
        else { throw KernelError.invalid.failure(command, "no single NAN Availability attribute") }
    }

    private func check(_ channel: RadioChannel, _ command: String) throws(RadioFailure) {
        guard channel.frequency < 5925, channel.centerFrequency < 5925 else {
            throw KernelError.notSupported.failure(command, "6 GHz")
        }
        guard channel.isWellFormed else {
            throw KernelError.invalid.failure(command, "no channel: \(channel.frequency) MHz in \(channel.width) MHz")
        }
        guard !forbidden.contains(channel.frequency) else {
            throw KernelError.regulatory.failure(command, "\(channel.frequency) MHz")
        }
    }
}

extension RadioChannel {
    /// A control channel of 2.4 or 5 GHz inside the width around its centre.
    var isWellFormed: Bool {
        let low = (2412...2472).contains(frequency) && (frequency - 2412) % 5 == 0 || frequency == 2484
        let high = (5180...5885).contains(frequency) && frequency % 5 == 0
        guard low || high, low ? width <= 40 : true else { return false }
        let offset = abs(centerFrequency - frequency)
        switch width {
        case 20: return offset == 0
        case 40: return offset == 10
        case 80: return offset == 10 || offset == 30
        case 160: return [10, 30, 50, 70].contains(offset)
        default: return false
        }
    }

    func isSameChannel(as other: RadioChannel) -> Bool {
        frequency == other.frequency && centerFrequency == other.centerFrequency && width == other.width
    }

    /// The same control channel, the narrower within the wider (cfg80211_chandef_compatible).
    func isCompatible(with other: RadioChannel) -> Bool {
        guard frequency == other.frequency else { return false }
        let (narrow, wide) = width <= other.width ? (self, other) : (other, self)
        return wide.center(atWidth: narrow.width) == narrow.centerFrequency
    }

    /// The centre of the part with `narrow` MHz that holds the control channel.
    private func center(atWidth narrow: Int) -> Int {
        var center = centerFrequency
        var current = width
        while current > narrow {
            center += frequency < center ? -current / 4 : current / 4
            current /= 2
        }
        return center
    }
}
