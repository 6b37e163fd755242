package import Octets
package import Ports

/// The one way in: an event to the root machine, its effects to their ports, in order.
///
/// The machine contract is kept here, once: effects run to the end before the next event, an event
/// that a port raises meanwhile waits its turn, time never goes back, and the timer is set after
/// every turn. Board, phone and scenario tests run this same code.
///
/// Confined to one thread, as the machine is.
package final class Host<Root: RootMachine> {
    /// For queries; only `handle` changes it.
    package private(set) var root: Root
    private let ports: PortSet<Root>
    private var waiting: [PortEvent<Root.Command>] = []
    private var isDispatching = false
    private var latest = MonotonicInstant(nanoseconds: 0)

    package init(_ root: Root, ports: PortSet<Root>) {
        self.root = root
        self.ports = ports
    }

    package func handle(_ event: PortEvent<Root.Command>, now: MonotonicInstant) {
        precondition(now >= latest, "time went back")
        latest = now
        waiting.append(event)
        guard !isDispatching else { return }  // a port answered at once: the outer call takes it up
        isDispatching = true
        defer { isDispatching = false }
        var next = 0
        while next < waiting.count {
            let event = waiting[next]
            next += 1
            let effects = root.handle(event, now: latest)
            ports.trace(event, effects)
            for effect in effects { perform(effect) }
        }
        waiting.removeAll(keepingCapacity: true)
        ports.arm(root.nextDeadline)
    }

    private func perform(_ effect: PortEffect<Root.Report>) {
        switch effect {
        case .radio(let effect): ports.radio(effect)
        case .bluetooth(let effect): ports.bluetooth(effect)
        case .crypto(let job): ports.crypto(job)
        case .store(let command): ports.store(command)
        case .stream(let command): ports.stream(command)
        case .display(let content): ports.display(content)
        case .report(let report): ports.report(report)
        }
    }
}
