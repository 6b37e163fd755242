internal import AccessoryCore
internal import Glibc
internal import JSONText
internal import LinuxRuntime
internal import Octets
internal import Ports
internal import Varlink

/// The control socket: calls become commands, snapshots become replies.
final class ControlService {
    /// What it needs of the daemon.
    struct Access {
        var snapshot: () -> AccessorySnapshot
        var ledger: () -> Ledger
        var command: (AccessoryCommand) -> Void
        /// Forgets and calls back once it is durable, with what was not saved.
        var forget: (AccessoryCommand, @escaping (String?) -> Void) -> Void
        var stop: () -> Void
    }

    /// At most five snapshots a second to each watcher.
    private static let watchInterval = Duration.milliseconds(200)
    private static let reportInterval = Duration.seconds(1)

    private let loop: EventLoop
    private let server: VarlinkServer
    private let access: Access
    private let writer: SnapshotWriter
    private let captures: Captures
    private let showsPINs: Bool

    private var watchTimer: LoopTimer?
    private var lastWatch: MonotonicInstant?
    private var isChanged = false
    /// The last snapshot each watcher has.
    private var watchers: [VarlinkCall.ID: Control.Snapshot] = [:]
    private var reportTimer: LoopTimer?
    /// Callers of a repeated report, with the connection they asked for.
    private var reporters: [VarlinkCall.ID: Int?] = [:]

    init(
        at address: UnixAddress, on loop: EventLoop, access: Access, writer: SnapshotWriter, captures: Captures,
        showsPINs: Bool
    ) throws(StartFailure) {
        let info = VarlinkServiceInfo(
            vendor: "AwareAccessory", product: "awared", version: ProductVersion.text, url: "")
        let interface: InterfaceDescription
        do throws(InterfaceError) { interface = try ControlInterface.description() } catch {
            throw .failure("the control interface's description: \(error)")
        }
        self.loop = loop
        self.access = access
        self.writer = writer
        self.captures = captures
        self.showsPINs = showsPINs
        do throws(SystemError) {
            server = try VarlinkServer(at: address, on: loop, info: info, interfaces: [interface], busy: .busy)
            watchTimer = try loop.timer { [unowned self] in sendSnapshots() }
            reportTimer = try loop.timer { [unowned self] in sendReports() }
        } catch { throw Self.fault(error, at: address) }
        captures.backlog = { [unowned server] in server.backlog(of: $0) }
        server.onEvent = { [unowned self] event in
            switch event {
            case .called(let call): take(call)
            case .cancelled(let id): forget(id)
            }
        }
    }

    /// Why nothing can be served there, and what to do.
    private static func fault(_ error: SystemError, at address: UnixAddress) -> StartFailure {
        switch FileSystem.kind(address.path) {
        case .folder:
            return .configuration("control socket \(address): a folder is in the way; give a path inside it")
        case .regularFile, .other:
            return .configuration(
                "control socket \(address): what is there is no socket; move it away, or give another with --control")
        case nil, .socket:
            if StartFailure.isPermanent(error) { return .configuration("control socket \(address): \(error)") }
            guard error.code == EADDRINUSE, let owner = UnixSocket.listener(at: address) else {
                return .notYet("control socket \(address): \(error)")
            }
            return .notYet(
                "control socket \(address): another awared serves it; end that one with kill \(owner.processID), or "
                    + "give this one a --control and a --state of its own")
        }
    }

    /// Something a snapshot shows may have changed.
    func noteChange() {
        guard !watchers.isEmpty, !isChanged else { return }
        isChanged = true
        let earliest = lastWatch.map { $0.advanced(by: Self.watchInterval) } ?? loop.now
        watchTimer?.arm(max(earliest, loop.now))
    }

    private func take(_ call: VarlinkCall) {
        do throws(VarlinkFault) { try perform(ControlCall(call), call) } catch { server.fail(call.id, error) }
    }

    private func perform(_ request: ControlCall, _ call: VarlinkCall) throws(VarlinkFault) {
        switch request {
        case .status: server.reply(call.id, ["snapshot": snapshot().json])
        case .watch:
            let snapshot = snapshot()
            watchers[call.id] = snapshot
            server.reply(call.id, ["snapshot": snapshot.json], continues: true)
        case .openPairingWindow(let seconds):
            guard showsPINs else { throw .notPossible("this board has no display for a PIN") }
            access.command(.openPairingWindow(seconds.map { .seconds($0) }))
            noteChange()  // opened anew, it reports nothing
            let pairing = snapshot().pairing
            guard pairing.isOpen else { throw .notPossible("the accessory is shutting down") }
            var reply = JSONObject()
            reply["closes_in_ms"] = pairing.closesInMilliseconds.map { .integer(Int64($0)) }
            server.reply(call.id, reply)
        case .closePairingWindow:
            access.command(.closePairingWindow)
            server.reply(call.id, [:])
        case .peers:
            server.reply(
                call.id, ["peers": .array(writer.peers(access.snapshot(), access.ledger()).map(\.json))])
        case .forget(let text):
            guard let id = PairingID(text: text), access.snapshot().peers.contains(where: { $0.id == id }) else {
                throw .noSuchPeer(text)
            }
            forget(.forget(id), ["\(id)"], for: call)
        case .forgetAll: forget(.forgetAll, access.snapshot().peers.map { "\($0.id)" }, for: call)
        case .send(let text, let message):
            guard let id = PairingID(text: text) else { throw .noSuchPeer(text) }
            let snapshot = access.snapshot()
            guard snapshot.peers.contains(where: { $0.id == id }) else { throw .noSuchPeer(text) }
            guard snapshot.connections.contains(where: { $0.pairing == id }) else {
                throw .notPossible("that device is not connected")
            }
            access.command(.send(id, Array(message.utf8)))
            server.reply(call.id, [:])
        case .capture(let path, let seconds): try capture(path, seconds, for: call)
        case .report(let connection, let repeats):
            let report = try report(connection)
            if repeats {
                reporters[call.id] = connection
                reportTimer?.arm(loop.now.advanced(by: Self.reportInterval))
            }
            server.reply(call.id, report, continues: repeats)
        case .stop:
            server.reply(call.id, [:])
            access.stop()
        }
    }

    private func snapshot() -> Control.Snapshot {
        writer.snapshot(access.snapshot(), access.ledger(), now: loop.now)
    }

    /// Answers when what is forgotten is forgotten on disk, too.
    private func forget(_ command: AccessoryCommand, _ ids: [String], for call: VarlinkCall) {
        access.forget(command) { [weak server] cause in
            if let cause {
                server?.fail(call.id, .notPossible("forgotten until the next start only: \(cause)"))
            } else {
                server?.reply(call.id, ["forgotten": .array(ids.map { .string($0) })])
            }
        }
    }

    private func capture(_ path: String?, _ seconds: Int?, for call: VarlinkCall) throws(VarlinkFault) {
        // The file would be made with our rights, not the caller's.
        guard path == nil || call.caller.userID == 0 || call.caller.userID == ProcessIdentity.userID else {
            throw .permissionDenied
        }
        let server = server
        try captures.start(call: call.id, path: path, seconds: seconds) { [weak server] chunk in
            switch chunk {
            case .octets(let octets, let total):
                server?.reply(
                    call.id, ["chunk": .string(octets.base64), "octets": .integer(Int64(total))], continues: true)
            case .end(let total): server?.reply(call.id, ["octets": .integer(Int64(total))])
            case .failed(let reason): server?.fail(call.id, .captureFailed(reason))
            }
        }
    }

    private func forget(_ id: VarlinkCall.ID) {
        watchers[id] = nil
        reporters[id] = nil
        captures.stop(call: id)
    }

    private func sendSnapshots() {
        isChanged = false
        lastWatch = loop.now
        let snapshot = snapshot()
        for (id, last) in watchers where snapshot.differs(from: last) || Self.closesAtAnotherTime(snapshot, last) {
            watchers[id] = server.reply(id, ["snapshot": snapshot.json], continues: true) ? snapshot : nil
        }
    }

    /// The window was opened anew: what is left of it changed by more than has passed.
    private static func closesAtAnotherTime(_ left: Control.Snapshot, _ right: Control.Snapshot) -> Bool {
        func closing(_ snapshot: Control.Snapshot) -> Int {
            snapshot.pairing.closesInMilliseconds.map { $0 + snapshot.uptimeMilliseconds } ?? 0
        }
        return abs(closing(left) - closing(right)) > 500  // above what rounding can do, below what people ask for
    }

    private func report(_ connection: Int?) throws(VarlinkFault) -> JSONObject {
        var list = writer.performance(access.snapshot(), access.ledger())
        if let connection {
            list = list.filter { $0.connection == connection }
            guard !list.isEmpty else { throw .noSuchConnection(connection) }
        }
        return ["report": .array(list.map(\.json))]
    }

    private func sendReports() {
        for (id, connection) in reporters {
            do throws(VarlinkFault) {
                if !server.reply(id, try report(connection), continues: true) { reporters[id] = nil }
            } catch {
                reporters[id] = nil
                server.fail(id, error)
            }
        }
        if !reporters.isEmpty { reportTimer?.arm(loop.now.advanced(by: Self.reportInterval)) }
    }
}
