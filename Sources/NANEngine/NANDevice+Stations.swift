internal import NANFrames
internal import Octets
internal import Ports

extension NANDevice {
    /// A station entry for a peer: before the first authentication frame, and so that frames need not wait for windows.
    mutating func ensureStation(_ nmi: NMI) -> [Effect] {
        guard let admitted = admit(nmi), peers[nmi]?.station == Peer.Station.none else { return [] }
        peers.change(nmi) { $0.station = .added }
        if timers.deadline(of: .supervision) == nil { timers.start(.supervision, at: nextSupervision) }
        return admitted + [.radio(.addPeer(nmi))] + installSchedule(of: nmi)
    }

    /// Finds a place in the table for the peer.
    ///
    /// When every place has a station, the one goes that was silent longest and has nothing under way, those with keys
    /// last: a refusal takes a station, and anybody can be refused under any number of addresses.
    ///
    /// - Returns: nil when all are being paired or connected.
    mutating func admit(_ nmi: NMI) -> [Effect]? {
        if peers.admit(nmi, now: latest) { return [] }
        let idle = peers.all.filter { !pairing.isBusy(with: $0.nmi) && !dataPaths.isBusy(with: $0.nmi) }
        let oldest = idle.min { ($0.isPaired ? 1 : 0, $0.heard) < ($1.isPaired ? 1 : 0, $1.heard) }
        guard let oldest else { return nil }
        let effects = letGo(oldest.nmi)
        return peers.admit(nmi, now: latest) ? effects : nil
    }

    /// Tells the radio when and where a peer with a station can be reached, if that is news.
    mutating func installSchedule(of nmi: NMI) -> [Effect] {
        guard let peer = peers[nmi], peer.station > .none, let capability = peer.capability else { return [] }
        let wanted =
            dataPaths.agreedSchedule(with: nmi)
            ?? schedule.radioSchedule(of: peer.schedule, capability: capability)
        guard wanted != peer.installedSchedule else { return [] }
        peers.change(nmi) { $0.installedSchedule = wanted }
        return [.radio(.setPeerSchedule(nmi, wanted))]
    }

    /// Frames of category 9 to and from the peer are encrypted from now on; the order is the kernel's (reference 6.10).
    mutating func installManagementKey(_ nmi: NMI, _ key: PairwiseKey) -> [Effect] {
        var effects: [Effect] = []
        if let peer = peers[nmi], peer.isPaired {
            // A new life of the peer under an old address: what the old one left goes with its station.
            effects += connect(.peerGone(nmi)) + removeStation(nmi)
        }
        effects += ensureStation(nmi) + protect(nmi)
        peers.change(nmi) { peer in
            peer.station = max(peer.station, .keyed)
            peer.startsOver = false
        }
        return effects + [.radio(.installManagementKey(nmi, key))] + connect(.protection(nmi, isProtected: true))
    }

    mutating func protect(_ nmi: NMI) -> [Effect] {
        guard peers[nmi]?.station == .added else { return [] }
        peers.change(nmi) { $0.station = .protected }
        return [.radio(.protectPeer(nmi))]
    }

    /// Forgets the session with a peer: both sides talk in clear again, and verify before the next data path.
    mutating func letGo(_ nmi: NMI) -> [Effect] {
        pair(.abandon(nmi)) + removeStation(nmi)
    }

    /// Deletes the station, and with it its keys and data stations.
    mutating func removeStation(_ nmi: NMI) -> [Effect] {
        guard let peer = peers[nmi], peer.station > .none else { return [] }
        peers.change(nmi) { peer in
            peer.station = .none
            peer.session = nil
            peer.startsOver = false
            peer.installedSchedule = nil
        }
        return [.radio(.removePeer(nmi))]
    }

    private var nextSupervision: MonotonicInstant { latest.advanced(by: Self.supervisionInterval) }

    /// Lets go of devices that went away without a word.
    mutating func supervise() -> [Effect] {
        var effects: [Effect] = []
        for peer in peers.all where peer.station > .none {
            let patience = peer.isPaired ? configuration.pairedPeerSilence : configuration.peerSilence
            let isSilent = peer.heard.advanced(by: patience) <= latest
            guard isSilent, !dataPaths.isBusy(with: peer.nmi), !pairing.isBusy(with: peer.nmi) else { continue }
            effects += letGo(peer.nmi)
        }
        if peers.all.contains(where: { $0.station > .none }) { timers.start(.supervision, at: nextSupervision) }
        return effects
    }
}
