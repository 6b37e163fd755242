internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

extension DataPathMachine {
    /// Finds the path a frame belongs to and hands it on.
    mutating func received(
        _ naf: NAF, _ body: [UInt8], from sender: NMI, _ isProtected: Bool, _ now: MonotonicInstant
    ) -> [Effect] {
        guard let ndp = naf.attributes.ndp else { return [.dropped(key: "NDP/missing")] }
        if naf.subtype == .dataPathRequest {
            guard ndp.kind == .request else { return [.dropped(key: "NDP/type")] }
            return receivedRequest(naf, ndp, body, from: sender, isProtected, now)
        }
        let id = DataPathID(initiator: ndp.initiatorNDI, number: ndp.ndpID)
        // A frame that came through the data interface has the peer's data address for its source.
        guard let index = index(of: id),
            paths[index].peer == sender || paths[index].peerNDI?.address == sender.address
        else { return [.dropped(key: "NDP/unknown")] }
        guard isProtected || !paths[index].isProtected else { return [.dropped(key: "NDP/clear")] }
        links[paths[index].peer]?.hear(now)
        switch (naf.subtype, ndp.kind) {
        case (.dataPathResponse, .response) where paths[index].isInitiator:
            return receivedResponse(naf, ndp, body, index, now)
        case (.dataPathConfirm, .confirm) where !paths[index].isInitiator:
            return receivedConfirm(naf, ndp, body, index, now)
        case (.dataPathKeyInstallment, .securityInstall) where paths[index].isInitiator:
            return receivedInstallment(naf, ndp, body, index, now)
        case (.dataPathTermination, .terminate): return receivedTermination(ndp, index, isProtected)
        default: return [.dropped(key: "NDP/type")]
        }
    }

    private mutating func receivedTermination(_ ndp: NDP, _ index: Int, _ isProtected: Bool) -> [Effect] {
        let path = paths[index]
        // A secure path that works is ended under its keys, or not at all.
        guard isProtected || path.handshake == nil || path.state != .connected else {
            return [.dropped(key: "NDP/clear")]
        }
        if case .ending(let cause, let reason, _) = path.state { return end(index, cause, reason) }
        return end(index, .terminatedByPeer, ndp.reason)
    }

    /// Takes up what a frame says of its sender's radio; false when its availability is not to be believed.
    mutating func learn(_ attributes: AttributeList, _ index: Int) -> Bool {
        if let capability = attributes.deviceCapabilities.last { paths[index].peerCapability = capability }
        if let container = attributes.elementContainers.first(where: { $0.elements.htCapabilities != nil }) {
            paths[index].elements = container
        }
        do throws(AvailabilityFault) {
            guard let schedule = try DeviceSchedule(attributes.availability) else { return true }
            paths[index].proposal = LinkProposal(
                schedule: schedule, ndc: attributes.ndcs.first { $0.isSelected && !$0.entries.isEmpty },
                immutable: attributes.ndl?.immutableSchedule ?? [], qos: attributes.ndlQoS)
            return true
        } catch {
            return false
        }
    }

    /// The key descriptor of a frame, when it has the form that data paths use (reference 5.5).
    ///
    /// Which of install, acknowledge and secure are set differs between implementations: what verifies is accepted.
    func descriptor(
        _ naf: NAF, _ path: DataPath, _ handshake: DataPathHandshake, requiresMIC: Bool
    ) -> KeyDescriptor? {
        guard let attribute = try? naf.attributes.sharedKeyDescriptor?.decoded(micLength: handshake.suite.micLength),
            attribute.publishID == .none || attribute.publishID == path.publishID
        else { return nil }
        let descriptor = attribute.descriptor
        let information = descriptor.information
        guard descriptor.type == KeyDescriptor.rsn, information.version == 0, information.contains(.pairwise),
            !information.contains(.request), information.contains(.mic) == requiresMIC
        else { return nil }
        return descriptor
    }

    /// The peer's group keys in M3 or M4: none when it sent none or said it has none; nil when they are no good.
    func groupKeys(
        _ descriptor: KeyDescriptor, _ handshake: DataPathHandshake, _ keys: DataPathKeys
    ) -> [GroupKey]? {
        guard descriptor.information.contains(.encryptedKeyData), !descriptor.keyData.isEmpty,
            handshake.peerCapabilities.groupKeySupport != .none
        else { return [] }
        guard let data = try? KeyData(unwrapping: descriptor.keyData, with: keys.keyEncryptionKey) else { return nil }
        return GroupKey.all(in: data, rsc: descriptor.rsc)
    }

    // MARK: Sending

    /// Sends a frame of the path, and again until it is acknowledged and, with an interval, answered.
    ///
    /// - Parameter first: the pause before the first repeat, each later one being twice as long, up to the interval.
    mutating func send(_ body: [UInt8], _ index: Int, interval: Duration?, first: Duration? = nil) -> [Effect] {
        let token = nextToken()
        paths[index].outgoing = DataPath.Outgoing(
            body: body, token: token, triesLeft: configuration.maximumTries - 1, interval: interval,
            pause: first ?? interval)
        return [.transmit(frame(body, paths[index], token))]
    }

    /// Sends once more what a repeated frame was answered with; when it is what is being sent, in its stead.
    mutating func resend(_ body: [UInt8], _ index: Int) -> [Effect] {
        guard !body.isEmpty else { return [] }
        let token = nextToken()
        if paths[index].outgoing?.body == body { paths[index].outgoing?.token = token }
        return [.transmit(frame(body, paths[index], token))]
    }

    /// The frame being sent has been answered.
    mutating func settle(_ index: Int) { paths[index].outgoing = nil }

    func frame(_ body: [UInt8], _ path: DataPath, _ token: UInt64) -> Frame {
        var route: DataPeer?
        // Not paired, but with keys between the data addresses: only those protect the frame (reference 1.7).
        if !path.isProtected, body[0] == ActionCategory.protectedDual.rawValue, let peerNDI = path.peerNDI {
            route = DataPeer(interface: path.localNDI, peer: peerNDI)
        }
        return Frame(body: body, peer: path.peer, dataRoute: route, token: token)
    }

    mutating func transmitted(_ token: UInt64, _ acknowledged: Bool, _ now: MonotonicInstant) -> [Effect] {
        guard let index = paths.firstIndex(where: { $0.outgoing?.token == token }), var outgoing = paths[index].outgoing
        else {
            probed(token, acknowledged, now)
            return []
        }
        if acknowledged { links[paths[index].peer]?.hear(now) }
        guard acknowledged else {
            outgoing.repeatAt = outgoing.triesLeft > 0 ? now.advanced(by: configuration.retryPause) : nil
            paths[index].outgoing = outgoing
            return []
        }
        outgoing.repeatAt = outgoing.triesLeft > 0 ? outgoing.pause.map { now.advanced(by: $0) } : nil
        if let pause = outgoing.pause, let most = outgoing.interval { outgoing.pause = min(pause * 2, most) }
        paths[index].outgoing = outgoing.interval == nil ? nil : outgoing
        let path = paths[index]
        switch path.state {
        case .installing: return connect(index, now)
        case .confirming where path.handshake == nil: return connect(index, now)
        case .responded(isCounter: false) where path.handshake == nil && !path.isConfirmRequired:
            return connect(index, now)
        case .ending(let cause, let reason, _): return end(index, cause, reason)
        case .requested, .responded, .requesting, .choosing, .confirming, .connected: return []
        }
    }

    // MARK: Time

    mutating func expire(_ now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        for id in paths.map(\.id) {
            guard let index = index(of: id) else { continue }
            if let deadline = paths[index].deadline, deadline <= now {
                if case .ending(let cause, let reason, _) = paths[index].state {
                    effects += end(index, cause, reason)
                } else {
                    effects += terminate(index, .timedOut, .unspecified, now)
                }
            } else if let outgoing = paths[index].outgoing, let repeatAt = outgoing.repeatAt, repeatAt <= now {
                let token = nextToken()
                paths[index].outgoing?.token = token
                paths[index].outgoing?.triesLeft -= 1
                paths[index].outgoing?.repeatAt = nil
                effects.append(.transmit(frame(outgoing.body, paths[index], token)))
            }
        }
        return effects + watch(now)
    }
}

extension MACAddress {
    /// The group bit of the first octet, or nothing at all: no data frame comes from there.
    var isMulticast: Bool { bits & 0x0100_0000_0000 != 0 || bits == 0 }
}
