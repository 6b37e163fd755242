internal import NANFrames
internal import Octets
internal import Ports

/// Whether a peer that says nothing is still there.
///
/// The radio knows when it last heard a data station, and a silent peer still acknowledges what is sent to it. So the
/// radio is asked once half the time is over, and then the peer: by a Schedule Update Notification, which nobody
/// answers: hostap takes its Availability and ignores the rest (reference 1.4).
extension DataPathMachine {
    /// A path with the peer has been connected.
    mutating func beginWatching(_ peer: NMI, _ now: MonotonicInstant) {
        links[peer]?.hear(now)
        if configuration.presenceTimeout > .zero { links[peer]?.presence = .heard }
    }

    func watchDeadline(_ link: DataLink) -> MonotonicInstant? {
        switch link.presence {
        case .unwatched: nil
        case .heard: silentAt(link)
        case .asking(_, let until), .pausing(let until): until
        // One probe at least is waited for, however late it was sent.
        case .probing(_, let until): link.misses > 0 ? min(until, vanishedAt(link)) : until
        }
    }

    /// From when on the peer is asked for a sign of life.
    private func silentAt(_ link: DataLink) -> MonotonicInstant {
        link.heardAt.advanced(by: configuration.presenceTimeout / 2)
    }

    private func vanishedAt(_ link: DataLink) -> MonotonicInstant {
        link.heardAt.advanced(by: configuration.presenceTimeout)
    }

    /// Carries on with every peer whose time has come (reference 5.7).
    mutating func watch(_ now: MonotonicInstant) -> [Effect] {
        links.keys.sorted { $0.address.bits < $1.address.bits }.flatMap { peer -> [Effect] in
            guard let link = links[peer], let deadline = watchDeadline(link), deadline <= now else { return [] }
            switch link.presence {
            case .unwatched: return []
            case .heard, .pausing: return ask(peer, now)
            case .asking: return conclude(peer, now)
            case .probing(_, let until):
                if until <= now { links[peer]?.misses += 1 }
                return ask(peer, now)
            }
        }
    }

    /// Asks the radio: data frames, and what acknowledges ours, are signs of life that pass us by.
    private mutating func ask(_ peer: NMI, _ now: MonotonicInstant) -> [Effect] {
        var pairs: [NDIPair] = []
        for path in paths where path.peer == peer && path.state == .connected {
            guard let peerNDI = path.peerNDI else { continue }
            let pair = NDIPair(local: path.localNDI, peer: peerNDI)
            if !pairs.contains(pair) { pairs.append(pair) }
        }
        guard !pairs.isEmpty else {
            links[peer]?.presence = .unwatched
            return []
        }
        links[peer]?.presence = .asking(Set(pairs.map(\.peer)), until: now.advanced(by: Self.answerTime))
        return pairs.map { .queryInactivity(local: $0.local, peer: $0.peer) }
    }

    /// The radio's answer; the address heard last decides for all of the peer's paths.
    mutating func inactive(_ ndi: NDI, _ duration: Duration, _ now: MonotonicInstant) -> [Effect] {
        guard let peer = paths.first(where: { $0.peerNDI == ndi && $0.state == .connected })?.peer,
            let link = links[peer]
        else { return [] }
        links[peer]?.heardAt = max(link.heardAt, now.advanced(by: .zero - max(duration, .zero)))
        guard case .asking(var asked, let until) = link.presence else { return [] }
        asked.remove(ndi)
        links[peer]?.presence = .asking(asked, until: until)
        return asked.isEmpty ? conclude(peer, now) : []
    }

    /// What is to be known from the radio is known.
    private mutating func conclude(_ peer: NMI, _ now: MonotonicInstant) -> [Effect] {
        guard let link = links[peer] else { return [] }
        if silentAt(link) > now {
            links[peer]?.misses = 0
            links[peer]?.presence = .heard
            return []
        }
        guard link.misses > 0, vanishedAt(link) <= now else { return probe(peer, now) }
        // Whoever acknowledges nothing does not acknowledge a termination either.
        return endAll(.idle) { $0.peer == peer }
    }

    private mutating func probe(_ peer: NMI, _ now: MonotonicInstant) -> [Effect] {
        guard let path = paths.first(where: { $0.peer == peer && $0.state == .connected }) else {
            links[peer]?.presence = .unwatched
            return []
        }
        let token = nextToken()
        let body = body(
            .scheduleUpdateNotification, isProtected: path.isProtected || isUnderDataKeys(path), nil,
            Parts(availability: schedule.availability))
        links[peer]?.presence = .probing(token: token, until: now.advanced(by: Self.statusTime))
        return [.transmit(frame(body, path, token))]
    }

    /// The transmit status of what may have been a probe.
    mutating func probed(_ token: UInt64, _ acknowledged: Bool, _ now: MonotonicInstant) {
        let probed = links.first { _, link in
            if case .probing(token, _) = link.presence { true } else { false }
        }
        guard let (peer, link) = probed else { return }
        guard !acknowledged else {
            links[peer]?.hear(now)
            return
        }
        let end = max(now, vanishedAt(link))
        links[peer]?.misses += 1
        links[peer]?.presence = .pausing(until: min(now.advanced(by: configuration.probePause), end))
    }

    /// How long the radio may take to answer; it takes no time as a rule.
    private static let answerTime = Duration.milliseconds(500)
    /// How long a transmit status may take: a discovery window's period, 524 ms, and the MAC's tries.
    private static let statusTime = Duration.seconds(1)
}
