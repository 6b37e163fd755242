internal import Glibc
package import LinuxRuntime
package import Ports

/// A real radio: NAN through nl80211, on a thread of its own.
///
/// The kernel keeps cluster, windows and encryption; discovery, pairing and data paths are decided by whoever performs
/// effects on it. Needs Linux 7.2, a driver with user-space discovery, and CAP_NET_ADMIN; what is missing is told by
/// `failed` when it is started. Confined to its loop's thread.
package final class NL80211Radio: RadioPort {
    package struct Configuration: Equatable, Sendable {
        /// `phy0`, say; nil for the first radio that is fit.
        package var wiphy: String?
        /// Two letters; nil leaves the regulatory domain as it is.
        package var country: String?
        package var logThreshold: LogLevel

        package init(wiphy: String? = nil, country: String? = nil, logThreshold: LogLevel = .info) {
            self.wiphy = wiphy
            self.country = country
            self.logThreshold = logThreshold
        }
    }

    /// Effects that wait: a pairing or a data path asks some ten at once, per peer.
    private static let requestLimit = 1024
    /// Places among them for what is not refused: a start, a stop, the end.
    private static let requestReserve = 8
    /// Events that wait: seconds of the most crowded air.
    private static let eventLimit = 4096

    package var onEvent: (RadioEvent) -> Void = { _ in }

    private let loop: EventLoop
    private let log: Logger
    private let requests: BoundedQueue<RadioWorker.Request>
    private let events: BoundedQueue<RadioEvent>
    private let thread: WorkerThread
    private var source: EventSource?

    package init(loop: EventLoop, configuration: Configuration) throws(SystemError) {
        let requests = try BoundedQueue<RadioWorker.Request>(capacity: Self.requestLimit)
        let events = try BoundedQueue<RadioEvent>(capacity: Self.eventLimit)
        let log = Logger("radio", threshold: configuration.logThreshold)
        let eventReserve = Self.eventLimit / 4
        self.loop = loop
        self.log = log
        self.requests = requests
        self.events = events
        thread = try WorkerThread(name: "radio") {
            do throws(SystemError) {
                let loop = try EventLoop()
                let worker = try RadioWorker(
                    loop: loop,
                    selection: RadioSelection(name: configuration.wiphy, country: configuration.country),
                    requests: requests, log: log
                ) { event in
                    // Full only when the control thread stands still.
                    if !events.push(event, leaving: event.isOneOfMany ? eventReserve : 0) {
                        log.log(.error, "the control thread is too far behind: an event is lost")
                    }
                }
                // The loop's handlers do not hold the worker.
                try withExtendedLifetime(worker) { () throws(SystemError) in _ = try loop.run() }
            } catch {
                log.log(.error, "the radio thread ended", [("error", "\(error)")])
                _ = events.push(.stopped(.lost("the radio thread ended: \(error)")))
            }
        }
        source = try loop.watch(events.descriptor) { [unowned self] in
            for event in events.takeAll() { onEvent(event) }
        }
    }

    deinit {
        source = nil
        // Full only while the thread is busy with what is in it.
        while !requests.push(.end) { sched_yield() }
        thread.join()
    }

    package func perform(_ effect: RadioEffect) {
        guard let command = effect.command else {
            // A start or a stop is not refused for want of room, and others leave it some.
            while !requests.push(.perform(effect)) { sched_yield() }
            return
        }
        guard !requests.push(.perform(effect), leaving: Self.requestReserve) else { return }
        // A radio that hangs takes nothing for seconds, and the control thread must not wait with it.
        log.log(.error, "the radio is too far behind: a command is refused", [("command", command.kind)])
        let failure = RadioFailure(.busy, "too many commands wait for the radio")
        loop.post { [weak self] in self?.onEvent(.refused(command, failure)) }
    }
}

extension RadioEvent {
    /// Comes by the thousand, and is repeated by the peer or the kernel: it does not take the last room from the rest.
    var isOneOfMany: Bool {
        switch self {
        case .received, .discoveryWindowAhead: true
        case .started, .failed, .stopped, .clusterJoined, .transmitted, .dataInterfaceAdded, .dataLinkOpened,
            .inactivity, .refused:
            false
        }
    }
}

extension RadioCommand {
    /// What it is about, without anybody's address: for the log.
    var kind: String {
        switch self {
        case .localSchedule: "local schedule"
        case .peer: "peer"
        case .dataInterface: "data interface"
        case .dataPeer: "data peer"
        case .transmission: "transmission"
        }
    }
}
