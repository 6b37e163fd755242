internal import AccessoryCore
internal import BluetoothAdapter
internal import GPIOAdapter
internal import Glibc
internal import Hosting
internal import LinuxRuntime
internal import MediaService
internal import NANSecurity
internal import Octets
internal import PeerStore
internal import Ports
internal import SimulatedRadio

/// One run of the accessory: the ports around its `Host`, on one loop.
///
/// It decides nothing about pairing or frames; what it decides is how a process starts and ends.
final class Daemon {
    /// Elliptic-curve work asked and not answered: two PINs' elements and a pairing's steps are below ten.
    private static let cryptoLimit = 64
    /// Changes asked and not yet on disk.
    private static let storeLimit = 64

    let configuration: DaemonConfiguration
    let loop: EventLoop
    let log: EventLog
    let store: PeerStore
    let captures: Captures
    var ledger = Ledger()
    private(set) var host: Host<Accessory>?

    private var radio: (any DaemonRadio)?
    private var bluetooth: (any BluetoothPort)?
    private var media: MediaService?
    private var mediaSource: EventSource?
    var display: DisplayThread?
    var button: ButtonReader?
    private var cryptoThread: RequestThread<CryptoJob, CryptoResult>?
    private(set) var storeThread: RequestThread<StoreCommand, StoreEvent>?
    var control: ControlService?
    var manager = ManagerNotice()
    private var isNoticePosted = false

    /// Forgetting that somebody waits for: what is not on disk yet.
    private var forgetting: [StoreTicket: Forgetting] = [:]
    /// Set while a command is handled whose store tickets are wanted.
    private var collecting: Forgetting?

    // How it ends; see Daemon+Ending.swift.
    var signals = SignalSources()
    var ending = Ending.none
    var endTimer: LoopTimer?
    var radioIsStopped = false
    var mediaIsClosed = false
    var isLeaving = false
    /// Why the radio refused the first start; then the daemon ends.
    private(set) var refusal: StartFailure?
    private var hasStarted = false
    /// Why a reload would fail; nil when it would not.
    let checkConfiguration: () -> String?

    final class Forgetting {
        var tickets: Set<StoreTicket> = []
        var failure: String?
        let done: (String?) -> Void

        init(_ done: @escaping (String?) -> Void) { self.done = done }
    }

    /// Opens and starts everything but the accessory itself; what is missing is an error.
    init(
        _ configuration: DaemonConfiguration, log: EventLog, checkConfiguration: @escaping () -> String?
    ) throws(StartFailure) {
        self.configuration = configuration
        self.log = log
        self.checkConfiguration = checkConfiguration
        do throws(PeerStoreError) {
            store = try PeerStore(folder: configuration.stateFolder, entropy: Self.entropy(configuration, "store"))
        } catch { throw StartFailure(error) }
        do throws(SystemError) {
            loop = try EventLoop()
            try log.attach(to: loop)
            captures = Captures(on: loop, header: configuration.radio.captureHeader)
            // Before the first thread: threads inherit which signals are blocked.
            try watchSignals()
        } catch { throw .failure("\(error)") }
        try openFolder()
        try startDisplay()
        try configuration.camera?.check(for: "camera")
        try startThreads()
        try startRadio()
        try startBluetooth()
        try startCapture()
        try startControl()
        makeHost()
        try startButton()
    }

    private static func entropy(_ configuration: DaemonConfiguration, _ label: StaticString) -> Entropy {
        guard let seed = configuration.seed else { return .kernel }
        return Entropy.seeded(seed).fork(label: label)
    }

    private func openFolder() throws(StartFailure) {
        guard let folder = configuration.runtimeFolder else { return }
        // The group may go in, to the control socket.
        do throws(FileError) { try ServiceDirectories.make(folder, mode: 0o750) } catch { throw StartFailure(error) }
    }

    private func startCapture() throws(StartFailure) {
        guard let path = configuration.capturePath else { return }
        do throws(FileError) {
            try captures.start(path: path) { [unowned self] in log.write(.error, "capture", $0) }
        } catch { throw StartFailure(error) }
    }

    private func startThreads() throws(StartFailure) {
        do throws(SystemError) {
            cryptoThread = try RequestThread(
                name: "crypto", capacity: Self.cryptoLimit, on: loop, makeWorker: { { $0.run() } },
                onReply: { [unowned self] in handle(.crypto($0)) })
            let store = self.store
            storeThread = try RequestThread(
                name: "store", capacity: Self.storeLimit, on: loop, makeWorker: { { store.handle($0) } },
                onReply: { [unowned self] in stored($0) })
            var media = MediaService.Configuration()
            media.logThreshold = configuration.logLevel
            media.camera = configuration.camera
            let service = try MediaService(configuration: media)
            mediaSource = try loop.watch(service.reportDescriptor) { [unowned self, unowned service] in
                for report in service.takeReports() { told(report) }
            }
            self.media = service
        } catch { throw .failure("\(error)") }
    }

    private func startRadio() throws(StartFailure) {
        let radio: any DaemonRadio
        switch configuration.radio {
        case .simulated(let folder):
            radio = try SimulatedPort(air: folder, loop: loop, entropy: Self.entropy(configuration, "radio"))
        case .nl80211(let wiphy, let country):
            radio = try KernelPort(
                .init(wiphy: wiphy, country: country, logThreshold: configuration.logLevel), loop: loop)
        }
        radio.onEvent = { [unowned self] in told($0) }
        captures.onUse = { [unowned radio, unowned captures] isUsed in
            radio.capture(to: isUsed ? { captures.take($0) } : nil)
        }
        self.radio = radio
    }

    private func startBluetooth() throws(StartFailure) {
        switch configuration.bluetooth {
        case .none: return
        case .simulated(let folder):
            do throws(FileError) {
                bluetooth = try AirBluetooth(
                    loop: loop, folder: folder, entropy: Self.entropy(configuration, "bluetooth"))
            } catch { throw StartFailure(error) }
        case .adapter: bluetooth = KernelBluetooth(loop: loop, logThreshold: configuration.logLevel)
        }
        bluetooth?.onEvent = { [unowned self] in handle(.bluetooth($0)) }
    }

    private func startControl() throws(StartFailure) {
        let access = ControlService.Access(
            snapshot: { [unowned self] in snapshot },
            ledger: { [unowned self] in ledger },
            command: { [unowned self] in handle(.command($0)) },
            forget: { [unowned self] in forget($0, $1) },
            stop: { [unowned self] in end(.stopping) })
        control = try ControlService(
            at: configuration.controlSocket, on: loop, access: access,
            writer: SnapshotWriter(
                identity: configuration.identity, radio: configuration.radioName, startedAt: loop.now,
                camera: configuration.camera?.path,
                outside: { [unowned self] in dropCounts }),
            captures: captures, showsPINs: configuration.display != .none)
    }

    /// What never reached the accessory.
    private var dropCounts: [String: Int] {
        (radio?.dropCounts ?? [:]).merging(media.map { DropCounts.of($0.counters) } ?? [:]) { $0 + $1 }
    }

    private func makeHost() {
        var ports = PortSet<Accessory>()
        ports.radio = { [unowned self] in radio?.perform($0) }
        ports.bluetooth = { [unowned self] in bluetooth?.perform($0) }
        ports.crypto = { [unowned self] in compute($0) }
        ports.store = { [unowned self] in save($0) }
        ports.stream = { [unowned self] in serve($0) }
        ports.display = { [unowned self] in display?.show($0) }
        ports.report = { [unowned self] in told($0) }
        ports.arm = { [unowned self] in loop.arm($0) }
        if log.tracesEverything { ports.trace = { [unowned self] in log.trace($0, $1) } }
        loop.onDeadline = { [unowned self] in handle(.deadlineReached) }
        let accessory = Accessory(
            AccessorySetup.configuration(configuration.identity, bluetooth: configuration.bluetooth),
            stored: store.state,
            entropy: Self.entropy(configuration, "accessory"))
        host = Host(accessory, ports: ports)
    }

    var snapshot: AccessorySnapshot {
        guard let host else { preconditionFailure("asked before the start") }
        return host.root.snapshot(now: loop.now)
    }

    func handle(_ event: PortEvent<AccessoryCommand>) {
        host?.handle(event, now: loop.now)
        // Keys may have passed; the loop may wait next, for long.
        clearVectorRegisters()
    }

    // MARK: The ports

    private func compute(_ job: CryptoJob) {
        if cryptoThread?.ask(job) == true { return }
        // More work than any number of phones can cause: whoever waits for this fails and tries again.
        log.write(.error, "crypto", "too much is asked at once")
        loop.post { [unowned self] in
            handle(.crypto(CryptoResult(id: job.id, outcome: .failed(.refused(operation: "queue", code: 0)))))
        }
    }

    private func save(_ command: StoreCommand) {
        if let collecting {
            collecting.tickets.insert(command.ticket)
            forgetting[command.ticket] = collecting
        }
        if storeThread?.ask(command) == true { return }
        loop.post { [unowned self] in stored(.failed(command.ticket, "too many changes wait for the disk")) }
    }

    private func stored(_ event: StoreEvent) {
        handle(.store(event))
        let ticket: StoreTicket
        switch event {
        case .saved(let saved): ticket = saved
        case .failed(let failed, let cause):
            ticket = failed
            forgetting[failed]?.failure = cause
        }
        if let waiting = forgetting.removeValue(forKey: ticket) {
            waiting.tickets.remove(ticket)
            if waiting.tickets.isEmpty { waiting.done(waiting.failure) }
        }
        finishIfDone()
    }

    private func forget(_ command: AccessoryCommand, _ done: @escaping (String?) -> Void) {
        let waiting = Forgetting(done)
        collecting = waiting
        handle(.command(command))
        collecting = nil
        if waiting.tickets.isEmpty { done(nil) }
    }

    private func serve(_ command: StreamCommand) {
        if media?.send(command) == true { return }
        log.write(.error, "media", "the media thread is too far behind")
    }

    private func told(_ event: RadioEvent) {
        switch event {
        case .started: hasStarted = true
        case .failed(let failure) where !hasStarted && ending == .none && configuration.radio.isReal:
            // What this board lacks now it will lack in a second, too: the service manager tries again, and says so.
            refusal = StartFailure(failure)
            end(.stopping)
        default: break
        }
        handle(.radio(event))
    }

    private func told(_ report: StreamReport) {
        if case .performance(let id, let figures) = report, let peer = ledger.connections[id]?.peerAddress {
            let isMoving = (figures.sentPerSecond ?? 0) + (figures.receivedPerSecond ?? 0) > 0
            if isMoving { radio?.noteTraffic(with: peer) }
        }
        if report == .closed {
            // Not asked to: the thread has failed, and with it every service.
            if ending == .none {
                for service in configuration.identity.services {
                    handle(.stream(.serviceFailed(ServicePort(service), "the media thread ended")))
                }
            }
            mediaIsClosed = true
        }
        handle(.stream(report))
        finishIfDone()
    }

    private func told(_ report: AccessoryReport) {
        let now = loop.now
        log.report(report, now: now)
        ledger.note(report, now: now, wallClock: WallClock.seconds)
        switch report {
        case .dropped: return  // strangers cause these by the thousand, and no watcher is shown them
        case .stopped: radioIsStopped = true
        default: break
        }
        control?.noteChange()
        guard !isNoticePosted else { return }
        isNoticePosted = true
        // The machine is in the midst of an event: what is read of it waits until it is through.
        loop.post { [unowned self] in
            isNoticePosted = false
            manager.note(snapshot)
            finishIfDone()
        }
    }

    /// Runs until it is told to end.
    func run() throws(SystemError) {
        try loop.enableWatchdog()
        reportOpening()
        handle(.command(.start))
        _ = try loop.run()
        Logger.releaseHeld(all: true)
    }

    private func reportOpening() {
        switch store.opening {
        case .fresh: log.write(.info, "store", "new; nothing is paired", [("folder", configuration.stateFolder)])
        case .newest: break
        case .previous(let error):
            log.write(
                .error, "store", "the newest state does not verify; the one before it is used",
                [("cause", "\(error)"), ("folder", configuration.stateFolder)])
        }
    }
}
