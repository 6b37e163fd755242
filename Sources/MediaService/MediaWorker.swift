internal import Identity
internal import LinuxRuntime
internal import MediaTransport
internal import Octets
internal import Ports

/// What runs on the media thread: services, connections and the one timer for all streams.
final class MediaWorker {
    /// Connections at once; the radio holds fewer data paths.
    static let connectionLimit = 32

    let loop: EventLoop
    let configuration: MediaService.Configuration
    let counters: SharedCounters
    let log: Logger
    let report: (StreamReport) -> Void
    /// Shared by all sockets: one datagram is dealt with before the next is received.
    let receiver = DatagramReceiver()
    let batch: BorrowedDatagrams
    /// Nil on a board without.
    private(set) var camera: Camera?

    private let commands: BoundedQueue<StreamCommand>
    private var commandSource: EventSource?
    private var timer: LoopTimer?
    private var services: [ServicePort: ServedService] = [:]
    private var connections: [ConnectionID: Connection] = [:]
    /// The flows with a viewer, for the timer.
    private var viewing: [DatagramFlow] = []
    private var nextPerformance: MonotonicInstant?
    private var entropy: Entropy
    private var hasLoggedPriority = false

    init(
        loop: EventLoop, configuration: MediaService.Configuration, counters: SharedCounters, log: Logger,
        commands: BoundedQueue<StreamCommand>, report: @escaping (StreamReport) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.configuration = configuration
        self.counters = counters
        self.log = log
        self.commands = commands
        self.report = report
        batch = BorrowedDatagrams(capacity: configuration.video.burst)
        entropy = configuration.entropy.fork(label: "media")
        commandSource = try loop.watch(commands.descriptor) { [unowned self] in takeCommands() }
        timer = try loop.timer { [unowned self] in reachDeadline() }
        camera = try configuration.camera.map { program throws(SystemError) in
            try Camera(program, configuration.cameraLife, worker: self)
        }
    }

    private func takeCommands() {
        for command in commands.takeAll() { handle(command) }
        arm()
    }

    private func handle(_ command: StreamCommand) {
        switch command {
        case .openService(let declaration): open(declaration)
        case .connect(let id, let port, let local, let peer): connect(id, to: port, local: local, peer: peer)
        case .disconnect(let id):
            connections.removeValue(forKey: id)?.close()
            if connections.isEmpty { nextPerformance = nil }
        case .close:
            for connection in connections.values { connection.close() }
            connections = [:]
            services = [:]
            nextPerformance = nil
            guard let camera else { return leave() }
            camera.close { [unowned self] in leave() }
        }
    }

    private func leave() {
        report(.closed)
        loop.exit()
    }

    private func open(_ declaration: ServiceDeclaration) {
        let port = ServicePort(declaration)
        guard services[port] == nil else { return report(.serviceFailed(port, "the port is served already")) }
        do throws(ClipFile.Failure) {
            services[port] = try ServedService(declaration, worker: self)
            report(.serviceOpened(port))
        } catch {
            report(.serviceFailed(port, error.description))
        }
    }

    private func connect(_ id: ConnectionID, to port: ServicePort, local: IPAddress, peer: IPAddress) {
        guard let service = services[port] else { return report(.serviceFailed(port, "the port is not served")) }
        guard connections[id] == nil, connections.count < Self.connectionLimit else {
            return counters.update { $0.overLimit += 1 }
        }
        let now = loop.now
        let connection = Connection(id, service: service, local: local, peer: peer, since: now)
        do throws(SystemError) {
            try service.admit(connection)
        } catch {
            return report(.serviceFailed(port, "\(error)"))
        }
        connections[id] = connection
        if nextPerformance == nil { nextPerformance = now.advanced(by: configuration.performanceInterval) }
    }

    // MARK: - For flows

    /// Numbers for one flow's stream: identifiers that must differ, not secrets.
    func streamEntropy() -> Entropy { .seeded(entropy.next()) }

    func startTiming(_ flow: DatagramFlow) {
        if !viewing.contains(where: { $0 === flow }) { viewing.append(flow) }
        tellCamera()
    }

    func stopTiming(_ flow: DatagramFlow) {
        viewing.removeAll { $0 === flow }
        tellCamera()
    }

    private func tellCamera() { camera?.setViewers(viewing.count { $0.viewsCamera }) }

    /// Has every viewer of the camera sent its next picture.
    func show(_ picture: LivePicture) {
        let now = loop.now
        // By index, as in `reachDeadline`.
        var index = 0
        while index < viewing.count {
            let flow = viewing[index]
            if flow.viewsCamera { flow.show(picture, now: now) }
            if index < viewing.count, viewing[index] === flow { index += 1 }
        }
        arm()
    }

    /// Marks a socket for its flow, and says once where the kernel's priority is out of reach.
    func mark(_ socket: borrowing FileDescriptor, _ marking: TrafficMarking, isV6: Bool) throws(SystemError) {
        let isPermitted = try socket.mark(
            trafficClass: marking.trafficClass, priority: marking.socketPriority, isV6: isV6)
        guard !isPermitted, !hasLoggedPriority else { return }
        hasLoggedPriority = true
        log.log(.info, "SO_PRIORITY needs CAP_NET_ADMIN: the DSCP alone marks the flows")
    }

    // MARK: - Time

    /// Sets the timer to the earliest deadline; called after whatever may have moved one.
    func arm() {
        var next = nextPerformance
        for flow in viewing {
            guard let deadline = flow.nextDeadline else { continue }
            next = min(next ?? deadline, deadline)
        }
        timer?.arm(next)
    }

    private func reachDeadline() {
        let now = loop.now
        // By index: a viewer that ends leaves the list.
        var index = 0
        while index < viewing.count {
            let flow = viewing[index]
            flow.advance(now)
            if index < viewing.count, viewing[index] === flow { index += 1 }
        }
        if let due = nextPerformance, due <= now {
            nextPerformance = now.advanced(by: configuration.performanceInterval)
            Logger.releaseHeld()
            for connection in connections.values {
                if let performance = connection.takePerformance(now) {
                    report(.performance(connection.id, performance))
                }
            }
        }
        arm()
    }
}
