import LinuxRuntime
import Varlink

/// Which paired devices a listing is about: each criterion given must be met.
struct PeerFilter {
    var name: String?
    var vendor: String?
    var model: String?

    func matches(_ peer: Control.Peer) -> Bool {
        func isMet(_ wanted: String?, _ found: String?) -> Bool { wanted == nil || wanted == found }
        return isMet(name, peer.pairingName) && isMet(vendor, peer.vendorName) && isMet(model, peer.modelName)
    }

    /// The snapshot with these devices, and what concerns them, alone.
    func applied(to snapshot: Control.Snapshot) -> Control.Snapshot {
        var filtered = snapshot
        filtered.peers = snapshot.peers.filter(matches)
        let ids = Set(filtered.peers.map(\.id))
        filtered.connections = snapshot.connections.filter { ids.contains($0.peer) }
        return filtered
    }
}

extension PeerFilter {
    /// What a command line may ask of the devices.
    enum Option: String, CommandLineOption {
        case name
        case vendor
        case model

        var letter: Unicode.Scalar {
            switch self {
            case .name: "n"
            case .vendor: "V"
            case .model: "m"
            }
        }

        var argument: String? { "TEXT" }

        var summary: String {
            switch self {
            case .name: "only devices of this pairing name"
            case .vendor: "only devices of this vendor"
            case .model: "only devices of this model"
            }
        }
    }

    init<Own>(_ options: CommandLineOptions<FilteringOption<Own>>) {
        self.init(
            name: options[.filter(.name)], vendor: options[.filter(.vendor)], model: options[.filter(.model)])
    }
}
