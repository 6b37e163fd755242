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
    /// Events that wait: seconds of the most crowded air.
    private static let eventLimit = 4096

    package var onEvent: (RadioEvent) -> Void = { _ in }

    private let requests: BoundedQueue<RadioWorker.Request>
    private let events: BoundedQueue<RadioEvent>
    private let thread: WorkerThread
    private var source: EventSource?

    package init(loop: EventLoop, configuration: Configuration) throws(SystemError) {
        let requests = try BoundedQueue<RadioWorker.Request>(capacity: Self.requestLimit)
        let events = try BoundedQueue<RadioEvent>(capacity: Self.eventLimit)
        self.requests = requests
        self.events = events
        thread = try WorkerThread(name: "radio") {
            let log = Logger("radio", threshold: configuration.logThreshold)
            do throws(SystemError) {
                let loop = try EventLoop()
                let worker = try RadioWorker(
                    loop: loop,
                    selection: RadioSelection(name: configuration.wiphy, country: configuration.country),
                    requests: requests, log: log
                ) { event in
                    // Full only when the control thread stands still; what matters is repeated by the peer.
                    if !events.push(event) { log.log(.error, "the control thread is too far behind: an event is lost") }
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
        while !requests.push(.perform(effect)) { sched_yield() }
    }
}
