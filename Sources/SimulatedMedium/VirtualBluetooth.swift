package import Octets
package import Ports

/// Several simulated Bluetooth controllers within hearing of each other, on virtual time.
///
/// A pure machine, as `VirtualAir` is for NAN radios.
package struct VirtualBluetooth: Sendable {
    package struct ControllerID: Hashable, Sendable {
        package let rawValue: Int
        package init(_ rawValue: Int) { self.rawValue = rawValue }
    }

    package enum Event: Equatable, Sendable {
        case perform(ControllerID, BluetoothEffect)
        case switched(ControllerID, on: Bool)
        case present(ControllerID, Bool)
        case deadlineReached
    }

    /// What a controller tells, or one has said on the air.
    package enum Effect: Equatable, Sendable {
        case event(ControllerID, BluetoothEvent)
        case air(ControllerID, BluetoothAirFrame)
    }

    private struct Arrival {
        let at: MonotonicInstant
        let from: Int
        let frame: BluetoothAirFrame
    }

    /// How long a frame is on its way: less than the least connection interval, 7.5 ms.
    private static let travel: Duration = .milliseconds(2)

    private var entropy: Entropy
    private var controllers: [VirtualController] = []
    private var arrivals: [Arrival] = []
    private var effects: [Effect] = []

    package init(entropy: Entropy) { self.entropy = entropy }

    package mutating func addController(_ configuration: VirtualController.Configuration = .init()) -> ControllerID {
        controllers.append(VirtualController(configuration, entropy: .seeded(entropy.next())))
        return ControllerID(controllers.count - 1)
    }

    package var nextDeadline: MonotonicInstant? {
        (controllers.compactMap(\.nextDeadline) + arrivals.map(\.at)).min()
    }

    /// - Precondition: the controllers were added to this air; `now` never goes backwards.
    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        settle(now)
        switch event {
        case .perform(let controller, let effect): tell(controller.rawValue, .perform(effect), now)
        case .switched(let controller, let isOn): tell(controller.rawValue, .switched(on: isOn), now)
        case .present(let controller, let isPresent): tell(controller.rawValue, .present(isPresent), now)
        case .deadlineReached: break
        }
        settle(now)
        defer { effects = [] }
        return effects
    }

    private mutating func settle(_ now: MonotonicInstant) {
        while let due = nextDeadline, due <= now {
            let arriving = arrivals.filter { $0.at <= due }
            arrivals.removeAll { $0.at <= due }
            for arrival in arriving {
                for index in controllers.indices where index != arrival.from { tell(index, .heard(arrival.frame), due) }
            }
            for index in controllers.indices {
                if let deadline = controllers[index].nextDeadline, deadline <= due {
                    tell(index, .deadlineReached, due)
                }
            }
        }
    }

    private mutating func tell(_ index: Int, _ event: VirtualController.Event, _ now: MonotonicInstant) {
        for output in controllers[index].handle(event, now: now) {
            switch output {
            case .event(let event): effects.append(.event(ControllerID(index), event))
            case .air(let frame):
                effects.append(.air(ControllerID(index), frame))
                arrivals.append(Arrival(at: now.advanced(by: Self.travel), from: index, frame: frame))
            }
        }
    }
}
