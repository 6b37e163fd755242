internal import NANEngine
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

extension Phone {
    /// Hands the event to the engine and takes up what it tells, in order.
    mutating func nan(_ event: NANDevice.Event, _ now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        for effect in device.handle(event, now: now) {
            switch effect {
            case .radio(let effect): effects.append(.radio(effect))
            case .crypto(let job): effects.append(.crypto(job))
            case .report(let report): effects += take(report, now)
            }
        }
        return effects
    }

    private mutating func take(_ report: NANReport, _ now: MonotonicInstant) -> [Effect] {
        switch (report, stage) {
        case (.joined(let cluster), _): return [.report(.joined(cluster))]
        case (.failed(let failure), _): return end(.report(.radioFailed(failure)))
        case (.stopped(let reason), _):
            services = [:]  // as the engine, which tells anew of whoever is heard after the next start
            guard case .lost(let cause) = reason else { return end(.report(.stopped)) }
            return end(.report(.radioFailed(RadioFailure(.other, cause))))
        case (.discovered(let service), _):
            services[service.peer.nmi] = service
            return [.report(.discovered(DiscoveredAccessory(service)))]
        case (.lost(let peer), _):
            services[peer.nmi] = nil
            return [.report(.lost(peer.nmi))]
        case (.bootstrapAccepted(let peer), .bootstrapping(let asked)) where peer == asked:
            stage = .awaitingPIN(peer)
            return [.report(.pinNeeded)]
        case (.bootstrapDeferred(let peer, let delay), .bootstrapping(let asked)) where peer == asked:
            return [.report(.askedToWait(delay))]
        case (.bootstrapFailed(let peer, let reason), .bootstrapping(let asked)) where peer == asked:
            return fail(.refused(reason))
        case (.authenticated(let nmi, let verified), .pairing(let peer)) where peer.nmi == nmi:
            return [.report(.authenticated(verified: verified))]
        case (.authenticated(let nmi, let verified), .verifying(let peer, _)) where peer.nmi == nmi:
            return [.report(.authenticated(verified: verified))] + requestDataPath(peer, now)
        case (.paired(let nmi, let credential), .pairing(let peer)) where peer.nmi == nmi:
            return keep(credential, of: peer)
        case (.pairingFailed(let nmi, let failure, _), .pairing(let peer)) where peer.nmi == nmi,
            (.pairingFailed(let nmi, let failure, _), .verifying(let peer, _)) where peer.nmi == nmi:
            return fail(.failed("\(failure)"))
        case (.verificationRefused(let nmi), .verifying(let peer, _)) where peer.nmi == nmi:
            return fail(.failed("no pairing knows that accessory"))
        case (.dataPathConnected(let link), .requesting(let peer)) where peer.nmi == link.peer:
            return connected(link)
        case (.dataPathEnded(_, let nmi, let cause), .requesting(let peer)) where peer.nmi == nmi:
            return end(.report(.disconnected("\(cause)")))
        case (.dataPathEnded(let id, _, let cause), .connected(let link)) where link.id == id:
            return end(.report(.disconnected("\(cause)")))
        case (.followUp(let peer, let info), _):
            return device.pairing(of: peer.nmi) == nil || info.isEmpty ? [] : [.report(.message(info))]
        case (.followUpSent(_, let acknowledged), _):
            return [.report(.messageSent(acknowledged: acknowledged))]
        default:
            return []  // a publisher's business, or news of a stage that is over
        }
    }

    private mutating func keep(_ credential: PairingCredential, of peer: ServicePeer) -> [Effect] {
        let known = pairings.first { $0.peerNIK == credential.peerNIK }
        let names = services[peer.nmi].map { DiscoveredAccessory($0) }
        let record = PairingRecord(
            id: known?.id ?? PairingID(UInt32(truncatingIfNeeded: entropy.next())), name: names?.name ?? "",
            vendor: names?.vendor ?? "", model: names?.model ?? "", peerNIK: credential.peerNIK, npk: credential.npk,
            akm: credential.akm, cipherSuite: credential.cipherSuite, lifetime: credential.lifetime)
        let ticket = nextTicket()
        stage = .storing(peer, record, ticket)
        return [.store(.save(record, ticket))]
    }

    mutating func stored(_ event: StoreEvent, _ now: MonotonicInstant) -> [Effect] {
        guard case .storing(let peer, let record, let ticket) = stage else { return [] }
        switch event {
        case .saved(ticket):
            pairings.removeAll { $0.id == record.id }
            pairings.append(record)
            return [.report(.paired(record.id))] + nan(.command(.setPairings(pairings)), now)
                + requestDataPath(peer, now)
        case .failed(ticket, let cause):
            return nan(.command(.abandonPairing(peer.nmi)), now) + fail(.notStored(cause))
        case .saved, .failed:
            return []
        }
    }

    private mutating func connected(_ link: DataPathLink) -> [Effect] {
        // The response's service info counts; a publisher that leaves it out has said it in its publish frames.
        let published = services[link.peer].map { DiscoveredAccessory($0) }
        let info = GenericServiceInfo(payload: link.serviceInfo)
        guard let port = info?.port ?? published?.port else {
            stage = .connected(link)
            return [.report(.disconnected("the accessory named no port"))]
        }
        stage = .connected(link)
        return [
            .report(
                .connected(
                    PhoneLink(
                        local: link.local, accessory: IPEndpoint(address: link.remote, port: port),
                        transport: info?.transportProtocol?.rawValue ?? published?.transport ?? 17,
                        pairing: link.pairing)))
        ]
    }

    private mutating func end(_ effect: Effect) -> [Effect] {
        stage = .idle
        return [effect]
    }
}

extension DiscoveredAccessory {
    init(_ service: DiscoveredService) {
        let info = GenericServiceInfo(payload: service.serviceInfo)
        let names = info.map { ServiceNames(in: $0) } ?? ServiceNames()
        self.init(
            nmi: service.peer.nmi, vendor: names.vendor, model: names.model, name: names.name, port: info?.port,
            transport: info?.transportProtocol?.rawValue,
            pairingWindowIsOpen: !service.bootstrappingMethods.isEmpty, pairing: service.pairing)
    }
}

extension GenericServiceInfo {
    /// The TLVs of a payload; nil when it is not made of TLVs.
    init?(payload: [UInt8]) {
        var reader = ByteReader(payload)
        guard !payload.isEmpty, let info = try? GenericServiceInfo(from: &reader) else { return nil }
        self = info
    }
}
