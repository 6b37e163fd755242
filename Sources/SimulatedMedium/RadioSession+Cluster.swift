internal import NANFrames
internal import Octets
internal import Ports

extension RadioSession {
    enum Membership {
        case scanning(until: MonotonicInstant, best: SyncBeacon?)
        case joined(Cluster)

        var cluster: ClusterID? {
            if case .joined(let cluster) = self { return cluster.id }
            return nil
        }

        var deadline: MonotonicInstant? {
            switch self {
            case .scanning(let until, _): until
            case .joined(let cluster): cluster.merger?.at
            }
        }
    }

    struct Cluster {
        var id: ClusterID
        var anchorRank: UInt64
        /// A better cluster was heard in this window; it is joined when the window ends.
        var merger: Merger?
    }

    struct Merger {
        let into: SyncBeacon
        let at: MonotonicInstant
    }

    private var ownRank: UInt64 {
        SyncBeacon.rank(
            preference: radio.masterPreference, randomFactor: randomFactor, address: radio.nmi.address)
    }

    /// The next slot in which something happens by itself: windows, and the slot after each.
    static func windowSlot(after slot: Slot, usesFiveGigahertz: Bool) -> Slot {
        let positions = usesFiveGigahertz ? [0, 1, 8, 9] : [0, 1]
        var next = slot.next
        while !positions.contains(next.position) { next = next.next }
        return next
    }

    /// At a window's start a beacon is sent; one slot later the next window is announced.
    mutating func passWindowSlot() {
        let slot = windowSlot
        windowSlot = Self.windowSlot(after: slot, usesFiveGigahertz: radio.usesFiveGigahertz)
        if let frequency = slot.windowFrequency(usesFiveGigahertz: radio.usesFiveGigahertz) {
            sendBeacon(frequency: frequency, at: slot.start)
        } else {
            let comesFive = radio.usesFiveGigahertz && slot.position == Slot.lowBandPosition + 1
            emit(.discoveryWindowAhead(frequency: comesFive ? Slot.highBandFrequency : Slot.lowBandFrequency))
        }
    }

    private mutating func sendBeacon(frequency: Int, at instant: MonotonicInstant) {
        guard case .joined(let cluster) = membership else { return }
        let beacon = SyncBeacon(
            source: radio.nmi, cluster: cluster.id, masterPreference: radio.masterPreference,
            randomFactor: randomFactor, anchorRank: cluster.anchorRank)
        let octets = beacon.encode(
            timestamp: UInt64(max(0, instant.nanoseconds)) / 1000, sequence: takeSequence())
        statistics.beacons += 1
        outputs.append(
            .air(AirFrame(frequency: frequency, sentAt: instant, content: .frame(octets, seal: nil))))
    }

    mutating func hear(_ beacon: SyncBeacon, at slot: Slot) {
        switch membership {
        case .scanning(let until, let best):
            if let best {
                // The cluster that was asked for comes first, then the higher grade.
                let preferred = (best.cluster == radio.cluster, beacon.cluster == radio.cluster)
                guard
                    preferred.0 == preferred.1
                        ? beacon.outranks(rank: best.anchorRank, cluster: best.cluster) : preferred.1
                else { return }
            }
            membership = .scanning(until: until, best: beacon)
        case .joined(var cluster):
            if beacon.cluster == cluster.id {
                cluster.anchorRank = max(cluster.anchorRank, beacon.anchorRank)
            } else if let merger = cluster.merger {
                guard beacon.outranks(rank: merger.into.anchorRank, cluster: merger.into.cluster) else { return }
                cluster.merger = Merger(into: beacon, at: merger.at)
            } else if beacon.outranks(rank: cluster.anchorRank, cluster: cluster.id) {
                cluster.merger = Merger(into: beacon, at: slot.next.start)
            }
            membership = .joined(cluster)
        }
    }

    mutating func updateMembership(_ now: MonotonicInstant) {
        guard let deadline = membership.deadline, deadline <= now else { return }
        switch membership {
        case .scanning(_, let best?): join(best.cluster, heard: best.anchorRank, isNew: false)
        case .scanning(_, nil): join(radio.cluster ?? randomCluster(), heard: 0, isNew: true)
        case .joined(let cluster):
            if let merger = cluster.merger { join(merger.into.cluster, heard: merger.into.anchorRank, isNew: false) }
        }
    }

    private mutating func join(_ id: ClusterID, heard rank: UInt64, isNew: Bool) {
        membership = .joined(Cluster(id: id, anchorRank: max(rank, ownRank)))
        emit(.clusterJoined(id, isNew: isNew))
    }

    private mutating func randomCluster() -> ClusterID {
        ClusterID(MACAddress(bits: 0x506F_9A01 << 16 | UInt64(UInt16.random(in: .min ... .max, using: &entropy))))
    }

    mutating func takeSequence() -> UInt16 {
        defer { nextSequence = (nextSequence + 1) & 0x0FFF }
        return nextSequence
    }
}
