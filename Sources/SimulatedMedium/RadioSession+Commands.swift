internal import NANFrames
internal import Octets
internal import Ports

extension RadioSession {
    mutating func perform(_ effect: RadioEffect, _ now: MonotonicInstant) {
        do throws(RadioFailure) {
            try carryOut(effect, now)
        } catch {
            guard let command = effect.command else { return emit(.failed(error)) }
            emit(.refused(command, error))
        }
    }

    private mutating func carryOut(_ effect: RadioEffect, _ now: MonotonicInstant) throws(RadioFailure) {
        switch effect {
        case .start: throw KernelError.exists.failure("START_NAN", "already running")
        case .stop: break  // the kernel's, which ends this session
        case .transmit(let transmission): try send(transmission, now)
        case .setLocalSchedule(let schedule): try setLocalSchedule(schedule)
        case .addPeer(let nmi): try addPeer(nmi, now)
        case .protectPeer(let nmi):
            _ = try station(nmi, "SET_STATION")
            stations[nmi]?.isProtected = true
        case .installManagementKey(let nmi, let key): try installKey(key, nmi)
        case .setPeerSchedule(let nmi, let schedule):
            _ = try station(nmi, "NAN_SET_PEER_SCHED")
            try rules.check(schedule, local: local)
            stations[nmi]?.schedule = schedule
        case .authorizePeer(let nmi, let capabilities):
            _ = try station(nmi, "SET_STATION")
            stations[nmi]?.capabilities = capabilities
        case .removePeer(let nmi): try removePeer(nmi)
        case .addDataInterface(let ndi): try addDataInterface(ndi)
        case .removeDataInterface(let ndi): try removeDataInterface(ndi)
        case .addDataPeer(let peer, let nmi, let isProtected): try addDataPeer(peer, nmi, isProtected, now)
        case .installDataKey(let peer, let key):
            let index = try dataStation(peer, "NEW_KEY")
            try check(key)
            dataStations[index].key = key
        // Nothing group-addressed is protected on this air: a key is taken and not used.
        case .installPeerGroupKey(let nmi, let key):
            _ = try station(nmi, "NEW_KEY")
            try check(key)
        case .installDataGroupKey(let peer, let key):
            _ = try dataStation(peer, "NEW_KEY")
            try check(key)
        case .authorizeDataPeer(let peer): dataStations[try dataStation(peer, "SET_STATION")].isAuthorized = true
        case .removeDataPeer(let peer):
            removeDataStation(at: try dataStation(peer, "DEL_STATION"))
        case .openDataLink(let peer, let own, let other):
            let index = try dataStation(peer, "SETLINK")
            guard own.count == 8, other.map({ $0.count == 8 }) ?? true else {
                throw KernelError.invalid.failure("NEWADDR", "no interface identifier of 8 octets")
            }
            guard dataStations[index].isAuthorized else {
                throw KernelError.invalid.failure("SETLINK", "station \(peer.peer.address) is not authorised")
            }
            openDataLink(index, now)
        case .queryInactivity(let peer):
            let index = try dataStation(peer, "GET_STATION")
            emit(.inactivity(peer, inactivity(dataStations[index], now)))
        }
    }

    private var rules: ScheduleRules {
        ScheduleRules(
            capabilities: hardware.capabilities, forbidden: hardware.forbiddenFrequencies,
            channelLimit: hardware.channelLimit)
    }

    private mutating func setLocalSchedule(_ schedule: LocalRadioSchedule) throws(RadioFailure) {
        try rules.check(schedule, replacing: local)
        let kept = schedule.channels
        local = schedule
        for nmi in stations.keys {
            guard let peer = stations[nmi]?.schedule,
                peer.channels.contains(where: { channel in
                    !kept.contains(where: channel.isCompatible)
                })
            else { continue }
            stations[nmi]?.schedule = peer.limited(to: kept)
        }
    }

    // MARK: Stations on the management interface

    private mutating func addPeer(_ nmi: NMI, _ now: MonotonicInstant) throws(RadioFailure) {
        let command = "NEW_STATION"
        guard !nmi.address.isGroup, nmi.address.bits != 0, !isOwn(nmi.address) else {
            throw KernelError.invalid.failure(command, "station address \(nmi.address)")
        }
        guard stations[nmi] == nil else { throw KernelError.exists.failure(command, "\(nmi.address)") }
        guard stations.count < Self.stationLimit else { throw KernelError.noBuffers.failure(command, "station table") }
        stations[nmi] = Station(lastHeard: now)
    }

    private func station(_ nmi: NMI, _ command: String) throws(RadioFailure) -> Station {
        guard let station = stations[nmi] else {
            throw KernelError.noEntry.failure(command, "no station \(nmi.address)")
        }
        return station
    }

    private mutating func installKey(_ key: PairwiseKey, _ nmi: NMI) throws(RadioFailure) {
        let station = try station(nmi, "NEW_KEY")
        try check(key)
        stations[nmi]?.key = key
        stations[nmi]?.keyOpensManagement = station.isProtected
    }

    private func check(_ key: PairwiseKey) throws(RadioFailure) {
        let length = key.key.withOctets { $0.count }
        guard hardware.capabilities.ciphers.contains(key.cipher), length == key.cipher.keyLength else {
            throw KernelError.invalid.failure("NEW_KEY", "cipher or key length")
        }
    }

    private func check(_ key: GroupKey) throws(RadioFailure) {
        guard [16, 32].contains(key.key.count) else {
            throw KernelError.invalid.failure("NEW_KEY", "key length")
        }
    }

    private mutating func removePeer(_ nmi: NMI) throws(RadioFailure) {
        _ = try station(nmi, "DEL_STATION")
        while let index = dataStations.firstIndex(where: { $0.nmi == nmi }) { removeDataStation(at: index) }
        stations[nmi] = nil
        purge { $0.interface == .management && $0.destination == nmi.address }
    }

    // MARK: Data interfaces and their stations

    private mutating func addDataInterface(_ ndi: NDI) throws(RadioFailure) {
        guard hardware.capabilities.dataInterfaceLimit > 0 else {
            throw KernelError.notSupported.failure("NEW_INTERFACE", "NAN_DATA", cause: .noDataPath)
        }
        guard !ndi.address.isGroup, ndi.address.bits != 0 else {
            throw KernelError.invalid.failure("NEW_INTERFACE", "address \(ndi.address)")
        }
        guard !isOwn(ndi.address) else { throw KernelError.notUnique.failure("IFF_UP", "\(ndi.address)") }
        guard interfaces.count < hardware.capabilities.dataInterfaceLimit else {
            throw KernelError.busy.failure("IFF_UP", "\(interfaces.count) data interfaces are up")
        }
        interfaces.append(ndi)
        emit(.dataInterfaceAdded(ndi))
    }

    private mutating func removeDataInterface(_ ndi: NDI) throws(RadioFailure) {
        guard let index = interfaces.firstIndex(of: ndi) else {
            throw KernelError.noDevice.failure("DEL_INTERFACE", "\(ndi.address)", cause: .invalid)
        }
        while let index = dataStations.firstIndex(where: { $0.peer.interface == ndi }) {
            removeDataStation(at: index)
        }
        interfaces.remove(at: index)
        purge { $0.interface == .data(ndi) }
    }

    private mutating func addDataPeer(
        _ peer: DataPeer, _ nmi: NMI, _ isProtected: Bool, _ now: MonotonicInstant
    ) throws(RadioFailure) {
        let command = "NEW_STATION"
        guard interfaces.contains(peer.interface) else {
            throw KernelError.noDevice.failure(command, "\(peer.interface.address)", cause: .invalid)
        }
        guard !peer.peer.address.isGroup, !isOwn(peer.peer.address) else {
            throw KernelError.invalid.failure(command, "station address \(peer.peer.address)")
        }
        let owner = try station(nmi, command)
        guard owner.capabilities != nil else {
            throw KernelError.invalid.failure(command, "NMI station \(nmi.address) has no HT capabilities")
        }
        guard dataIndex(peer) == nil else { throw KernelError.exists.failure(command, "\(peer.peer.address)") }
        guard dataStations.count < Self.stationLimit else {
            throw KernelError.noBuffers.failure(command, "station table")
        }
        dataStations.append(DataStation(peer: peer, nmi: nmi, isProtected: isProtected, lastActive: now))
    }

    private func dataStation(_ peer: DataPeer, _ command: String) throws(RadioFailure) -> Int {
        guard let index = dataIndex(peer) else {
            throw KernelError.noEntry.failure(command, "no station \(peer.peer.address)")
        }
        return index
    }

    private mutating func removeDataStation(at index: Int) {
        let peer = dataStations.remove(at: index).peer
        purge { $0.interface == .data(peer.interface) && $0.destination == peer.peer.address }
    }
}

extension PeerRadioSchedule {
    /// Without the channels that no local one is compatible with, and without their slots.
    func limited(to local: [RadioChannel]) -> PeerRadioSchedule {
        var result = self
        result.channels = []
        var places: [Int: UInt8] = [:]
        for (index, channel) in channels.enumerated() where local.contains(where: channel.isCompatible) {
            places[index] = UInt8(result.channels.count)
            result.channels.append(channel)
        }
        result.maps = maps.map { map in
            PeerMap(
                mapID: map.mapID, slots: SlotMap(map.slots.slots.map { places[Int($0)] ?? SlotMap.unavailable }))
        }
        return result
    }
}
