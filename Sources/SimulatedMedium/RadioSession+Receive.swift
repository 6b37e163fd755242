internal import NANFrames
internal import Octets
internal import Ports

extension RadioSession {
    /// A SIFS: what a receiver waits before it acknowledges.
    private static let shortInterframeSpace = Duration.microseconds(16)
    /// dBm, for everybody: the simulated air has no distances.
    private static let signal = -40

    mutating func hear(_ frame: AirFrame, _ now: MonotonicInstant) {
        guard frame.sentAt <= now + .milliseconds(20), now <= frame.sentAt + Self.longestLag else {
            return statistics.count(.stale)
        }
        switch frame.content {
        case .acknowledgement(let to, let from, let sequence):
            guard isOwn(to) else { return }
            guard !draw(hardware.impairments.acknowledgementLoss) else {
                statistics.acknowledgementsLost += 1
                return
            }
            acknowledge(sequence: sequence, from: from)
        case .frame(let octets, let seal):
            guard let header = MACHeader(octets) else { return statistics.count(.malformed) }
            receive(octets, header, seal, frame, now)
        }
    }

    private mutating func receive(
        _ octets: [UInt8], _ header: MACHeader, _ seal: AirFrame.Seal?, _ frame: AirFrame, _ now: MonotonicInstant
    ) {
        guard !isOwn(header.a2) else { return }
        let slot = Slot(at: frame.sentAt)
        guard listeningFrequency(in: slot) == frame.frequency else { return statistics.count(.notListening) }
        guard !draw(hardware.impairments.frameLoss) else { return statistics.count(.lost) }
        if header.kind == .beacon {
            guard let beacon = SyncBeacon(octets, header: header) else { return statistics.count(.malformed) }
            noteHeard(header.a2, now)
            return hear(beacon, at: slot)
        }
        guard let cluster = membership.cluster else { return statistics.count(.notJoined) }
        guard let isRepetition = arrive(header) else { return statistics.count(.lostForGood) }
        noteHeard(header.a2, now)
        if isOwn(header.a1) {
            let answer = AirFrame.Content.acknowledgement(to: header.a2, from: header.a1, sequence: header.sequence)
            outputs.append(
                .air(
                    AirFrame(
                        frequency: frame.frequency, sentAt: now + Self.shortInterframeSpace, content: answer)))
            statistics.acknowledgementsSent += 1
        }
        guard !isRepetition else { return statistics.count(.repetition) }
        accept(octets, header, seal, cluster, now)
    }

    /// Whether the MAC has had this frame before, or nil when it is one that never arrives.
    ///
    /// As in mac80211, repetitions are recognised only from stations, and only if they are for us.
    private mutating func arrive(_ header: MACHeader) -> Bool? {
        if arrivals.count >= Self.arrivalLimit { arrivals = [:] }
        let key = ArrivalKey(from: header.a2, to: header.a1)
        let previous = arrivals[key]
        if let previous, previous.sequence == header.sequence, header.isRetry {
            guard !previous.isDoomed else { return nil }
            guard isOwn(header.a1) else { return false }
            return stations[NMI(header.a2)] != nil || dataStations.contains { $0.peer.peer.address == header.a2 }
        }
        let isDoomed = draw(hardware.impairments.residualLoss)
        arrivals[key] = Arrival(sequence: header.sequence, isDoomed: isDoomed)
        return isDoomed ? nil : false
    }

    private mutating func noteHeard(_ address: MACAddress, _ now: MonotonicInstant) {
        stations[NMI(address)]?.lastHeard = now
        for station in dataStations where station.peer.peer.address == address {
            stations[station.nmi]?.lastHeard = now
        }
    }

    /// mac80211's receive filter, and the registrations of a NAN program.
    private mutating func accept(
        _ octets: [UInt8], _ header: MACHeader, _ seal: AirFrame.Seal?, _ cluster: ClusterID, _ now: MonotonicInstant
    ) {
        let inCluster = header.a3 == cluster.address
        switch header.kind {
        case .authentication:
            guard header.a1 == radio.nmi.address else { return statistics.count(.notAddressed) }
            guard inCluster else { return statistics.count(.wrongCluster) }
            guard octets.count >= MACHeader.length + 6, octets[24] == 7, octets[25] == 0 else {
                return statistics.count(.notRegistered)
            }
            hand(octets, .management, now)
        case .action:
            let type = MACHeader.nanType(octets)
            guard let category = MACHeader.category(octets), type == 0x13 || type == 0x18 else {
                return statistics.count(.notRegistered)
            }
            if category == 9 {
                acceptProtected(octets, header, seal, inCluster, isDataPath: type == 0x18, now)
            } else if category == 4 {
                // The first address is not looked at: a program must do that itself.
                guard inCluster else { return statistics.count(.wrongCluster) }
                hand(octets, .management, now)
            } else {
                statistics.count(.notRegistered)
            }
        case .data:
            guard interfaces.contains(NDI(header.a1)) else { return statistics.count(.notAddressed) }
            guard inCluster else { return statistics.count(.wrongCluster) }
            acceptData(octets, header, seal, now)
        case .beacon, .other: statistics.count(.notRegistered)
        }
    }

    private mutating func acceptProtected(
        _ octets: [UInt8], _ header: MACHeader, _ seal: AirFrame.Seal?, _ inCluster: Bool, isDataPath: Bool,
        _ now: MonotonicInstant
    ) {
        let key: PairwiseKey?
        let interface: RadioInterface
        if header.a1 == radio.nmi.address {
            guard inCluster else { return statistics.count(.wrongCluster) }
            let station = stations[NMI(header.a2)]
            key = station.flatMap { $0.isProtected && $0.keyOpensManagement ? $0.key : nil }
            interface = .management
        } else if interfaces.contains(NDI(header.a1)) {
            guard isDataPath else { return statistics.count(.notRegistered) }
            let peer = DataPeer(interface: NDI(header.a1), peer: NDI(header.a2))
            key = dataIndex(peer).flatMap { dataStations[$0].isProtected ? dataStations[$0].key : nil }
            interface = .data(peer.interface)
        } else {
            return statistics.count(.notAddressed)
        }
        guard let seal else { return statistics.count(.notProtected) }
        guard let key else { return statistics.count(.noKey) }
        guard seal == AirFrame.Seal(octets, under: key) else { return statistics.count(.wrongKey) }
        hand(octets, interface, now)
    }

    /// Sends a frame on its way to the program, through whatever the impairments put in between.
    private mutating func hand(_ octets: [UInt8], _ interface: RadioInterface, _ now: MonotonicInstant) {
        let impairments = hardware.impairments
        guard !draw(impairments.deliveryLoss) else { return statistics.count(.lostInside) }
        let frame = ReceivedFrame(octets: octets, interface: interface, signal: Self.signal)
        var copies = 1
        if draw(impairments.duplication) {
            statistics.duplicated += 1
            copies = 2
        }
        for copy in 0..<copies {
            guard deliveries.count < Self.deliveryLimit else { return statistics.count(.overflow) }
            var at = now + deliveryDelay()
            if copy == 1 { at = at + .milliseconds(1) }
            if draw(impairments.reordering) {
                statistics.reordered += 1
                at = at + impairments.reorderingDelay
            }
            deliveries.append(Delivery(at: at, order: nextOrder, frame: frame))
            nextOrder += 1
        }
    }

    private mutating func deliveryDelay() -> Duration {
        let range = hardware.impairments.delay
        guard range.upperBound > .zero else { return .zero }
        return .microseconds(
            Int.random(in: range.lowerBound.wholeMicroseconds...range.upperBound.wholeMicroseconds, using: &entropy))
    }

    mutating func deliver(_ now: MonotonicInstant) {
        guard deliveries.contains(where: { $0.at <= now }) else { return }
        let due = deliveries.filter { $0.at <= now }.sorted { ($0.at, $0.order) < ($1.at, $1.order) }
        deliveries.removeAll { $0.at <= now }
        for delivery in due {
            statistics.delivered += 1
            emit(.received(delivery.frame))
        }
    }
}
