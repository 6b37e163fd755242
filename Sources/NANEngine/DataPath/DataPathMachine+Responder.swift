internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets

extension DataPathMachine {
    mutating func receivedRequest(
        _ naf: NAF, _ ndp: NDP, _ body: [UInt8], from peer: NMI, _ isProtected: Bool, _ now: MonotonicInstant
    ) -> [Effect] {
        guard let own else { return [.dropped(key: "NDP/no device")] }
        guard ndp.status == .continued, ndp.ndpID.rawValue != 0, !ndp.initiatorNDI.address.isMulticast,
            ndp.initiatorNDI != own.ndi, let publishID = ndp.publishID
        else { return [.dropped(key: "NDP/malformed request")] }
        let id = DataPathID(initiator: ndp.initiatorNDI, number: ndp.ndpID)
        var effects: [Effect] = []
        if let index = index(of: id) {
            guard paths[index].peer == peer, !paths[index].isInitiator else { return [.dropped(key: "NDP/ID in use")] }
            if paths[index].request == body {
                return paths[index].reply(to: body).map { paths[index].isAlive ? resend($0, index) : [] } ?? []
            }
            // Anybody can send this in clear: it must not end what keys protect.
            guard isProtected || paths[index].handshake == nil || paths[index].isInSetup else {
                return [.dropped(key: "NDP/clear request")]
            }
            effects += end(index, .replaced, .unspecified)
        }
        guard !finishedRequests.contains(body) else { return [.dropped(key: "NDP/late request")] }
        // A station of the radio stands for one device: nobody gets another's address, nor its keys.
        guard !paths.contains(where: { $0.peerNDI == ndp.initiatorNDI && $0.peer != peer && $0.isEstablished }) else {
            return effects + [.dropped(key: "NDP/address in use")]
        }
        // One setup at a time with a peer: a new request says that it has given the last one up.
        for old in paths where old.peer == peer && !old.isInitiator && old.isInSetup {
            if let index = index(of: old.id) { effects += end(index, .replaced, .unspecified) }
        }
        var path = DataPath(
            id: id, peer: peer, isInitiator: false, publishID: publishID, dialogToken: ndp.dialogToken,
            usesExtension: ndp.attributeID == .ndpExtension, localNDI: own.ndi,
            negotiatesLink: links[peer] == nil || naf.attributes.ndl != nil,
            isConfirmRequired: ndp.control.contains(.confirmRequired), request: body, isProtected: isProtected,
            state: .requested, peerNDI: ndp.initiatorNDI, localIdentifier: own.interfaceIdentifier)
        let waiting = paths.filter { $0.state == .requested }.count
        guard paths.count < Self.maximumPaths, waiting < Self.maximumRequests else {
            return effects + refuse(path, isSecure: ndp.control.contains(.securityPresent), naf, .resourceLimitation)
        }
        if ndp.control.contains(.securityPresent) {
            guard let handshake = handshake(naf, path) else {
                return effects + refuse(path, isSecure: true, naf, .invalidParameters)
            }
            guard configuration.suites.contains(handshake.suite) else {
                return effects + refuse(path, isSecure: true, naf, .securityPolicy)
            }
            path.handshake = handshake
        }
        path.peerIdentifier = ndp.interfaceIdentifier
        path.peerServiceInfo = ndp.serviceInfoPayload
        path.deadline = now.advanced(by: configuration.answerTimeout)
        paths.append(path)
        let index = paths.count - 1
        guard learn(naf.attributes, index), isAcceptableLink(naf, index) else {
            return effects + reject(index, .ndlUnacceptable, linkReason: .ndlUnacceptable, now)
        }
        return effects + [
            .requested(
                RequestInfo(
                    id: id, peer: peer, publishID: publishID, suite: path.handshake?.suite,
                    keyIdentifier: path.handshake?.keyIdentifier, isProtected: isProtected,
                    serviceInfo: path.peerServiceInfo))
        ]
    }

    private func isAcceptableLink(_ naf: NAF, _ index: Int) -> Bool {
        let path = paths[index]
        guard path.negotiatesLink else { return true }
        guard let ndl = naf.attributes.ndl, ndl.kind == .request, ndl.status == .continued,
            let proposal = path.proposal, path.elements != nil
        else { return false }
        return proposal.isConsistent
    }

    /// What M1's attributes set out, or nil when they contradict themselves.
    private func handshake(_ naf: NAF, _ path: DataPath) -> DataPathHandshake? {
        guard let suites = naf.attributes.cipherSuiteInformation, let entry = suites.onlyPairwise,
            suites.entries.allSatisfy({ $0.publishID == path.publishID }),
            let context = naf.attributes.securityContextInformation?.entries.first, let identifier = context.pmkid
        else { return nil }
        // A suite that we have no keys for is refused by policy and not for its form.
        let strength = SuiteStrength(csid: entry.suite.rawValue) ?? .bits128
        var handshake = DataPathHandshake(
            suite: entry.suite, strength: strength, keyIdentifier: identifier, initiatorNonce: [], replayCounter: 0)
        guard let descriptor = descriptor(naf, path, handshake, requiresMIC: false) else { return nil }
        handshake = DataPathHandshake(
            suite: entry.suite, strength: strength, keyIdentifier: identifier, initiatorNonce: descriptor.nonce,
            replayCounter: descriptor.replayCounter)
        handshake.token = DataPathKeys.authenticationToken(firstBody: path.request, strength: strength)
        handshake.peerCapabilities = suites.capabilities
        return handshake
    }

    mutating func answer(_ id: DataPathID, _ answer: Answer, _ now: MonotonicInstant) -> [Effect] {
        guard let index = index(of: id), paths[index].state == .requested else { return [.dropped(key: "NDP/unknown")] }
        switch answer {
        case .ignore:
            paths.remove(at: index)
            return []
        case .reject(let reason): return reject(index, reason, now)
        case .accept(let acceptance): return accept(index, acceptance, now)
        }
    }

    private mutating func accept(_ index: Int, _ acceptance: Acceptance, _ now: MonotonicInstant) -> [Effect] {
        guard let own else { return reject(index, .unspecified, now) }
        var path = paths[index]
        guard (path.handshake == nil) == (acceptance.credential == nil) else {
            return reject(index, .securityPolicy, now)
        }
        if let handshake = path.handshake, let credential = acceptance.credential {
            let identifier = credential.masterKey.identifier(
                initiator: path.peer, responder: own.nmi, service: credential.service.encoded,
                strength: handshake.strength)
            guard identifier == handshake.keyIdentifier else { return reject(index, .invalidParameters, now) }
        }
        var isCounter = false
        if path.negotiatesLink, let proposal = path.proposal {
            switch schedule.judge(proposal) {
            case .accepted: break
            case .counter: isCounter = true
            case .rejected(let reason): return reject(index, .ndlUnacceptable, linkReason: reason, now)
            }
            if let entry = schedule.ndcEntry {
                path.ndc = NDC(ndcID: MACAddress(bits: Self.number(ndcEntropy.octets(6))), [entry])
            }
        }
        path.serviceInfo = acceptance.serviceInfo
        if let identifier = acceptance.interfaceIdentifier { path.localIdentifier = identifier }
        path.handshake?.credential = acceptance.credential
        let body = respond(&path, isCounter: isCounter)
        path.state = .responded(isCounter: isCounter)
        path.deadline = now.advanced(by: isCounter ? configuration.answerTimeout : configuration.stepTimeout)
        path.answered = [(path.request, body)]
        paths[index] = path
        let isConfirmed = path.handshake != nil || path.isConfirmRequired || isCounter
        let interval = isCounter ? configuration.requestRepeatInterval : configuration.repeatInterval
        return send(body, index, interval: isConfirmed ? interval : nil)
    }

    /// M2.
    private mutating func respond(_ path: inout DataPath, isCounter: Bool) -> [UInt8] {
        var parts = Parts(
            availability: schedule.availability,
            link: link(path, .response, isCounter ? .continued : .accepted, ndc: path.ndc),
            elements: path.negotiatesLink ? own?.elements : nil)
        var control: NDP.Control = []
        if path.handshake != nil { control.insert(.securityPresent) }
        let isFinal = path.handshake == nil && !path.isConfirmRequired && !isCounter
        let attribute = ndp(
            path, .response, isFinal ? .accepted : .continued, control: control, responderNDI: path.localNDI,
            serviceInfo: path.serviceInfo, identifier: path.localIdentifier)
        guard var handshake = path.handshake, let credential = handshake.credential, let peerNDI = path.peerNDI else {
            return body(.dataPathResponse, isProtected: path.isProtected, attribute, parts)
        }
        handshake.responderNonce = nonceEntropy.octets(32)
        let keys = DataPathKeys(
            credential.masterKey, initiator: peerNDI, responder: path.localNDI,
            initiatorNonce: handshake.initiatorNonce, responderNonce: handshake.responderNonce,
            strength: handshake.strength)
        handshake.keys = keys
        parts.security =
            securityContext(path, handshake) + [
                keyDescriptor(path, handshake, .secondMessage, nonce: handshake.responderNonce)
            ]
        path.handshake = handshake
        return signed(
            body(.dataPathResponse, isProtected: path.isProtected, attribute, parts), keys,
            micLength: handshake.suite.micLength)
    }

    mutating func receivedConfirm(_ naf: NAF, _ ndp: NDP, _ body: [UInt8], _ index: Int, _ now: MonotonicInstant)
        -> [Effect]
    {
        if let reply = paths[index].reply(to: body) { return paths[index].isAlive ? resend(reply, index) : [] }
        guard case .responded(let isCounter) = paths[index].state, ndp.dialogToken == paths[index].dialogToken else {
            return [.dropped(key: "NDP/unexpected confirm")]
        }
        guard ndp.control.contains(.securityPresent) == (paths[index].handshake != nil) else {
            return [.dropped(key: "NDP/security differs")]
        }
        if let handshake = paths[index].handshake {
            guard let keys = handshake.keys,
                let descriptor = descriptor(naf, paths[index], handshake, requiresMIC: true),
                descriptor.replayCounter >= handshake.replayCounter, descriptor.nonce == handshake.initiatorNonce,
                verifies(body, keys, micLength: handshake.suite.micLength, token: handshake.token)
            else { return [.dropped(key: "NDP/M3 MIC")] }
            guard let groupKeys = groupKeys(descriptor, handshake, keys) else {
                return terminate(index, .invalid, .invalidParameters, now)
            }
            paths[index].handshake?.replayCounter = descriptor.replayCounter
            paths[index].handshake?.groupKeys = groupKeys
        }
        if ndp.status == .rejected { return end(index, .rejectedByPeer, ndp.reason) }
        guard learn(naf.attributes, index) else { return terminate(index, .invalid, .invalidAvailability, now) }
        if isCounter {
            guard let ndl = naf.attributes.ndl, ndl.kind == .confirm, ndl.status == .accepted,
                let proposal = paths[index].proposal, proposal.isConsistent,
                !schedule.commonSlots(with: proposal.schedule).isEmpty
            else { return terminate(index, .noCommonSlots, .ndlUnacceptable, now) }
        }
        settle(index)
        guard let handshake = paths[index].handshake, let keys = handshake.keys else { return connect(index, now) }
        let path = paths[index]
        let parts = Parts(
            security: [
                keyDescriptor(
                    path, handshake, .fourthMessage, nonce: handshake.responderNonce,
                    keyData: ownKeyData(handshake, keys))
            ], availability: schedule.availability)
        let attribute = self.ndp(
            path, .securityInstall, .accepted, control: .securityPresent, identifier: path.localIdentifier)
        let install = signed(
            self.body(.dataPathKeyInstallment, isProtected: path.isProtected, attribute, parts), keys,
            micLength: handshake.suite.micLength)
        paths[index].state = .installing
        paths[index].deadline = now.advanced(by: configuration.stepTimeout)
        paths[index].answered.append((body, install))
        return send(install, index, interval: nil)
    }

    /// M2 that refuses; the path is kept until the frame's status has come.
    mutating func reject(
        _ index: Int, _ reason: ReasonCode, linkReason: ReasonCode = .none, _ now: MonotonicInstant
    ) -> [Effect] {
        let path = paths[index]
        var control: NDP.Control = []
        var parts = Parts(link: link(path, .response, .rejected, reason: linkReason, ndc: nil))
        if let handshake = path.handshake {
            control.insert(.securityPresent)
            parts.security = securityContext(path, handshake)
        }
        let attribute = ndp(path, .response, .rejected, reason: reason, control: control)
        let body = body(.dataPathResponse, isProtected: path.isProtected, attribute, parts)
        paths[index].state = .ending(.rejectedHere, reason, wasConnected: false)
        paths[index].deadline = now.advanced(by: configuration.stepTimeout)
        return send(body, index, interval: nil)
    }

    /// The same for a request that gets no place in the table: one try, nothing kept.
    private mutating func refuse(_ path: DataPath, isSecure: Bool, _ naf: NAF, _ reason: ReasonCode) -> [Effect] {
        var parts = Parts(link: link(path, .response, .rejected, ndc: nil))
        if isSecure {
            parts.security =
                (naf.attributes.cipherSuiteInformation.map { [.cipherSuiteInformation($0)] } ?? [])
                + (naf.attributes.securityContextInformation.map { [.securityContextInformation($0)] } ?? [])
        }
        let attribute = ndp(path, .response, .rejected, reason: reason, control: isSecure ? .securityPresent : [])
        let body = body(.dataPathResponse, isProtected: path.isProtected, attribute, parts)
        return [
            .dropped(key: "NDP/refused \(reason.rawValue)"),
            .transmit(Frame(body: body, peer: path.peer, dataRoute: nil, token: nextToken())),
        ]
    }

    private static func number(_ octets: [UInt8]) -> UInt64 { octets.reduce(0) { $0 << 8 | UInt64($1) } }
}
