internal import NANFrames
internal import Octets
internal import Ports

extension NANDevice {
    mutating func bootstrap(_ peer: ServicePeer, _ method: BootstrappingMethods, _ info: [UInt8]) -> [Effect] {
        // Under the keys of before it would not be understood by a peer that has lost them.
        let isStale = peers[peer.nmi]?.isPaired == true && !dataPaths.isBusy(with: peer.nmi)
        let freed = isStale ? letGo(peer.nmi) : []
        var initiator = BootstrapInitiator(peer: peer, method: method, token: nextToken(), serviceInfo: info)
        let effects = initiator.start(now: latest)
        initiators[peer.nmi] = initiator
        return freed + take(effects)
    }

    /// Of all negotiations of this device; never zero.
    mutating func nextToken() -> DialogToken {
        lastToken = lastToken == .max ? 1 : lastToken + 1
        return DialogToken(lastToken)
    }

    mutating func receivedBootstrapping(
        _ npba: PairingBootstrapping, from peer: ServicePeer, _ info: [UInt8]
    ) -> [Effect] {
        switch npba.message {
        case .request, .comebackRequest:
            let offered = discovery.offeredMethods(of: peer.instance)
            return take(
                responder.receive(npba, from: peer, serviceInfo: info, offered: offered, now: latest))
        case .accept, .reject, .comeback:
            guard let effects = initiators[peer.nmi]?.receive(npba, now: latest) else {
                return drop("NPBA/answer to nothing")
            }
            return take(effects)
        case .advertise:
            return []
        }
    }

    mutating func take(_ effects: [BootstrapResponder.Effect]) -> [Effect] {
        effects.flatMap { effect -> [Effect] in
            switch effect {
            case .send(let npba, let peer): sendBootstrapping(npba, to: peer, [])
            case .requested(let peer, let method, let info):
                [.report(.bootstrapRequested(peer, method: method, serviceInfo: info))]
            }
        }
    }

    mutating func take(_ effects: [BootstrapInitiator.Effect]) -> [Effect] {
        effects.flatMap { effect -> [Effect] in
            switch effect {
            case .send(let npba, let peer, let info): sendBootstrapping(npba, to: peer, info)
            case .accepted(let peer): [.report(.bootstrapAccepted(peer))]
            case .deferred(let peer, let delay): [.report(.bootstrapDeferred(peer, delay))]
            case .failed(let peer, let reason): [.report(.bootstrapFailed(peer, reason))]
            }
        }
    }

    private mutating func sendBootstrapping(
        _ npba: PairingBootstrapping, to peer: ServicePeer, _ info: [UInt8]
    ) -> [Effect] {
        guard let frame = discovery.followUp(to: peer, info: info, message: .pairingBootstrapping(npba)) else {
            return []
        }
        return send(frame)
    }
}

extension ServiceFrame {
    /// A message of bootstrapping, and not an advertisement of its methods.
    var isBootstrapping: Bool {
        if case .pairingBootstrapping? = message { true } else { false }
    }
}
