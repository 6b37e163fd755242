internal import Glibc
internal import NANFrames
internal import Octets
internal import Ports

extension NANSession {
    /// Carries an effect out, in one command or a few.
    ///
    /// - Precondition: neither `start` nor `stop`.
    func perform(_ effect: RadioEffect, now: MonotonicInstant) throws(RadioFailure) {
        switch effect {
        case .start, .stop: preconditionFailure("a session starts and stops once")
        case .transmit(let transmission): try transmit(transmission, now: now)
        case .setLocalSchedule(let schedule): try set(schedule)
        case .addPeer(let nmi):
            try addStation(nmi.address, on: .management, flags: Flag.authenticated | Flag.associated)
        case .protectPeer(let nmi): try setFlags(Flag.mfp, of: nmi.address, on: .management)
        case .installManagementKey(let nmi, let key): try install(key, for: nmi.address, on: .management)
        case .setPeerSchedule(let nmi, let schedule): try set(schedule, of: nmi)
        case .authorizePeer(let nmi, let capabilities):
            try call(.setStation) { message in
                write(.management, nmi.address, to: &message)
                message.octets(NL80211Attribute.htCapability, capabilities.ht)
                if let vht = capabilities.vht { message.octets(NL80211Attribute.vhtCapability, vht) }
                message.octets(NL80211Attribute.stationFlags, Self.flags(mask: Flag.authorized, set: Flag.authorized))
            }
        case .removePeer(let nmi):
            try call(.deleteStation) { write(.management, nmi.address, to: &$0) }
            forgetDataStations { $0.nmi == nmi }
        case .addDataInterface(let ndi): try add(ndi)
        case .removeDataInterface(let ndi):
            let interface = try dataInterface(ndi)
            remove(interface)
            interfaces.removeAll { $0.ndi == ndi }
            forgetDataStations { $0.peer.interface == ndi }
        case .addDataPeer(let peer, let nmi, let isProtected): try add(peer, of: nmi, isProtected: isProtected)
        case .installDataKey(let peer, let key): try install(key, for: peer.peer.address, on: try place(peer))
        case .installPeerGroupKey(let nmi, let key): try install(key, of: nmi.address, on: .management)
        case .installDataGroupKey(let peer, let key): try install(key, of: peer.peer.address, on: try place(peer))
        case .authorizeDataPeer(let peer):
            try setFlags(Flag.authorized, of: peer.peer.address, on: try place(peer))
            if let at = dataStations.firstIndex(where: { $0.peer == peer }) { dataStations[at].isAuthorized = true }
        case .removeDataPeer(let peer): try remove(peer)
        case .openDataLink(let peer, let own, let other): try open(peer, own: own, other: other)
        case .queryInactivity(let peer): try queryInactivity(peer)
        }
    }

    typealias Flag = NL80211.StationFlag

    /// Which interface a command is about.
    enum Place {
        case management
        case data(index: UInt32)
    }

    /// Interface and station of a command.
    func write(_ place: Place, _ station: MACAddress, to message: inout NetlinkWriter) {
        switch place {
        case .management: message.u64(NL80211Attribute.wirelessDevice, device)
        case .data(let index): message.u32(NL80211Attribute.interfaceIndex, index)
        }
        message.mac(NL80211Attribute.mac, station)
    }

    /// `struct nl80211_sta_flag_update`.
    static func flags(mask: UInt32, set: UInt32) -> [UInt8] {
        var writer = ByteWriter(reserving: 8)
        writer.u32(mask)
        writer.u32(set)
        return writer.bytes
    }

    func addStation(
        _ address: MACAddress, on place: Place, flags: UInt32, owner: NMI? = nil
    ) throws(RadioFailure) {
        try call(.newStation) { message in
            write(place, address, to: &message)
            message.u16(NL80211Attribute.stationListenInterval, 0)
            message.octets(NL80211Attribute.stationFlags, Self.flags(mask: flags, set: flags))
            if let owner { message.mac(NL80211Attribute.nanNMIMAC, owner.address) }
        }
    }

    func setFlags(
        _ flags: UInt32, of address: MACAddress, on place: Place, isSet: Bool = true
    ) throws(RadioFailure) {
        try call(.setStation) { message in
            write(place, address, to: &message)
            message.octets(NL80211Attribute.stationFlags, Self.flags(mask: flags, set: isSet ? flags : 0))
        }
    }

    // MARK: Schedules

    private func set(_ schedule: LocalRadioSchedule) throws(RadioFailure) {
        try call(.nanSetLocalSchedule) { message in
            message.u64(NL80211Attribute.wirelessDevice, device)
            for channel in schedule.channels { channel.write(to: &message) }
            message.octets(NL80211Attribute.nanTimeSlots, schedule.slots.slots)
            if !schedule.availability.isEmpty {
                message.octets(NL80211Attribute.nanAvailabilityBlob, schedule.availability)
            }
        }
    }

    private func set(_ schedule: PeerRadioSchedule, of nmi: NMI) throws(RadioFailure) {
        try call(.nanSetPeerSchedule) { message in
            write(.management, nmi.address, to: &message)
            message.u16(NL80211Attribute.nanCommittedDW, schedule.committedDW)
            message.u16(NL80211Attribute.nanMaxChannelSwitchTime, schedule.maxChannelSwitchTime)
            if let id = schedule.sequenceID { message.u8(NL80211Attribute.nanSequenceID, id) }
            for channel in schedule.channels { channel.write(to: &message) }
            guard !schedule.maps.isEmpty else { return }
            message.nest(NL80211Attribute.nanPeerMaps) { maps in
                for (number, map) in schedule.maps.enumerated() {
                    maps.nest(UInt16(number + 1)) { nest in
                        nest.u8(NL80211Attribute.PeerMap.mapID, map.mapID)
                        nest.octets(NL80211Attribute.PeerMap.timeSlots, map.slots.slots)
                    }
                }
            }
        }
    }
}

extension RadioChannel {
    /// One NAN_CHANNEL; which one it is in the message is its index in the slots.
    fileprivate func write(to message: inout NetlinkWriter) {
        message.nest(NL80211Attribute.nanChannel) { nest in
            nest.u32(NL80211Attribute.wiphyFrequency, UInt32(frequency))
            nest.u32(NL80211Attribute.centerFrequency1, UInt32(centerFrequency))
            nest.u32(NL80211Attribute.centerFrequency2, 0)
            // A width that is none is the kernel's to refuse.
            nest.u32(NL80211Attribute.channelWidth, NL80211.channelWidth(width) ?? .max)
            nest.octets(NL80211Attribute.nanChannelEntry, entry)
            nest.u8(NL80211Attribute.nanRxNSS, rxNSS)
        }
    }
}
