internal import AccessoryCore
internal import BluetoothEngine
internal import LinuxRuntime
internal import Octets
internal import Ports

/// The one place that logs what machines do: every event and effect at debug, reports by what they mean to people.
///
/// Peers are numbered, never named or addressed; nothing here has a PIN or a key at hand.
final class EventLog {
    private let threshold: LogLevel
    private var labels = PeerLabels()
    private var quota = LogQuota()

    /// Tells of lines that were held back once their second is over, if none comes that would.
    private var releaseTimer: LoopTimer?
    private var armRelease: () -> Void = {}
    private var isReleaseDue = false

    init(threshold: LogLevel) { self.threshold = threshold }

    func attach(to loop: EventLoop) throws(SystemError) {
        releaseTimer = try loop.timer { [unowned self] in
            isReleaseDue = false
            Logger.releaseHeld()
            planRelease()
        }
        armRelease = { [unowned self, unowned loop] in releaseTimer?.arm(loop.now.advanced(by: .seconds(1))) }
    }

    private func planRelease() {
        guard !isReleaseDue, Logger.isHolding else { return }
        isReleaseDue = true
        armRelease()
    }

    var tracesEverything: Bool { threshold >= .debug }

    func trace(_ event: PortEvent<AccessoryCommand>, _ effects: [PortEffect<AccessoryReport>]) {
        guard tracesEverything else { return }
        if let summary = EventSummary(event) { write(.debug, summary.subsystem, summary.name, summary.fields) }
        for effect in effects {
            let summary = EventSummary(effect)
            write(.debug, summary.subsystem, summary.name, summary.fields)
        }
    }

    func write(
        _ level: LogLevel, _ subsystem: StaticString, _ message: String, _ fields: [(StaticString, String)] = []
    ) {
        Logger(subsystem, threshold: threshold).log(
            level, withoutAddresses(message), fields.map { ($0.0, withoutAddresses($0.1)) })
        planRelease()
    }

    func report(_ report: AccessoryReport, now: MonotonicInstant) {
        switch report {
        case .listener(let port, let state): listener(port, state)
        case .joined(let cluster):
            write(.info, "radio", "joined a cluster", [("cluster", String(cluster.address.bits & 0xFFFF, radix: 16))])
        case .pairingWindow(let isOpen): write(.info, "pairing", isOpen ? "the window is open" : "the window is closed")
        case .attemptStarted(let peer): write(.info, "pairing", "a PIN is shown", [("peer", labels.label(peer))])
        case .guess(let peer, let failures):
            write(.info, "pairing", "a PIN was tried", [("peer", labels.label(peer)), ("in-a-row", "\(failures)")])
        case .locked:
            write(.warning, "pairing", "locked after too many wrong PINs; opening the pairing window unlocks")
        case .attemptFailed(let peer, let reason):
            write(.warning, "pairing", "failed", [("peer", labels.label(peer)), ("reason", reason)])
        case .attemptExpired(let peer): write(.info, "pairing", "nobody typed the PIN", [("peer", labels.label(peer))])
        case .paired(let id): write(.info, "pairing", "paired", [("pairing", "\(id)")])
        case .passkeyShown: write(.info, "pairing", "a Bluetooth passkey is shown")
        case .bonded(let id): write(.info, "pairing", "bonded over Bluetooth", [("pairing", "\(id)")])
        case .bondingFailed(let reason):
            fromAnybody(.warning, "pairing", "not bonded over Bluetooth", [("reason", reason)], now)
        case .bondingRefused:
            fromAnybody(.info, "pairing", "not bonded over Bluetooth", [("reason", "nobody new may come now")], now)
        case .forgotten(let ids):
            write(.info, "pairing", "forgotten", [("pairings", ids.map { "\($0)" }.joined(separator: ","))])
        case .verified(let id): write(.info, "pairing", "a paired device is here", [("pairing", "\(id)")])
        case .connected(let id, let pairing, let port, _, _):
            write(
                .info, "connection", "connected",
                [("connection", "\(id.rawValue)"), ("pairing", "\(pairing)"), ("service", "\(port)")])
        case .disconnected(let id, let reason):
            write(.info, "connection", "ended", [("connection", "\(id.rawValue)"), ("reason", reason)])
        case .message(let id, let octets):
            // What a program says to a program may be anything: its text is for whoever debugs.
            fromAnybody(
                .info, "message", "received", [("pairing", "\(id)"), ("octets", "\(octets.count)")], now)
            write(.debug, "message", printable(String(decoding: octets, as: UTF8.self)))
        case .messageSent(let id, let isAcknowledged):
            write(
                isAcknowledged ? .info : .warning, "message", isAcknowledged ? "acknowledged" : "not acknowledged",
                [("pairing", "\(id)")])
        case .stream(let report): stream(report)
        case .bluetooth(let report): bluetooth(report, now)
        case .asleep(let isAsleep):
            write(.info, "radio", isAsleep ? "sleeps until a phone asks over Bluetooth" : "woken")
        case .storeFailed(let cause):
            write(.error, "store", "not saved; what it was for is undone", [("cause", cause)])
        case .dropped: break  // counted, and in every trace
        case .stopped: write(.info, "accessory", "stopped")
        case .askedToComeBack(let peer, let delay):
            fromAnybody(
                .info, "pairing", "asked to come back", [("peer", labels.label(peer)), ("in", "\(delay)")], now)
        case .verificationFailed(let id, let reason):
            let pairing = optional("pairing", id.map { "\($0)" })
            fromAnybody(.warning, "pairing", "a device was not verified", pairing + [("reason", reason)], now)
        case .refusedConnection(let peer, let reason):
            fromAnybody(
                .warning, "connection", "refused",
                [("peer", labels.label(peer)), ("reason", "\(reason.rawValue)")], now)
        }
    }

    private func listener(_ port: ServicePort, _ state: ListenerState) {
        let level: LogLevel =
            switch state {
            case .setup, .ready, .cancelled: .info
            case .waiting: .warning
            case .failed: .error
            }
        write(level, "service", "\(port) is \(state.name)", optional("reason", state.reason))
    }

    private func bluetooth(_ report: BluetoothReport, _ now: MonotonicInstant) {
        switch report {
        case .controller(.ready(let controller)):
            write(.info, "bluetooth", "controller ready", [("controller", "hci\(controller.index)")])
        case .controller(.absent(let cause)), .controller(.failed(let cause)):
            write(.warning, "bluetooth", "not available; NAN goes on without it", [("cause", cause)])
        case .controller(.off), .controller(.starting): break
        case .advertising(let isOn): write(.info, "bluetooth", isOn ? "advertising" : "no longer advertising")
        case .advertisingRefused(let cause):
            write(.warning, "bluetooth", "the controller does not advertise", [("cause", cause)])
        case .served(let server): write(.info, "bluetooth", "attributes are served", [("by", server.rawValue)])
        case .notServed(let failure):
            write(.warning, "bluetooth", "attributes are not served", [("cause", failure.text)])
        case .linked(let link, _):
            fromAnybody(.info, "bluetooth", "a central has come", [("link", "\(link.rawValue)")], now)
        case .unlinked(let link):
            fromAnybody(.info, "bluetooth", "a central has gone", [("link", "\(link.rawValue)")], now)
        case .dropped(let link, let reason):
            fromAnybody(
                .warning, "bluetooth", "a central was sent away",
                [("link", "\(link.rawValue)"), ("reason", reason)], now)
        case .wakeAsked: fromAnybody(.info, "bluetooth", "a central wants NAN awake", [], now)
        case .passkey, .bonded, .bondingEnded: break  // said of the attempt they are part of
        }
    }

    private func stream(_ report: StreamReport) {
        switch report {
        case .serviceOpened, .serviceFailed, .performance, .closed: break  // the listener's state says it, or a trace
        case .active(let id): write(.info, "connection", "in use", [("connection", "\(id.rawValue)")])
        case .viewerStarted(let id):
            write(.info, "connection", "a viewer has come", [("connection", "\(id.rawValue)")])
        case .viewerEnded(let id, let end):
            write(
                .info, "connection", "the viewer has gone",
                [("connection", "\(id.rawValue)"), ("reason", end.rawValue)])
        case .camera(let status): camera(status)
        }
    }

    private func camera(_ status: CameraStatus) {
        switch status.state {
        case .idle: write(.info, "camera", "its program has ended: nobody views")
        case .starting: write(.info, "camera", "its program is started")
        case .running: write(.info, "camera", "it shows pictures")
        case .ending: break  // its end says it
        case .waiting:
            write(
                .error, "camera", "its program is lost",
                optional("cause", status.trouble) + optional("again-in", status.delay.map { "\($0)" }))
        }
    }

    private func optional(_ key: StaticString, _ value: String?) -> [(StaticString, String)] {
        guard let value else { return [] }
        return [(key, value)]
    }

    /// For what any device in reach can cause as often as it likes.
    private func fromAnybody(
        _ level: LogLevel, _ subsystem: StaticString, _ message: String, _ fields: [(StaticString, String)],
        _ now: MonotonicInstant
    ) {
        guard let suppressed = quota.take(now: now) else { return }
        write(level, subsystem, message, suppressed == 0 ? fields : fields + [("suppressed", "\(suppressed)")])
    }
}

/// How many lines strangers may cause: a burst, then one a second.
struct LogQuota {
    static let burst = 20

    private var tokens = burst
    private var last = MonotonicInstant(nanoseconds: 0)
    private var suppressed = 0

    /// Nil when the line is left out; else how many were before it.
    mutating func take(now: MonotonicInstant) -> Int? {
        let seconds = Int(clamping: last.duration(to: now).components.seconds)
        if seconds > 0 {
            tokens = min(Self.burst, tokens + min(seconds, Self.burst))
            last = now
        }
        guard tokens > 0 else {
            suppressed += 1
            return nil
        }
        tokens -= 1
        defer { suppressed = 0 }
        return suppressed
    }
}
