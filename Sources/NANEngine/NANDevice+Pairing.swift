internal import Cryptography
internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

extension NANDevice {
    mutating func expectPairing(_ peer: ServicePeer, _ secret: PairingSecret) -> [Effect] {
        guard let admitted = admit(peer.nmi) else { return drop("peer/limit") }
        peers.change(peer.nmi) { known in
            known.service = peer
            known.verifying = nil
            known.heldKey = nil
            known.mayHaveOurKey = false
        }
        let parameters = parameters(
            for: peer, secret.authentication, configuration.pairingSuites,
            bootstrapping: responder.currentRequest(of: peer.nmi))
        return admitted + ensureStation(peer.nmi) + pair(.arm(parameters))
    }

    mutating func startPairing(_ peer: ServicePeer, _ secret: PairingSecret, _ suite: CipherSuiteID) -> [Effect] {
        guard let admitted = admit(peer.nmi) else { return drop("peer/limit") }
        peers.change(peer.nmi) { known in
            known.service = peer
            known.verifying = nil
            known.heldKey = nil
            known.mayHaveOurKey = true
        }
        let parameters = parameters(
            for: peer, secret.authentication, [suite], bootstrapping: initiators[peer.nmi]?.firstRequest)
        return admitted + ensureStation(peer.nmi) + pair(.start(parameters))
    }

    mutating func startVerification(_ peer: ServicePeer, _ id: PairingID) -> [Effect] {
        guard let authentication = cached(id), let record = pairings.first(where: { $0.id == id }),
            let admitted = admit(peer.nmi)
        else { return [.report(.verificationRefused(peer.nmi))] }
        peers.change(peer.nmi) { known in
            known.service = peer
            known.pairing = id
            known.verifying = id
        }
        let parameters = parameters(for: peer, authentication, [record.cipherSuite], bootstrapping: nil)
        // Frame 1 says nothing of our radio, and a peer that has not heard us yet cannot install keys for it (hostap): our
        // query, which everybody gets in the next window, is for this one now. Frames to one station keep their order.
        let introduction = discovery.query(to: peer).map { send($0) } ?? []
        return admitted + ensureStation(peer.nmi) + introduction + pair(.start(parameters))
    }

    mutating func abandonPairing(_ peer: NMI) -> [Effect] {
        initiators[peer] = nil
        responder.forget(peer)
        // A station that stands without keys served this pairing alone; one with keys may be abandoned after its success.
        let ended = pair(.abandon(peer))
        guard !dataPaths.isBusy(with: peer) else { return ended }
        return ended + removeStation(peer)
    }

    mutating func receivedAuthentication(_ body: [UInt8], from sender: NMI) -> [Effect] {
        if peers[sender] != nil {
            let now = latest
            peers.change(sender) { $0.heard = now }
        }
        return pair(.received(body, from: sender))
    }

    /// The owner has the pairing on disk: the peer may believe in it as well.
    mutating func keepPairing(_ nmi: NMI) -> [Effect] {
        let held = peers[nmi]?.heldKey
        peers.change(nmi) { peer in
            peer.heldKey = nil
            peer.mayHaveOurKey = true
        }
        return held.map { sendSharedKey($0, to: nmi) } ?? []
    }

    private mutating func sendSharedKey(_ descriptor: SharedKeyDescriptor, to nmi: NMI) -> [Effect] {
        guard let service = peers[nmi]?.service,
            let frame = discovery.followUp(to: service, message: .sharedKeyDescriptor(descriptor))
        else { return [] }
        return send(frame, tries: Self.identityTries)
    }

    /// Our identity is sent once, and without it the peer does not believe in the pairing that we have stored.
    private static let identityTries = 16

    /// The owner's records have changed: sessions find theirs, and NIRAs are looked at with other eyes.
    mutating func setPairings(_ records: [PairingRecord]) -> [Effect] {
        pairings = records
        var effects: [Effect] = []
        for peer in peers.all {
            // A forgotten device may go on with nothing; a data path of it is its owner's to end.
            if let id = peer.session?.pairing, !records.contains(where: { $0.id == id }),
                !dataPaths.isBusy(with: peer.nmi)
            {
                effects += letGo(peer.nmi)
            }
            let resolved = peer.identity.flatMap { pairing(resolving: $0, of: peer.nmi) }
            peers.change(peer.nmi) { known in
                known.pairing = resolved
                if let nik = known.session?.peerNIK {
                    known.session?.pairing = records.first { $0.peerNIK == nik }?.id
                }
            }
        }
        return effects + pair(.expectVerifications(Set(records.compactMap { $0.cipherSuite.pairingStrength?.group })))
    }

    /// Hands the event to the pairing machine and carries out what it says.
    mutating func pair(_ event: PairingMachine.Event) -> [Effect] {
        pairing.handle(event, now: latest).flatMap { take($0) }
    }

    private mutating func take(_ effect: PairingMachine.Effect) -> [Effect] {
        switch effect {
        case .transmit(let body, let nmi, let token):
            guard let cluster else { return [] }
            let purpose = token == PairingMachine.unwatchedToken ? nil : Transmissions.Purpose.pairing(token)
            // Without a station an authentication frame is lost (reference 1.8); MFP follows the first one (6.10).
            return ensureStation(nmi) + [transmit(body, to: nmi.address, .authentication, cluster, purpose)]
                + protect(nmi)
        case .crypto(let job): return [.crypto(job)]
        case .ready(let nmi): return [.report(.pairingReady(nmi))]
        case .guessAnswered(let nmi): return [.report(.guessAnswered(nmi))]
        case .installManagementKey(let nmi, let key): return installManagementKey(nmi, key)
        case .authenticated(let nmi, let pairing): return authenticated(nmi, pairing)
        case .sendSharedKey(let descriptor, let nmi):
            guard peers[nmi]?.mayHaveOurKey == true else {
                peers.change(nmi) { $0.heldKey = descriptor }
                return []
            }
            return sendSharedKey(descriptor, to: nmi)
        case .completed(let nmi, let credential):
            peers.change(nmi) { $0.session?.peerNIK = credential.peerNIK }
            return [.report(.paired(nmi, credential))]
        case .failed(let nmi, let failure): return failed(nmi, failure)
        case .needsResponder(let nmi, let request): return needed(nmi, request)
        case .rejected(_, let reason): return drop(reason.key)
        }
    }

    private mutating func authenticated(_ nmi: NMI, _ result: AuthenticatedPairing) -> [Effect] {
        let verified = result.isVerification ? peers[nmi]?.verifying : nil
        peers.change(nmi) { peer in
            peer.session = Peer.Session(
                ndPMK: result.dataPathMasterKey, suite: result.cipherSuite, akm: result.akm, pairing: verified)
        }
        initiators[nmi] = nil
        responder.forget(nmi)
        var effects: [Effect] = []
        // The device under an address of before: what that left would be in the way of its data paths.
        for old in peers.all where verified != nil && old.nmi != nmi && old.session?.pairing == verified {
            effects += connect(.peerGone(old.nmi)) + removeStation(old.nmi)
        }
        return effects + [.report(.authenticated(nmi, verified: verified))]
    }

    private mutating func failed(_ nmi: NMI, _ failure: PairingFailure) -> [Effect] {
        let verifying = peers[nmi]?.verifying
        initiators[nmi] = nil
        responder.forget(nmi)
        // Without the exchange of identities one side alone would believe in the pairing: both go back to the start.
        let isRolledBack = failure.phase == .exchangingIdentities
        if isRolledBack || !(peers[nmi]?.isPaired ?? false) {
            return connect(.peerGone(nmi)) + removeStation(nmi)
                + [.report(.pairingFailed(nmi, failure, verifying: verifying))]
        }
        return [.report(.pairingFailed(nmi, failure, verifying: verifying))]
    }

    /// Frame 1 of a device that nobody waits for: a paired one is verified, any other has to ask first.
    private mutating func needed(_ nmi: NMI, _ request: PairingRequest) -> [Effect] {
        guard case .verification(let identity, _, let suite) = request else { return drop("PASN/not expected") }
        guard let admitted = admit(nmi) else { return drop("peer/limit") }
        let service = serviceInUse(with: nmi)
        guard let id = pairing(resolving: identity, of: nmi), let authentication = cached(id) else {
            let refusal = parameters(for: service, .opportunistic, [suite], bootstrapping: nil)
            return admitted + ensureStation(nmi) + pair(.refuse(refusal)) + [.report(.verificationRefused(nmi))]
        }
        peers.change(nmi) { peer in
            peer.service = service
            peer.identity = identity
            peer.pairing = id
            peer.verifying = id
        }
        // Numbers of another suite would be computed in front of the agreement that the peer waits for.
        let suites = configuration.pairingSuites.contains(suite) ? [suite] : configuration.pairingSuites
        let parameters = parameters(for: service, authentication, suites, bootstrapping: nil)
        return admitted + ensureStation(nmi) + pair(.arm(parameters))
    }

    private func cached(_ id: PairingID) -> PairingParameters.Authentication? {
        guard let record = pairings.first(where: { $0.id == id }), let nik = IdentityKey(record.peerNIK) else {
            return nil
        }
        return .cached(npk: record.npk, akm: record.akm, peerIdentity: nik)
    }

    private func parameters(
        for peer: ServicePeer, _ authentication: PairingParameters.Authentication, _ suites: [CipherSuiteID],
        bootstrapping: PairingBootstrapping?
    ) -> PairingParameters {
        PairingParameters(
            own: own.nmi, peer: peer.nmi, instance: peer.instance, authentication: authentication, suites: suites,
            capabilities: configuration.dataPath.groupKeyCapabilities, capabilityExtension: own.capabilityExtension,
            bootstrapping: bootstrapping, identity: identityKey)
    }

    /// The instances that a verification is about: frames name one of ours (reference 4.3.6), whatever the peer means.
    private func serviceInUse(with nmi: NMI) -> ServicePeer {
        if let service = peers[nmi]?.service, discovery.serviceID(of: service.instance) != nil { return service }
        return ServicePeer(nmi: nmi, instance: discovery.firstInstance ?? InstanceID(1), peerInstance: .none)
    }
}

extension PairingSecret {
    var authentication: PairingParameters.Authentication {
        switch self {
        case .passwordElements(let elements): .password(elements)
        case .opportunistic: .opportunistic
        }
    }
}
