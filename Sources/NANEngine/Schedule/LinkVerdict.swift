package import NANFrames

/// What a responder says to a proposed data link (reference 5.6.3).
package enum LinkVerdict: Equatable, Sendable {
    case accepted
    /// Our own schedule goes back as a counter-proposal; the reason is for people, frames carry none.
    case counter(ReasonCode)
    case rejected(ReasonCode)
}

/// A proposal as it arrives: the sender's schedule and what it asks for beyond.
package struct LinkProposal: Equatable, Sendable {
    package let schedule: DeviceSchedule
    /// The sender's selected NDC, if it has one.
    package let ndc: NDC?
    package let immutable: [ScheduleEntry]
    package let qos: NDLQoS?

    package init(schedule: DeviceSchedule, ndc: NDC? = nil, immutable: [ScheduleEntry] = [], qos: NDLQoS? = nil) {
        self.schedule = schedule
        self.ndc = ndc
        self.immutable = immutable
        self.qos = qos
    }

    /// Whether NDC and immutable slots lie within what the same frame commits to on their maps; otherwise reason 11.
    package var isConsistent: Bool {
        ((ndc?.entries ?? []) + immutable).allSatisfy { entry in
            entry.timeBitmap.isValid && entry.timeBitmap.expanded.isSubset(of: schedule.slots(ofMap: entry.mapID))
        }
    }
}

extension LocalSchedule {
    /// Slots in which both are on channels with the same control frequency, over 8192 TU.
    package func commonSlots(with peer: DeviceSchedule) -> SlotSet {
        allotments.reduce(.none) { common, ours in
            peer.allotments.reduce(common) { common, theirs in
                guard theirs.channel.controlFrequency == ours.channel.controlFrequency else { return common }
                return common.union(ours.slotSet.intersection(theirs.slots))
            }
        }
    }

    /// None with a peer of which nothing is known.
    func commonSlots(with peer: DeviceSchedule?) -> SlotSet { peer.map { commonSlots(with: $0) } ?? .none }

    /// Judges a request; nothing but the two schedules and their wishes counts.
    package func judge(_ proposal: LinkProposal) -> LinkVerdict {
        let frequencies = Set(allotments.map(\.channel.controlFrequency))
        guard proposal.schedule.allotments.contains(where: { frequencies.contains($0.channel.controlFrequency) }) else {
            return .counter(.invalidAvailability)
        }
        guard let own = ndcEntry, own.timeBitmap.expanded.isSubset(of: slots) else { return .rejected(.unspecified) }
        let common = commonSlots(with: proposal.schedule)
        // hostap compares channels alone and would agree on a link on which nothing can be sent.
        guard !common.isEmpty else { return .counter(.invalidAvailability) }
        let immutable = proposal.immutable.reduce(SlotSet.none) { $0.union($1.timeBitmap.expanded) }
        guard immutable.isSubset(of: common) else { return .rejected(.immutableUnacceptable) }
        if let theirs = proposal.ndc {
            let slots = theirs.entries.reduce(SlotSet.none) { $0.union($1.timeBitmap.expanded) }
            guard slots == own.timeBitmap.expanded.intersection(self.slots) else {
                return .counter(.invalidAvailability)
            }
        }
        guard [qos, proposal.qos].allSatisfy({ $0?.isMet(by: common) ?? true }) else {
            return .counter(.qosUnacceptable)
        }
        return .accepted
    }
}

extension NDLQoS {
    /// hostap's reading: more than the minimum in the first 512 TU, and no gap longer than the latency.
    func isMet(by common: SlotSet) -> Bool {
        let count = common.firstPeriod.nonzeroBitCount
        if minimumSlots > 0, count <= Int(minimumSlots) { return false }
        return maximumLatency == Self.noLatencyPreference || common.longestGap <= Int(maximumLatency)
    }
}

extension DeviceSchedule {
    func slots(ofMap mapID: UInt8) -> SlotSet {
        allotments.filter { $0.mapID == mapID }.reduce(.none) { $0.union($1.slots) }
    }
}
