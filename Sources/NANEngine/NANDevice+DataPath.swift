internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

extension NANDevice {
    mutating func requestDataPath(_ peer: ServicePeer, _ offer: DataPathOffer) -> [Effect] {
        guard let known = peers[peer.nmi], let session = known.session,
            let credential = credential(session, peer.instance)
        else {
            let id = DataPathID(initiator: own.ndi, number: NDPID(0))
            return [.report(.dataPathEnded(id, peer.nmi, DataPathEnd(cause: .rejectedHere, reason: .securityPolicy)))]
        }
        return approach(peer.nmi)
            + connect(
                .request(
                    DataPathMachine.Request(
                        peer: peer.nmi, publishID: peer.peerInstance, dialogToken: nextToken(),
                        security: (offer.cipherSuite ?? session.suite, credential),
                        usesExtension: known.capability?.capabilities.contains(.ndpeSupported) ?? true,
                        isProtected: known.isPaired, serviceInfo: offer.serviceInfo,
                        interfaceIdentifier: configuration.interfaceIdentifier)))
    }

    mutating func answerDataPath(_ id: DataPathID, _ answer: DataPathAnswer) -> [Effect] {
        guard let request = requests.removeValue(forKey: id) else { return [] }
        switch answer {
        case .reject(let reason): return connect(.answer(id, .reject(reason)))
        case .accept(let info):
            let session = peers[request.peer]?.session
            let acceptance = DataPathMachine.Acceptance(
                credential: session.flatMap { credential($0, request.publishID) }, serviceInfo: info,
                interfaceIdentifier: configuration.interfaceIdentifier)
            let moves = goWhere(id, request.peer) + approach(request.peer, for: id)
            return moves + connect(.answer(id, .accept(acceptance)))
        }
    }

    /// Changes our schedule where that lets us accept what a peer proposes, in place of a counter-proposal.
    ///
    /// Another peer's data path must not lose its slots by it.
    private mutating func goWhere(_ id: DataPathID, _ peer: NMI) -> [Effect] {
        guard let proposal = dataPaths.proposal(of: id), case .counter = schedule.judge(proposal),
            let meeting = schedule.meeting(proposal.schedule), meeting.judge(proposal) == .accepted,
            keepsOthers(meeting, but: peer)
        else { return [] }
        return move(to: meeting)
    }

    private func keepsOthers(_ schedule: LocalSchedule, but peer: NMI) -> Bool {
        links.values.allSatisfy { link in
            link.peer == peer || !schedule.commonSlots(with: peers[link.peer]?.schedule).isEmpty
        }
    }

    /// Meets a peer in more slots than now, where every slot counts and nobody else has any: in slots that the two keep on
    /// different channels what is sent waits, and what is sent to everybody is lost.
    private mutating func approach(_ peer: NMI, for id: DataPathID? = nil) -> [Effect] {
        let proposal = id.flatMap { dataPaths.proposal(of: $0) }
        guard schedule.qos != nil, links.isEmpty, dataPaths.paths.allSatisfy({ $0.peer == peer }),
            let theirs = proposal?.schedule ?? peers[peer]?.schedule,
            let meeting = schedule.meeting(theirs),
            schedule.commonSlots(with: theirs).count < meeting.commonSlots(with: theirs).count,
            proposal.map({ meeting.judge($0) == .accepted }) ?? true
        else { return [] }
        return move(to: meeting)
    }

    private mutating func move(to schedule: LocalSchedule) -> [Effect] {
        use(schedule) + [.radio(.setLocalSchedule(schedule.radio))] + reinstallSchedules()
    }

    mutating func terminateDataPath(_ id: DataPathID) -> [Effect] { connect(.terminate(id, .unspecified)) }

    /// Hands the event to the data path machine and carries out what it says.
    mutating func connect(_ event: DataPathMachine.Event) -> [Effect] {
        var effects = dataPaths.handle(event, now: latest).flatMap { take($0) }
        if timers.deadline(of: .stop) != nil, dataPaths.paths.isEmpty {
            timers.stop(.stop)  // every peer has been told: nothing keeps the radio
            effects.append(.radio(.stop))
        }
        return effects
    }

    mutating func linkOpened(_ peer: DataPeer, _ local: IPAddress, _ remote: IPAddress) -> [Effect] {
        var effects: [Effect] = []
        // Another path between the same addresses opens their link again.
        for (id, connection) in links where connection.dataPeer == peer && openLinks.insert(id).inserted {
            effects.append(
                .report(
                    .dataPathConnected(
                        DataPathLink(
                            id: id, peer: connection.peer, instance: connection.publishID,
                            pairing: peers[connection.peer]?.session?.pairing, local: local, remote: remote,
                            serviceInfo: connection.serviceInfo))))
        }
        return effects
    }

    private mutating func take(_ effect: DataPathMachine.Effect) -> [Effect] {
        switch effect {
        case .transmit(let frame):
            guard let cluster else { return [] }
            if let route = frame.dataRoute { return [transmit(frame, on: route, cluster)] }
            return [transmit(frame.body, to: frame.peer.address, .action, cluster, .dataPath(frame.token))]
        case .requested(let request): return requested(request)
        case .counterProposed(let id, let peer, let theirs):
            // The responder cannot meet us where we are; we go where it is, if we can.
            guard let meeting = schedule.meeting(theirs), keepsOthers(meeting, but: peer) else {
                return connect(.terminate(id, .invalidAvailability))
            }
            return move(to: meeting) + connect(.adopt(id, meeting))
        case .connected(let connection): return connected(connection)
        case .ended(let ending): return ended(ending)
        case .queryInactivity(let local, let peer):
            return [.radio(.queryInactivity(DataPeer(interface: local, peer: peer)))]
        case .dropped(let key): return drop(key)
        }
    }

    private mutating func requested(_ request: DataPathMachine.RequestInfo) -> [Effect] {
        guard discovery.publishes(request.publishID) else { return connect(.answer(request.id, .ignore)) }
        requests[request.id] = request
        return [
            .report(
                .dataPathRequested(
                    DataPathRequest(
                        id: request.id, peer: request.peer, instance: request.publishID,
                        pairing: peers[request.peer]?.session?.pairing,
                        isSecure: request.suite != nil && request.isProtected, serviceInfo: request.serviceInfo)))
        ]
    }

    /// The radio's commands in the order that the kernel demands (reference 6.12.2).
    private mutating func connected(_ connection: DataPathMachine.Connection) -> [Effect] {
        let nmi = connection.peer
        guard let capabilities = StationCapabilities(connection.elements) else {
            return connect(.linkFailed(connection.remote))
        }
        var effects = ensureStation(nmi)
        // What both have agreed on is later than anything that was heard before.
        let agreed = dataPaths.links[nmi]?.schedule
        peers.change(nmi) { $0.schedule = agreed ?? $0.schedule }
        if peers[nmi]?.installedSchedule != connection.schedule {
            peers.change(nmi) { $0.installedSchedule = connection.schedule }
            effects.append(.radio(.setPeerSchedule(nmi, connection.schedule)))
        }
        if let station = peers[nmi]?.station, station < .authorized {
            peers.change(nmi) { $0.station = .authorized }
            effects.append(.radio(.authorizePeer(nmi, capabilities)))
        }
        let peer = connection.dataPeer
        if connection.isFirstOnPair {
            effects.append(.radio(.addDataPeer(peer, of: nmi, isProtected: connection.suite != nil)))
        }
        if let key = connection.key { effects.append(.radio(.installDataKey(peer, key))) }
        for key in connection.groupKeys {
            switch key.kind {
            case .gtk: effects.append(.radio(.installDataGroupKey(peer, key)))
            case .igtk: effects.append(.radio(.installPeerGroupKey(nmi, key)))
            case .bigtk: break  // beacons are the kernel's, which protects none of its own
            }
        }
        if connection.isFirstOnPair { effects.append(.radio(.authorizeDataPeer(peer))) }
        links[connection.id] = connection
        effects.append(
            .radio(
                .openDataLink(
                    peer, interfaceIdentifier: connection.localIdentifier.encoded,
                    peerIdentifier: connection.remoteIdentifier?.encoded)))
        return effects
    }

    private mutating func ended(_ ending: DataPathMachine.Ending) -> [Effect] {
        requests[ending.id] = nil
        var effects: [Effect] = []
        openLinks.remove(ending.id)
        if let link = links.removeValue(forKey: ending.id), ending.isLastOnPair {
            effects.append(.radio(.removeDataPeer(link.dataPeer)))
        }
        // With the last data path the pairing's keys go on both sides; the next one begins with a verification.
        if ending.isLastWithPeer, ending.wasConnected { effects += removeStation(ending.peer) }
        let end = DataPathEnd(cause: ending.cause, reason: ending.reason)
        return effects + [.report(.dataPathEnded(ending.id, ending.peer, end))]
    }

    private func credential(_ session: Peer.Session, _ instance: InstanceID) -> DataPathMachine.Credential? {
        discovery.serviceID(of: instance).map { service in
            DataPathMachine.Credential(
                session.ndPMK, service: service, isOpportunistic: session.akm == .opportunistic)
        }
    }

    /// After a change of our own schedule: peers' slots on channels we left are gone (reference 6.11).
    private mutating func reinstallSchedules() -> [Effect] {
        peers.all.flatMap { peer -> [Effect] in
            peers.change(peer.nmi) { $0.installedSchedule = nil }
            return installSchedule(of: peer.nmi)
        }
    }

    private mutating func transmit(
        _ frame: DataPathMachine.Frame, on route: DataPeer, _ cluster: ClusterID
    ) -> Effect {
        var writer = ByteWriter()
        ManagementHeader(
            .action, destination: route.peer.address, source: route.interface.address, bssid: cluster.address
        ).encode(into: &writer)
        writer.octets(frame.body)
        return .radio(
            .transmit(
                Transmission(
                    id: transmissions.begin(.dataPath(frame.token)), interface: .data(route.interface),
                    frame: writer.bytes)))
    }
}

extension DataPathMachine.Connection {
    var dataPeer: DataPeer { DataPeer(interface: local, peer: remote) }
}
