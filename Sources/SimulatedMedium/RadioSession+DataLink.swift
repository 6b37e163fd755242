internal import NANFrames
internal import Octets
internal import Ports

extension RadioSession {
    /// Between two attempts to find the peer's end of a data link.
    private static let probeInterval = Duration.milliseconds(100)

    /// What stands for the first IPv6 packets of a data link: LLC/SNAP with the local experimental EtherType.
    private enum Probe: UInt8 {
        case request = 1
        case answer = 2

        static let prefix: [UInt8] = [0xAA, 0xAA, 0x03, 0x00, 0x00, 0x00, 0x88, 0xB5]
    }

    mutating func openDataLink(_ index: Int, _ now: MonotonicInstant) {
        if case .open = dataStations[index].link { return announce(index) }
        dataStations[index].link = .opening(nextProbe: now)
    }

    /// The simulated link is up once a frame under the common key went through a common slot, because the loopback
    /// interface behind it would carry payload without either.
    mutating func probe(_ now: MonotonicInstant) {
        for index in dataStations.indices {
            guard let at = dataStations[index].nextProbe, at <= now else { continue }
            dataStations[index].link = .opening(nextProbe: now + Self.probeInterval)
            send(.request, index, now)
        }
    }

    private mutating func send(_ probe: Probe, _ index: Int, _ now: MonotonicInstant) {
        let station = dataStations[index]
        guard let cluster = membership.cluster, hasCommonSlots(station.nmi) else { return }
        let interface = RadioInterface.data(station.peer.interface)
        let destination = station.peer.peer.address
        let waiting = (queue + awaiting).contains {
            $0.purpose == .dataLink && $0.destination == destination && $0.octets.last == probe.rawValue
        }
        guard !waiting else { return }
        var writer = ByteWriter(reserving: MACHeader.length + Probe.prefix.count + 1)
        writer.octets([0x08, 0x00, 0x00, 0x00])
        destination.encode(into: &writer)
        station.peer.interface.address.encode(into: &writer)
        cluster.address.encode(into: &writer)
        writer.u16(0)
        writer.octets(Probe.prefix)
        writer.u8(probe.rawValue)
        enqueue(writer.bytes, to: destination, for: .dataLink, through: interface, now)
    }

    mutating func acceptData(_ octets: [UInt8], _ header: MACHeader, _ seal: AirFrame.Seal?, _ now: MonotonicInstant) {
        guard let index = dataIndex(DataPeer(interface: NDI(header.a1), peer: NDI(header.a2))),
            dataStations[index].isAuthorized
        else { return statistics.count(.noKey) }
        switch (dataStations[index].key, seal) {
        case (nil, nil): break
        case (_?, nil): return statistics.count(.notProtected)
        case (nil, _?): return statistics.count(.noKey)
        case (let key?, let seal?):
            guard seal == AirFrame.Seal(octets, under: key) else { return statistics.count(.wrongKey) }
        }
        guard Array(octets.dropFirst(MACHeader.length).prefix(Probe.prefix.count)) == Probe.prefix,
            let probe = octets.last.flatMap(Probe.init)
        else { return statistics.count(.notRegistered) }
        if probe == .request { send(.answer, index, now) }
        if case .opening = dataStations[index].link {
            dataStations[index].link = .open
            announce(index)
        }
    }

    private mutating func announce(_ index: Int) {
        let peer = dataStations[index].peer
        emit(
            .dataLinkOpened(
                peer, local: LoopbackAddress.address(of: peer.interface), peer: LoopbackAddress.address(of: peer.peer)))
    }

    /// Further availability slots in common: without any the kernel keeps the interface's carrier off.
    private func hasCommonSlots(_ nmi: NMI) -> Bool {
        guard let schedule = stations[nmi]?.schedule else { return false }
        return (0..<Slot.perPeriod).contains { position in
            let slot = Slot(index: position)
            return slot.windowFrequency(usesFiveGigahertz: radio.usesFiveGigahertz) == nil
                && commonFrequency(with: schedule, in: slot) != nil
        }
    }

    func inactivity(_ station: DataStation, _ now: MonotonicInstant) -> Duration {
        let heard = stations[station.nmi]?.lastHeard ?? station.lastActive
        return max(heard, station.lastActive).duration(to: now)
    }
}
