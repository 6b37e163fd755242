internal import NANFrames
internal import Octets
internal import Ports

extension DataPathMachine {
    /// A path works: its link begins or goes on, and its key is taken if none is stronger.
    mutating func connect(_ index: Int, _ now: MonotonicInstant) -> [Effect] {
        let path = paths[index]
        guard let peerNDI = path.peerNDI else { return terminate(index, .invalid, .unspecified, now) }
        if links[path.peer] == nil || path.negotiatesLink {
            guard let schedule = path.proposal?.schedule, let elements = path.elements ?? links[path.peer]?.elements
            else {
                return terminate(index, .invalid, .ndlUnacceptable, now)
            }
            links[path.peer] = DataLink(
                schedule: schedule, capability: path.peerCapability, elements: elements, ndc: path.ndc, heardAt: now)
        } else if let schedule = path.proposal?.schedule {
            links[path.peer]?.schedule = schedule
        }
        guard let link = links[path.peer] else { return [] }
        paths[index].state = .connected
        paths[index].deadline = nil
        if path.isInitiator { paths[index].outgoing = nil }
        let pair = NDIPair(local: path.localNDI, peer: peerNDI)
        let isFirstOnPair = keysInUse[pair] == nil
        let rank = path.handshake?.rank ?? 0
        let isStronger = rank >= keysInUse[pair] ?? 0
        if isStronger { keysInUse[pair] = rank }
        let key = isStronger ? path.handshake?.pairwiseKey : nil
        beginWatching(path.peer, now)
        return [
            .connected(
                Connection(
                    id: path.id, peer: path.peer, isInitiator: path.isInitiator, publishID: path.publishID,
                    local: path.localNDI, remote: peerNDI, suite: path.handshake?.suite, isFirstOnPair: isFirstOnPair,
                    key: key, groupKeys: path.handshake?.groupKeys ?? [], elements: link.elements,
                    schedule: PeerRadioSchedule(
                        link.schedule, link.capability, local: schedule, includesConditional: true),
                    localIdentifier: path.localIdentifier, remoteIdentifier: path.peerIdentifier,
                    serviceInfo: path.peerServiceInfo))
        ]
    }

    // MARK: Ending

    /// Tells the peer, and the owner once the peer has been told.
    mutating func terminate(
        _ index: Int, _ cause: Ending.Cause, _ reason: ReasonCode, _ now: MonotonicInstant
    ) -> [Effect] {
        let path = paths[index]
        if case .ending = path.state { return [] }
        // Nothing has been said to a peer whose request still waits for an answer but that it was heard.
        if path.state == .requested, cause == .terminatedHere { return reject(index, reason, now) }
        let wasConnected = path.state == .connected
        let attribute = ndp(path, .terminate, .rejected, reason: reason, isTokenZero: wasConnected)
        let body = body(
            .dataPathTermination, isProtected: path.isProtected || isUnderDataKeys(path), attribute,
            Parts(availability: schedule.availability))
        paths[index].state = .ending(cause, reason, wasConnected: wasConnected)
        paths[index].deadline = now.advanced(by: configuration.stepTimeout)
        return send(body, index, interval: nil)
    }

    /// The peer is not paired, and the keys between the data addresses protect what is said to it (reference 1.7).
    func isUnderDataKeys(_ path: DataPath) -> Bool {
        guard !path.isProtected, path.state == .connected, path.handshake != nil, let peerNDI = path.peerNDI
        else { return false }
        return keysInUse[NDIPair(local: path.localNDI, peer: peerNDI)] ?? 0 > 0
    }

    /// The path is gone, and with the last one of a peer its link.
    mutating func end(_ index: Int, _ cause: Ending.Cause, _ reason: ReasonCode) -> [Effect] {
        let path = paths.remove(at: index)
        let wasConnected: Bool
        if case .ending(_, _, let before) = path.state {
            wasConnected = before
        } else {
            wasConnected = path.state == .connected
        }
        if wasConnected, !path.isInitiator, path.handshake != nil {
            finishedRequests.append(path.request)
            if finishedRequests.count > Self.maximumFinishedRequests { finishedRequests.removeFirst() }
        }
        let isLastWithPeer = !paths.contains { $0.peer == path.peer }
        var isLastOnPair = false
        if wasConnected, let peerNDI = path.peerNDI {
            let pair = NDIPair(local: path.localNDI, peer: peerNDI)
            isLastOnPair = !paths.contains { other in
                other.localNDI == path.localNDI && other.peerNDI == peerNDI && other.isEstablished
            }
            if isLastOnPair { keysInUse[pair] = nil }
        }
        // A link that nothing uses any more is negotiated anew.
        if isLastWithPeer { links[path.peer] = nil }
        return [
            .ended(
                Ending(
                    id: path.id, peer: path.peer, cause: cause, reason: reason, wasConnected: wasConnected,
                    local: path.localNDI, remote: path.peerNDI, isLastOnPair: isLastOnPair,
                    isLastWithPeer: isLastWithPeer))
        ]
    }

    mutating func endAll(_ cause: Ending.Cause, where condition: (DataPath) -> Bool) -> [Effect] {
        paths.filter(condition).map(\.id).flatMap { id -> [Effect] in
            guard let index = index(of: id) else { return [] }
            if case .ending(let earlier, let reason, _) = paths[index].state { return end(index, earlier, reason) }
            return end(index, cause, .unspecified)
        }
    }

    private mutating func terminateAll(
        of peer: NMI, _ cause: Ending.Cause, _ reason: ReasonCode, _ now: MonotonicInstant
    ) -> [Effect] {
        paths.filter { $0.peer == peer && $0.isEstablished }.map(\.id).flatMap { id in
            index(of: id).map { terminate($0, cause, reason, now) } ?? []
        }
    }

    /// A peer's later schedule: what is left in common decides (reference 5.6.5).
    mutating func changed(
        _ schedule: DeviceSchedule, of peer: NMI, _ isProtected: Bool, _ now: MonotonicInstant
    ) -> [Effect] {
        guard links[peer] != nil else { return [] }
        let isMeeting = !self.schedule.commonSlots(with: schedule).isEmpty
        // Anybody can send this in clear: it must not end what keys protect.
        guard isProtected || isMeeting || !paths.contains(where: { $0.peer == peer && $0.handshake != nil }) else {
            return [.dropped(key: "NDL/clear schedule")]
        }
        links[peer]?.schedule = schedule
        guard !isMeeting else { return [] }
        return terminateAll(of: peer, .noCommonSlots, .invalidAvailability, now)
    }
}

extension DataPath {
    /// Data flows, or did until a termination that is on its way.
    var isEstablished: Bool {
        switch state {
        case .connected: true
        case .ending(_, _, let wasConnected): wasConnected
        case .requested, .responded, .installing, .requesting, .choosing, .confirming: false
        }
    }
}

extension DataPathHandshake {
    /// ND-TK with its cipher.
    var pairwiseKey: PairwiseKey? {
        keys.map { PairwiseKey(cipher: strength == .bits256 ? .gcmp256 : .ccmp128, key: $0.temporalKey) }
    }
}
