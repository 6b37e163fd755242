internal import NANFrames
internal import Octets

/// The devices heard lately, with a bound: anybody can send frames from any number of addresses.
struct PeerTable: Sendable {
    static let limit = 64

    private var peers: [NMI: Peer] = [:]

    subscript(nmi: NMI) -> Peer? {
        get { peers[nmi] }
        set { peers[nmi] = newValue }
    }

    var all: [Peer] { peers.values.sorted { $0.nmi.address.bits < $1.nmi.address.bits } }

    /// The peer of this address, made if need be by forgetting the one that was silent longest and has no station.
    ///
    /// - Returns: false when every place is taken by a peer with a station.
    mutating func admit(_ nmi: NMI, now: MonotonicInstant) -> Bool {
        if peers[nmi] != nil { return true }
        if peers.count >= Self.limit {
            let idle = peers.values.filter { $0.station == .none }.min { $0.heard < $1.heard }
            guard let idle else { return false }
            peers[idle.nmi] = nil
        }
        peers[nmi] = Peer(nmi: nmi, heard: now)
        return true
    }

    mutating func change(_ nmi: NMI, _ body: (inout Peer) -> Void) {
        guard var peer = peers.removeValue(forKey: nmi) else { return }
        body(&peer)
        peers[nmi] = peer
    }

    mutating func removeAll() { peers = [:] }
}
