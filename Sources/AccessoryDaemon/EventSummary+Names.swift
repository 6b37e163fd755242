internal import AccessoryCore
internal import NANSecurity
internal import Ports

extension EventSummary {
    static func name(of command: RadioCommand) -> String {
        switch command {
        case .localSchedule: "local schedule"
        case .peer: "peer"
        case .dataInterface: "data interface"
        case .dataPeer: "data peer"
        case .transmission(let id): "transmission \(id.rawValue)"
        }
    }

    static func name(of work: CryptoJob.Work) -> String {
        switch work {
        case .passwordElement(_, let group): "password element, group \(group.rawValue)"
        case .commit: "commit"
        case .publicKey: "public key"
        case .agreeSAE: "SAE keys"
        case .agreeKeys: "shared secret"
        }
    }

    static func name(of outcome: CryptoResult.Outcome) -> String {
        switch outcome {
        case .passwordElement: "password element"
        case .commit: "commit"
        case .publicKey: "public key"
        case .agreedSAE: "SAE keys"
        case .agreedKeys: "shared secret"
        case .refusedPeer: "the peer's numbers are refused"
        case .failed: "failed"
        }
    }

    static func name(of command: StoreCommand) -> String {
        switch command {
        case .save(let record, _): "save pairing \(record.id)"
        case .remove(let id, _): "remove pairing \(id)"
        case .saveBond(let record, _): "save bond \(record.id)"
        case .removeAll: "remove all pairings"
        case .setAttempts(let record, _): "attempts \(record.failures)\(record.isLocked ? ", locked" : "")"
        }
    }

    static func name(of command: StreamCommand) -> String {
        switch command {
        case .openService(let service): "open \(ServicePort(service))"
        case .connect(let id, let port, _, _): "connect \(id) to \(port)"
        case .disconnect(let id): "disconnect \(id)"
        case .close: "close"
        }
    }

    static func name(of report: StreamReport) -> String {
        switch report {
        case .serviceOpened(let port): "\(port) opened"
        case .serviceFailed(let port, let cause): "\(port) failed: \(cause)"
        case .active(let id): "\(id) active"
        case .viewerStarted(let id): "\(id) viewer started"
        case .viewerEnded(let id, let end): "\(id) viewer ended: \(end.rawValue)"
        case .performance(let id, let performance): "\(id) performance \(PerformanceLine(performance).text)"
        case .camera(let status): "camera \(status.state.rawValue)"
        case .closed: "closed"
        }
    }

    static func name(of command: AccessoryCommand) -> String {
        switch command {
        case .start: "start"
        case .openPairingWindow: "open pairing window"
        case .closePairingWindow: "close pairing window"
        case .unlock: "unlock"
        case .forget(let id): "forget \(id)"
        case .forgetAll: "forget all"
        case .send(let id, let message): "send \(message.count) octets to \(id)"
        case .shutDown: "shut down"
        }
    }

    static func name(of report: AccessoryReport) -> String {
        switch report {
        case .listener(let port, let state): "\(port) \(state.name)"
        case .joined: "joined"
        case .pairingWindow(let isOpen): "pairing window \(isOpen ? "open" : "closed")"
        case .attemptStarted: "attempt started"
        case .askedToComeBack: "asked to come back"
        case .guess: "guess"
        case .locked: "locked"
        case .attemptFailed: "attempt failed"
        case .attemptExpired: "attempt expired"
        case .paired(let id): "paired \(id)"
        case .passkeyShown: "passkey shown"
        case .bonded(let id): "bonded \(id)"
        case .bondingFailed: "bonding failed"
        case .bondingRefused: "bonding refused"
        case .forgotten(let ids): "forgotten \(ids.count)"
        case .verified(let id): "verified \(id)"
        case .verificationFailed: "verification failed"
        case .connected(let id, _, _, _, _): "\(id) connected"
        case .refusedConnection: "connection refused"
        case .disconnected(let id, _): "\(id) disconnected"
        case .message(let id, let message): "\(message.count) octets from \(id)"
        case .messageSent(let id, let isAcknowledged): "sent to \(id)\(isAcknowledged ? "" : ", not acknowledged")"
        case .stream: "stream"
        case .bluetooth: "bluetooth"
        case .asleep(let isAsleep): isAsleep ? "asleep" : "awake"
        case .storeFailed: "store failed"
        case .dropped(let key): "dropped \(key)"
        case .stopped: "stopped"
        }
    }
}

/// A connection's figures on one line; what was not measured is left out.
struct PerformanceLine {
    let text: String

    init(_ report: PerformanceReport) {
        var parts: [String] = []
        func add(_ name: String, _ value: Int?) {
            if let value { parts.append("\(name)=\(value)") }
        }
        add("sent_kbit", report.sentPerSecond.map { Int($0 * 8 / 1000) })
        add("received_kbit", report.receivedPerSecond.map { Int($0 * 8 / 1000) })
        add("loss_ppm", report.lossFraction.map { Int($0 * 1_000_000) })
        add("jitter_us", report.jitter.map { Int($0 / .microseconds(1)) })
        add("round_trip_us", report.roundTrip.map { Int($0 / .microseconds(1)) })
        text = parts.joined(separator: " ")
    }
}
