extension RadioEffect {
    /// How a refusal names this effect; nil for those with an answer of their own.
    package var command: RadioCommand? {
        switch self {
        case .start, .stop: nil
        case .transmit(let transmission): .transmission(transmission.id)
        case .setLocalSchedule: .localSchedule
        case .addPeer(let nmi), .protectPeer(let nmi), .installManagementKey(let nmi, _), .setPeerSchedule(let nmi, _),
            .installPeerGroupKey(let nmi, _),
            .authorizePeer(let nmi, _), .removePeer(let nmi):
            .peer(nmi)
        case .addDataInterface(let ndi), .removeDataInterface(let ndi): .dataInterface(ndi)
        case .addDataPeer(let peer, _, _), .installDataKey(let peer, _), .installDataGroupKey(let peer, _),
            .authorizeDataPeer(let peer),
            .removeDataPeer(let peer), .openDataLink(let peer, _, _), .queryInactivity(let peer):
            .dataPeer(peer)
        }
    }
}
