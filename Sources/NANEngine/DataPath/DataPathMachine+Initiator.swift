internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets

extension DataPathMachine {
    mutating func begin(_ request: Request, _ now: MonotonicInstant) -> [Effect] {
        guard let own else { return [.dropped(key: "NDP/no device")] }
        guard paths.count < Self.maximumPaths else { return [refused(request, own.ndi, .resourceLimitation)] }
        let id = DataPathID(initiator: own.ndi, number: nextNumber(own.ndi))
        var path = DataPath(
            id: id, peer: request.peer, isInitiator: true, publishID: request.publishID,
            dialogToken: request.dialogToken, usesExtension: request.usesExtension, localNDI: own.ndi,
            negotiatesLink: links[request.peer] == nil, isConfirmRequired: true, request: [],
            isProtected: request.isProtected, state: .requesting,
            localIdentifier: request.interfaceIdentifier ?? own.interfaceIdentifier)
        path.serviceInfo = request.serviceInfo
        var parts = Parts(availability: schedule.availability, elements: path.negotiatesLink ? own.elements : nil)
        var control: NDP.Control = .confirmRequired
        if let (suite, credential) = request.security {
            guard let strength = SuiteStrength(csid: suite.rawValue) else {
                return [refused(request, own.ndi, .securityPolicy)]
            }
            let handshake = DataPathHandshake(
                suite: suite, strength: strength, credential: credential,
                keyIdentifier: credential.masterKey.identifier(
                    initiator: own.nmi, responder: request.peer, service: credential.service.encoded,
                    strength: strength),
                initiatorNonce: nonceEntropy.octets(32), replayCounter: 1)
            control.insert(.securityPresent)
            parts.security =
                securityContext(path, handshake) + [
                    keyDescriptor(path, handshake, .firstMessage, nonce: handshake.initiatorNonce)
                ]
            path.handshake = handshake
        }
        parts.link = link(path, .request, .continued, ndc: nil)
        let attribute = ndp(
            path, .request, .continued, control: control, publishID: path.publishID,
            serviceInfo: path.serviceInfo, identifier: path.localIdentifier)
        let body = body(.dataPathRequest, isProtected: path.isProtected, attribute, parts)
        if let strength = path.handshake?.strength {
            path.handshake?.token = DataPathKeys.authenticationToken(firstBody: body, strength: strength)
        }
        path.deadline = now.advanced(by: configuration.answerTimeout)
        paths.append(path)
        return send(
            body, paths.count - 1, interval: configuration.requestRepeatInterval,
            first: configuration.firstRepeatInterval)
    }

    /// A request that never became a path; its number is 0, which no path has.
    private func refused(_ request: Request, _ local: NDI, _ reason: ReasonCode) -> Effect {
        .ended(
            Ending(
                id: DataPathID(initiator: local, number: NDPID(0)), peer: request.peer, cause: .rejectedHere,
                reason: reason, wasConnected: false, local: local, remote: nil, isLastOnPair: false,
                isLastWithPeer: !isBusy(with: request.peer)))
    }

    mutating func receivedResponse(_ naf: NAF, _ ndp: NDP, _ body: [UInt8], _ index: Int, _ now: MonotonicInstant)
        -> [Effect]
    {
        if let reply = paths[index].reply(to: body) { return paths[index].isAlive ? resend(reply, index) : [] }
        guard paths[index].state == .requesting, ndp.dialogToken == paths[index].dialogToken else {
            return [.dropped(key: "NDP/unexpected response")]
        }
        guard ndp.control.contains(.securityPresent) == (paths[index].handshake != nil) else {
            return [.dropped(key: "NDP/security differs")]
        }
        if ndp.status == .rejected { return end(index, .rejectedByPeer, ndp.reason) }
        guard let peerNDI = ndp.responderNDI, !peerNDI.address.isMulticast else {
            return [.dropped(key: "NDP/responder NDI")]
        }
        paths[index].peerNDI = peerNDI
        guard verifyResponse(naf, body, index) else {
            paths[index].peerNDI = nil
            paths[index].handshake?.keys = nil
            return [.dropped(key: "NDP/M2 MIC")]
        }
        paths[index].peerIdentifier = ndp.interfaceIdentifier
        paths[index].peerServiceInfo = ndp.serviceInfoPayload
        guard learn(naf.attributes, index) else { return terminate(index, .invalid, .invalidAvailability, now) }
        settle(index)
        guard paths[index].negotiatesLink else { return confirm(body, index, now) }
        guard let ndl = naf.attributes.ndl, ndl.kind == .response, ndl.dialogToken == ndp.dialogToken,
            let proposal = paths[index].proposal, proposal.isConsistent, paths[index].elements != nil
        else { return terminate(index, .invalid, .ndlUnacceptable, now) }
        paths[index].ndc = proposal.ndc
        switch ndl.status {
        case .rejected: return terminate(index, .rejectedByPeer, .ndlUnacceptable, now)
        case .accepted: return confirm(body, index, now)
        case .continued:
            paths[index].state = .choosing
            paths[index].deadline = now.advanced(by: configuration.answerTimeout)
            paths[index].answered = [(body, [])]
            return [.counterProposed(paths[index].id, paths[index].peer, proposal.schedule)]
        }
    }

    /// Derives the keys and checks M2's MIC; true for an open path.
    private mutating func verifyResponse(_ naf: NAF, _ body: [UInt8], _ index: Int) -> Bool {
        guard var handshake = paths[index].handshake, let peerNDI = paths[index].peerNDI,
            let credential = handshake.credential
        else { return paths[index].handshake == nil }
        guard let descriptor = descriptor(naf, paths[index], handshake, requiresMIC: true),
            naf.attributes.cipherSuiteInformation?.onlyPairwise?.suite == handshake.suite
        else { return false }
        guard descriptor.replayCounter >= handshake.replayCounter else { return false }
        handshake.responderNonce = descriptor.nonce
        handshake.peerCapabilities = naf.attributes.cipherSuiteInformation?.capabilities ?? .none
        let keys = DataPathKeys(
            credential.masterKey, initiator: paths[index].localNDI, responder: peerNDI,
            initiatorNonce: handshake.initiatorNonce, responderNonce: descriptor.nonce, strength: handshake.strength)
        guard verifies(body, keys, micLength: handshake.suite.micLength) else { return false }
        handshake.keys = keys
        paths[index].handshake = handshake
        return true
    }

    mutating func adopt(_ id: DataPathID, _ schedule: LocalSchedule, _ now: MonotonicInstant) -> [Effect] {
        self.schedule = schedule
        guard let index = index(of: id), paths[index].state == .choosing, let answered = paths[index].answered.first
        else { return [.dropped(key: "NDP/unknown")] }
        guard let peer = paths[index].proposal?.schedule, !schedule.commonSlots(with: peer).isEmpty else {
            return terminate(index, .noCommonSlots, .ndlUnacceptable, now)
        }
        paths[index].answered = []
        return confirm(answered.received, index, now, isCounter: true)
    }

    /// Sends M3, the answer to `received`.
    private mutating func confirm(_ received: [UInt8], _ index: Int, _ now: MonotonicInstant, isCounter: Bool = false)
        -> [Effect]
    {
        var path = paths[index]
        var parts = Parts(availability: schedule.availability)
        if isCounter { parts.link = link(path, .confirm, .accepted, ndc: path.ndc.map(relocated)) }
        let isSecure = path.handshake != nil
        let attribute = ndp(
            path, .confirm, isSecure ? .continued : .accepted, control: isSecure ? .securityPresent : [],
            identifier: path.localIdentifier)
        var body: [UInt8]
        if var handshake = path.handshake, let keys = handshake.keys {
            handshake.replayCounter += 1
            path.handshake = handshake
            parts.security = [
                keyDescriptor(
                    path, handshake, .thirdMessage, nonce: handshake.initiatorNonce,
                    keyData: ownKeyData(handshake, keys))
            ]
            body = signed(
                self.body(.dataPathConfirm, isProtected: path.isProtected, attribute, parts), keys,
                micLength: handshake.suite.micLength, token: handshake.token)
        } else {
            body = self.body(.dataPathConfirm, isProtected: path.isProtected, attribute, parts)
        }
        path.state = .confirming
        path.deadline = now.advanced(by: configuration.stepTimeout)
        path.answered.append((received, body))
        paths[index] = path
        return send(body, index, interval: isSecure ? configuration.repeatInterval : nil)
    }

    /// The responder's NDC on our map, whatever its own was called.
    private func relocated(_ ndc: NDC) -> NDC {
        NDC(
            ndcID: ndc.ndcID, isSelected: true,
            ndc.entries.map { ScheduleEntry(mapID: schedule.mapID, $0.timeBitmap) })
    }

    mutating func receivedInstallment(_ naf: NAF, _ ndp: NDP, _ body: [UInt8], _ index: Int, _ now: MonotonicInstant)
        -> [Effect]
    {
        guard paths[index].state == .confirming, var handshake = paths[index].handshake, let keys = handshake.keys,
            paths[index].isInitiator
        else { return [.dropped(key: "NDP/unexpected installment")] }
        guard let descriptor = descriptor(naf, paths[index], handshake, requiresMIC: true),
            descriptor.replayCounter >= handshake.replayCounter, descriptor.nonce == handshake.responderNonce,
            verifies(body, keys, micLength: handshake.suite.micLength)
        else { return [.dropped(key: "NDP/M4 MIC")] }
        guard ndp.status != .rejected else { return end(index, .rejectedByPeer, ndp.reason) }
        guard let groupKeys = groupKeys(descriptor, handshake, keys) else {
            return terminate(index, .invalid, .invalidParameters, now)
        }
        handshake.groupKeys = groupKeys
        paths[index].handshake = handshake
        guard learn(naf.attributes, index) else { return terminate(index, .invalid, .invalidAvailability, now) }
        return connect(index, now)
    }
}
