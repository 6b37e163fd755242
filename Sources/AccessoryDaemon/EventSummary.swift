internal import AccessoryCore
internal import NANSecurity
internal import Ports

/// One event or effect as the debug log shows it: its name and what is neither secret nor anybody's address.
///
/// Every case is spelt out here, so that a new one does not get into the log by its description.
struct EventSummary {
    var subsystem: StaticString
    var name: String
    var fields: [(StaticString, String)] = []

    init(_ subsystem: StaticString, _ name: String, _ fields: [(StaticString, String)] = []) {
        self.subsystem = subsystem
        self.name = name
        self.fields = fields
    }
}

extension EventSummary {
    /// Nil for what comes with every discovery window or timer and says nothing.
    init?(_ event: PortEvent<AccessoryCommand>) {
        switch event {
        case .radio(let event): self.init(event)
        case .bluetooth(let event):
            guard let summary = Self.bluetooth(event) else { return nil }
            self = summary
        case .crypto(let result):
            self.init("crypto", "done: \(Self.name(of: result.outcome))", [("job", "\(result.id)")])
        case .store(.saved(let ticket)): self.init("store", "saved", [("ticket", "\(ticket.rawValue)")])
        case .store(.failed(let ticket, let cause)):
            self.init("store", "failed", [("ticket", "\(ticket.rawValue)"), ("cause", cause)])
        case .stream(let report): self.init("media", "told: \(Self.name(of: report))")
        case .displayed(let content): self.init("display", "shows", [("content", content.word)])
        case .notDisplayed(let content): self.init("display", "cannot show", [("content", content.word)])
        case .command(let command): self.init("control", "asked: \(Self.name(of: command))")
        case .deadlineReached: return nil
        }
    }

    private init?(_ event: RadioEvent) {
        func told(_ name: String, _ fields: [(StaticString, String)] = []) -> Self { Self("radio", name, fields) }
        switch event {
        case .started: self = told("started")
        case .failed(let failure): self = told("failed", [("cause", failure.cause.rawValue), ("text", failure.text)])
        case .stopped(.requested): self = told("stopped")
        case .stopped(.lost(let cause)): self = told("lost", [("cause", cause)])
        case .clusterJoined(_, let isNew): self = told("joined a cluster", [("new", isNew ? "yes" : "no")])
        case .discoveryWindowAhead: return nil
        case .received(let frame):
            var fields = FrameSummary(frame.octets).fields
            if let signal = frame.signal { fields.append(("dbm", "\(signal)")) }
            self = told("received", fields)
        case .transmitted(let id, let isAcknowledged):
            self = told("transmitted", [("id", "\(id.rawValue)"), ("acknowledged", isAcknowledged ? "yes" : "no")])
        case .dataInterfaceAdded: self = told("data interface added")
        case .dataLinkOpened: self = told("data link opened")
        case .inactivity(_, let duration): self = told("inactivity", [("for", "\(duration)")])
        case .refused(let command, let failure):
            self = told(
                "refused",
                [("what", Self.name(of: command)), ("cause", failure.cause.rawValue), ("text", failure.text)])
        }
    }

    init(_ effect: PortEffect<AccessoryReport>) {
        switch effect {
        case .radio(let effect): self.init(effect)
        case .bluetooth(let effect): self = Self.bluetooth(effect)
        case .crypto(let job): self.init("crypto", "do: \(Self.name(of: job.work))", [("job", "\(job.id)")])
        case .store(let command):
            self.init("store", "do: \(Self.name(of: command))", [("ticket", "\(command.ticket.rawValue)")])
        case .stream(let command): self.init("media", "do: \(Self.name(of: command))")
        case .display(let content): self.init("display", "show", [("content", content.word)])
        case .report(let report): self.init("accessory", "report: \(Self.name(of: report))")
        }
    }

    private init(_ effect: RadioEffect) {
        func asked(_ name: String, _ fields: [(StaticString, String)] = []) -> Self {
            Self("radio", "do: \(name)", fields)
        }
        switch effect {
        case .start: self = asked("start")
        case .stop: self = asked("stop")
        case .transmit(let transmission):
            self = asked(
                "transmit", [("id", "\(transmission.id.rawValue)")] + FrameSummary(transmission.frame).fields)
        case .setLocalSchedule(let schedule):
            self = asked("set local schedule", [("channels", "\(schedule.channels.count)")])
        case .addPeer: self = asked("add peer")
        case .protectPeer: self = asked("protect peer")
        case .installManagementKey(_, let key):
            self = asked("install management key", [("cipher", "\(key.cipher)")])
        case .setPeerSchedule(_, let schedule):
            self = asked("set peer schedule", [("channels", "\(schedule.channels.count)")])
        case .authorizePeer: self = asked("authorize peer")
        case .removePeer: self = asked("remove peer")
        case .addDataInterface: self = asked("add data interface")
        case .removeDataInterface: self = asked("remove data interface")
        case .addDataPeer(_, _, let isProtected):
            self = asked("add data peer", [("protected", isProtected ? "yes" : "no")])
        case .installDataKey(_, let key): self = asked("install data key", [("cipher", "\(key.cipher)")])
        case .installPeerGroupKey(_, let key), .installDataGroupKey(_, let key):
            self = asked("install group key", [("kind", "\(key.kind)"), ("number", "\(key.keyID)")])
        case .authorizeDataPeer: self = asked("authorize data peer")
        case .removeDataPeer: self = asked("remove data peer")
        case .openDataLink: self = asked("open data link")
        case .queryInactivity: self = asked("query inactivity")
        }
    }
}
