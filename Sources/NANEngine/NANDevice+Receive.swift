internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

extension NANDevice {
    /// Takes a frame in: whom it is for, whether it may come this way, what it says of its sender, then its matter.
    mutating func received(_ frame: ReceivedFrame) -> [Effect] {
        guard frame.octets.count <= ManagementHeader.length + NANFrame.maximumLength else {
            return drop("frame/length")
        }
        var reader = ByteReader(frame.octets)
        let header: ManagementHeader
        do throws(WireError) { header = try ManagementHeader(from: &reader) } catch { return drop(error.key) }
        guard cluster != nil else { return drop("frame/no cluster") }
        guard !header.source.isMulticast, header.source != own.nmi.address else { return drop("frame/source") }
        // The kernel delivers clear public action frames to others as well (reference 1.6).
        let isForUs = header.destination == own.nmi.address || header.destination == own.ndi.address
        guard isForUs || header.destination.isMulticast else { return [] }
        let sender = NMI(header.source)
        let body = reader.rest()
        switch header.frameControl.kind {
        case .authentication:
            guard header.destination == own.nmi.address else { return drop("authentication/address") }
            return receivedAuthentication(body, from: sender)
        case .action:
            return receivedAction(body, header, from: sender)
        default:
            return drop("frame/kind")
        }
    }

    private mutating func receivedAction(_ body: [UInt8], _ header: ManagementHeader, from sender: NMI) -> [Effect] {
        let frame: NANFrame
        var effects: [Effect] = []
        do throws(WireError) {
            let (decoded, errors) = try NANFrame.decodeTolerantly(body)
            frame = decoded
            for error in errors { effects += drop(error.key) }
        } catch {
            return drop(error.key)
        }
        let isProtected = frame.category == .protectedDual
        let isGroup = header.destination.isMulticast
        guard isProtected == header.frameControl.isProtected else { return effects + drop("frame/protection") }
        // From a paired device only what it protected counts; anybody can forge the rest (reference 1.7). But one that has
        // lost its keys must be able to ask for new ones; what it had goes when it has them.
        if let peer = peers[sender], peer.isPaired, !isGroup, !isProtected || peer.startsOver {
            guard isProtected || frame.asksForPairing else { return effects + drop("frame/clear") }
            peers.change(sender) { $0.startsOver = !isProtected }
        }
        guard let admitted = admit(sender) else { return effects + drop("peer/limit") }
        effects += admitted
        effects += learn(frame.attributes, from: sender, isProtected)
        if !isGroup { effects += connect(.heard(sender)) }
        switch frame {
        case .serviceDiscovery(let sdf):
            guard !sdf.attributes.serviceDescriptors.isEmpty else { return effects + drop("SDF/no descriptor") }
            for descriptor in sdf.attributes.serviceDescriptors {
                effects += receivedDescriptor(descriptor, sdf.attributes, from: sender, isProtected, isGroup)
            }
        case .action(let naf):
            guard naf.subtype.isDataPath, !isGroup else { return effects }
            effects += connect(.received(naf, body: body, from: sender, isProtected: isProtected))
        }
        return effects
    }

    private mutating func learn(
        _ attributes: AttributeList, from sender: NMI, _ isProtected: Bool
    ) -> [Effect] {
        var effects: [Effect] = []
        let previous = peers[sender]
        let now = latest
        var fault: String?
        peers.change(sender) { fault = $0.learn(attributes, now: now) }
        if let fault { effects += drop(fault) }
        if let resolution = attributes.identityResolution, resolution != previous?.identity {
            let known = pairing(resolving: resolution, of: sender)
            peers.change(sender) { peer in
                peer.identity = resolution
                peer.pairing = known
            }
        }
        guard let schedule = peers[sender]?.schedule, schedule != previous?.schedule else {
            return effects + installSchedule(of: sender)
        }
        effects += connect(.peerSchedule(sender, schedule, isProtected: isProtected))
        return effects + installSchedule(of: sender)
    }

    /// The stored pairing whose NIK made this tag for this address; all are tried, for addresses are no names.
    func pairing(resolving resolution: IdentityResolution, of nmi: NMI) -> PairingID? {
        guard resolution.cipherVersion == 0 else { return nil }
        return pairings.first { record in
            IdentityKey(record.peerNIK)?.verifies(tag: resolution.tag, for: nmi, nonce: resolution.nonce) ?? false
        }?.id
    }

    private mutating func receivedDescriptor(
        _ descriptor: ServiceDescriptor, _ attributes: AttributeList, from sender: NMI, _ isProtected: Bool,
        _ isGroup: Bool
    ) -> [Effect] {
        guard let peer = peers[sender] else { return [] }
        let advertisement = attributes.pairingBootstrapping.flatMap { $0.message == .advertise ? $0.methods : nil }
        let about = Discovery.Sender(
            nmi: sender, bootstrappingMethods: advertisement ?? [],
            supportsPairing: peer.pairingSupport.contains(.setupEnabled), pairing: peer.pairing,
            cipherSuites: attributes.cipherSuiteInformation)
        let extended = attributes.serviceDescriptorExtension(of: descriptor)
        var effects: [Effect] = []
        for effect in discovery.receive(descriptor, extended, from: about, own: own.nmi, now: latest) {
            guard case .followUp(let peer, let info) = effect else {
                effects += take([effect])
                continue
            }
            // Multicast follow-ups carry no pairing: whoever sends one is nobody in particular.
            if !isGroup, let npba = attributes.pairingBootstrapping {
                effects += receivedBootstrapping(npba, from: peer, info ?? [])
            } else if !isGroup, isProtected, let key = attributes.sharedKeyDescriptor {
                effects += pair(.receivedSharedKey(key, from: sender))
            } else if attributes.sharedKeyDescriptor == nil, let info {
                effects.append(.report(.followUp(peer, serviceInfo: info)))
            }
        }
        return effects
    }

    mutating func take(_ effects: [Discovery.Effect]) -> [Effect] {
        effects.flatMap { effect -> [Effect] in
            switch effect {
            case .send(let frame): send(frame)
            case .discovered(let service): [.report(.discovered(service))]
            case .lost(let peer): [.report(.lost(peer))]
            case .subscriberHeard(let peer): subscriberHeard(peer)
            case .followUp(let peer, let info): [.report(.followUp(peer, serviceInfo: info ?? []))]
            case .ended(let instance): [.report(.instanceEnded(instance))]
            }
        }
    }

    private mutating func subscriberHeard(_ peer: ServicePeer) -> [Effect] {
        peers.change(peer.nmi) { $0.subscriber = peer }
        return [.report(.subscriberHeard(peer))]
    }

    func drop(_ key: String) -> [Effect] { [.report(.dropped(key: key))] }
}

extension NANFrame {
    /// A bootstrapping request, or what follows one that was deferred.
    fileprivate var asksForPairing: Bool {
        guard case .serviceDiscovery(let sdf) = self else { return false }
        return switch sdf.attributes.pairingBootstrapping?.message {
        case .request, .comebackRequest: true
        default: false
        }
    }
}
