internal import LinuxRuntime
internal import Octets
internal import Ports

/// What runs on the radio's thread: one session of NAN at a time, its sockets, the radio's switch.
///
/// A command is carried out inside the kernel before the call returns, and some take milliseconds; on this thread
/// nobody waits for them.
final class RadioWorker {
    enum Request: Sendable {
        case perform(RadioEffect)
        case end
    }

    private let loop: EventLoop
    private var selection: RadioSelection
    private let requests: BoundedQueue<Request>
    private let report: (RadioEvent) -> Void
    private let log: Logger
    private var requestSource: EventSource?
    private var eventSource: EventSource?
    private var linkSource: EventSource?
    private var switchSource: EventSource?
    private let radioSwitch = RadioSwitch()
    private var session: NANSession?

    init(
        loop: EventLoop, selection: RadioSelection, requests: BoundedQueue<Request>, log: Logger,
        report: @escaping (RadioEvent) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.selection = selection
        self.requests = requests
        self.log = log
        self.report = report
        requestSource = try loop.watch(requests.descriptor) { [unowned self] in takeRequests() }
        radioSwitch?.update()
        if let descriptor = radioSwitch?.descriptor {
            switchSource = try loop.watch(descriptor) { [unowned self] in switched() }
        }
        loop.onDeadline = { [unowned self] in
            session?.expire(now: loop.now)
            settle()
        }
    }

    private func takeRequests() {
        for request in requests.takeAll() {
            guard case .perform(let effect) = request else { return finish() }
            perform(effect)
            settle()
        }
        // Keys may have passed; the loop may wait next, for long.
        clearVectorRegisters()
    }

    private func finish() {
        close()
        loop.exit()
    }

    private func perform(_ effect: RadioEffect) {
        do throws(RadioFailure) {
            switch (effect, session) {
            case (.start, _?): throw RadioFailure(.busy, "START_NAN: NAN is running already")
            case (.start(let configuration), nil): try start(configuration)
            case (.stop, _):
                close()
                report(.stopped(.requested))
            case (_, nil): throw RadioFailure(.notStarted, "NAN is not started")
            case (_, let session?): try session.perform(effect, now: loop.now)
            }
        } catch {
            // In order: what the session told before comes first.
            for event in session?.takeEvents() ?? [] { report(event) }
            guard let command = effect.command else { return report(.failed(error)) }
            // The words are told nowhere else; one message for all, by which the logger limits a flood of them.
            log.log(.warning, "a command was refused", [("command", command.kind), ("error", error.text)])
            report(.refused(command, error))
        }
    }

    private func start(_ configuration: RadioConfiguration) throws(RadioFailure) {
        let client = try NL80211Client()
        let wiphy = try selection.choose(client)
        selection.remember(wiphy)
        radioSwitch?.update()
        guard radioSwitch?.isOff(wiphy.name) != true else {
            throw RadioSwitch.failure(wiphy.name)
        }
        guard let capabilities = wiphy.capabilities else {
            throw RadioFailure(.noDataPath, "\(wiphy.name) tells no capabilities")
        }
        let session = try NANSession(configuration, on: wiphy, client: client, log: log, now: loop.now)
        do throws(SystemError) {
            eventSource = try loop.watch(session.events.descriptor) { [unowned self] in receive() }
            linkSource = try loop.watch(session.links.descriptor) { [unowned self] in receive() }
        } catch {
            eventSource = nil
            throw RadioFailure(.other, "\(error)")
        }
        self.session = session
        log.log(.info, "NAN started", [("radio", wiphy.name)])
        report(.started(capabilities))
    }

    private func receive() {
        session?.receive(now: loop.now)
        settle()
    }

    private func switched() {
        radioSwitch?.update()
        guard let session, radioSwitch?.isOff(session.wiphy.name) == true else { return }
        session.lose("\(session.wiphy.name) was switched off (rfkill)")
        settle()
    }

    /// Tells what has gathered, and ends a session that has ended by itself.
    private func settle() {
        guard let session else { return loop.arm(nil) }
        for event in session.takeEvents() { report(event) }
        if let cause = session.loss {
            close()
            report(.stopped(.lost(cause)))
        } else {
            loop.arm(session.nextDeadline)
            // What came while a command on that socket waited for its answer: no watch tells of it any more.
            if session.events.hasEarly { loop.post { [unowned self] in receive() } }
        }
    }

    private func close() {
        session?.stop()
        // Before the descriptors they watch.
        eventSource = nil
        linkSource = nil
        session = nil
        loop.arm(nil)
    }
}
