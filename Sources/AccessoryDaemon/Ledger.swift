internal import AccessoryCore
internal import LinuxRuntime
internal import Octets
internal import Ports

/// What people want to know and no machine needs: since when, how much in all, how far an attempt is.
///
/// Kept from reports; nothing decides by it.
struct Ledger {
    struct Connection: Equatable {
        var pairing: PairingID
        var service: ServicePort
        var localAddress: IPAddress
        var peerAddress: IPAddress
        var since: MonotonicInstant
        var sentOctets = 0.0
        var receivedOctets = 0.0
        /// When the totals were last added to.
        var countedTo: MonotonicInstant
    }

    enum Attempt: Equatable {
        case requested
        case pinShown
        case verifying
    }

    private(set) var connections: [ConnectionID: Connection] = [:]
    private(set) var attempt = Attempt.requested
    /// Seconds since 1970; the paired devices bound it.
    private(set) var lastSeen: [PairingID: Int] = [:]
    /// Of the pairings of this run, which the store has stamped and the machines have not.
    private(set) var pairedAt: [PairingID: Int] = [:]
    private(set) var camera = CameraStatus(state: .idle)

    mutating func note(_ report: AccessoryReport, now: MonotonicInstant, wallClock: Int64) {
        switch report {
        case .attemptStarted: attempt = .pinShown
        case .guess: attempt = .verifying
        case .attemptFailed, .attemptExpired, .bondingFailed: attempt = .requested
        case .passkeyShown: attempt = .pinShown
        case .paired(let id), .bonded(let id):
            attempt = .requested
            lastSeen[id] = Int(wallClock)
            pairedAt[id] = Int(wallClock)
        case .verified(let id): lastSeen[id] = Int(wallClock)
        case .forgotten(let ids):
            for id in ids {
                lastSeen[id] = nil
                pairedAt[id] = nil
            }
        case .connected(let id, let pairing, let service, let local, let peer):
            lastSeen[pairing] = Int(wallClock)
            connections[id] = Connection(
                pairing: pairing, service: service, localAddress: local, peerAddress: peer, since: now,
                countedTo: now)
        case .disconnected(let id, _):
            if let gone = connections.removeValue(forKey: id) { lastSeen[gone.pairing] = Int(wallClock) }
        case .stream(.performance(let id, let performance)):
            guard var connection = connections[id] else { return }
            let seconds = connection.countedTo.duration(to: now) / .seconds(1)
            connection.sentOctets += (performance.sentPerSecond ?? 0) * seconds
            connection.receivedOctets += (performance.receivedPerSecond ?? 0) * seconds
            connection.countedTo = now
            connections[id] = connection
        case .stream(.camera(let status)): camera = status
        case .pairingWindow(isOpen: false): attempt = .requested
        case .pairingWindow, .listener, .joined, .askedToComeBack, .locked, .bondingRefused, .verificationFailed,
            .refusedConnection, .message, .messageSent, .stream, .bluetooth, .asleep, .storeFailed, .dropped, .stopped:
            break
        }
    }
}
