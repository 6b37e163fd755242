internal import BluetoothFrames
internal import Cryptography
internal import Octets
internal import Ports

/// One Bluetooth controller from its appearance to its loss: finds it, sets it up, powers it, and starts over.
///
/// Both roles stand on it. It fights nobody for the controller: what somebody else switches off is switched on again
/// after a while, because an accessory whose bluetoothd has been restarted would be lost otherwise.
struct ControllerMachine: Sendable {
    struct Configuration: Sendable {
        /// Nil takes the first that speaks LE.
        var index: UInt16?
        /// For a controller that has no public address.
        var staticAddress: BluetoothAddress?
        /// The identity resolving key where the address is to be private.
        var privacyKey: SecretKey?
    }

    enum Output: Equatable {
        case port(BluetoothEffect)
        case changed(BluetoothControllerState)
        case answered(ManagementCommand, ManagementStatus, [UInt8])
        case event(ManagementEvent, key: SecretKey?)
    }

    private enum State: Equatable {
        case closed
        case opening
        case listing
        /// Which of those that are left speaks LE.
        case asking(UInt16, rest: [UInt16])
        case configuring(UInt16, [ManagementCommand])
        case ready(UInt16)
        /// The channel is open and there is nothing to do, until a controller appears or the time is up.
        case resting
        /// The channel is to be opened again.
        case unopened
    }

    /// How long after a failure everything is tried again.
    static let retryTime: Duration = .seconds(5)
    /// The same, where the kernel has no Bluetooth at all, or does not let us.
    static let reopenTime: Duration = .seconds(30)
    /// The same after somebody switched the controller off, or it has reset itself.
    static let powerTime: Duration = .seconds(2)

    private let configuration: Configuration
    private var state = State.closed
    private var queue = ManagementQueue()
    private var retry: MonotonicInstant?
    private var information: ControllerInformation?
    private(set) var told = BluetoothControllerState.off
    /// Where pairing is ours: what the kernel is told of it each time a controller is set up.
    var bonding: ControllerBonding?
    /// The bonds whose keys the kernel was given last.
    private var loaded: [BondRecord]?

    init(_ configuration: Configuration) { self.configuration = configuration }

    var nextDeadline: MonotonicInstant? { [retry, queue.deadline].compactMap { $0 }.min() }

    /// The controller in use, while it is powered.
    ///
    /// Not inlined: the optimiser of Swift 6.3.1 then fails its own ownership check.
    @inline(never) var readyIndex: UInt16? { if case .ready(let index) = state { index } else { nil } }

    /// The controller that is being looked at, set up or used.
    private var currentIndex: UInt16? {
        switch state {
        case .asking(let index, _), .configuring(let index, _), .ready(let index): index
        case .closed, .opening, .listing, .resting, .unopened: nil
        }
    }

    mutating func start() -> [Output] {
        guard state == .closed else { return [] }
        state = .opening
        return tell(.starting) + [.port(.openManagement)]
    }

    /// Forgets everything; whoever owns it closes the port.
    mutating func stop() -> [Output] {
        state = .closed
        queue.clear()
        retry = nil
        return tell(.off)
    }

    /// A command about the controller in use; without one it is dropped, for its answer would come to nobody.
    mutating func send(_ command: ManagementCommand, now: MonotonicInstant) -> [Output] {
        guard let index = readyIndex else { return [] }
        return enqueue(command, index, now)
    }

    mutating func opened(_ now: MonotonicInstant) -> [Output] {
        guard state == .opening || state == .unopened else { return [] }
        return list(now)
    }

    mutating func failed(_ failure: BluetoothFailure, _ now: MonotonicInstant) -> [Output] {
        guard state != .closed else { return [] }
        state = .unopened
        queue.clear()
        let isFinal = failure.cause == .absent || failure.cause == .permission
        retry = now.advanced(by: isFinal ? Self.reopenTime : Self.retryTime)
        return tell(failure.cause == .absent ? .absent(failure.text) : .failed(failure.text))
    }

    mutating func deadlineReached(_ now: MonotonicInstant) -> [Output] {
        if let command = queue.overdue(now) {
            return rest(.failed("the kernel did not answer: \(command.code)"), for: Self.retryTime, now)
        }
        guard let due = retry, due <= now else { return [] }
        retry = nil
        if state == .unopened {
            state = .opening
            return [.port(.openManagement)]
        }
        return state == .resting ? list(now) : []
    }

    mutating func received(_ octets: [UInt8], _ key: SecretKey?, _ now: MonotonicInstant) -> [Output] {
        guard state != .closed, let packet = try? ManagementPacket(octets: octets, keyLength: key?.count ?? 0) else {
            return []
        }
        guard let event = try? ManagementEvent(packet) else { return [] }
        return heard(event, key, packet.index, now)
    }

    private mutating func heard(
        _ event: ManagementEvent, _ key: SecretKey?, _ index: UInt16, _ now: MonotonicInstant
    ) -> [Output] {
        switch event {
        case .commandComplete(let code, let status, let result): return answered(code, index, status, result, now)
        case .commandStatus(let code, let status): return answered(code, index, status, [], now)
        case .indexAdded: return state == .resting ? list(now) : []
        case .indexRemoved: return removed(index, now)
        default: return index == readyIndex ? heardOfOurs(event, key, now) : []
        }
    }

    private mutating func heardOfOurs(
        _ event: ManagementEvent, _ key: SecretKey?, _ now: MonotonicInstant
    ) -> [Output] {
        switch event {
        case .newSettings(let settings):
            guard !settings.contains(.powered) else { return [.event(event, key: key)] }
            return rest(.failed("the Bluetooth controller was switched off"), for: Self.powerTime, now)
        case .controllerError:
            return rest(.failed("the Bluetooth controller has reset itself"), for: Self.powerTime, now)
        default: return [.event(event, key: key)]
        }
    }

    // MARK: Steps

    private mutating func enqueue(_ command: ManagementCommand, _ index: UInt16, _ now: MonotonicInstant) -> [Output] {
        // Somebody may have been forgotten since the steps were planned: a count goes with the keys that follow it.
        let command = bonding?.loads.first { $0.code == command.code } ?? command
        if command.code == .loadLongTermKeys { loaded = bonding?.bonds }
        return queue.add(ManagementQueue.Request(command: command, index: index, key: key(of: command)), now: now)
            .map { .port($0) }
    }

    private func key(of command: ManagementCommand) -> SecretKey? {
        switch command {
        case .loadLongTermKeys: bonding?.longTermKeys
        case .loadIdentityKeys: bonding?.identityKeys
        default:
            command.keyLength > 0 ? configuration.privacyKey ?? SecretKey(count: command.keyLength) { _ in } : nil
        }
    }

    private mutating func list(_ now: MonotonicInstant) -> [Output] {
        state = .listing
        retry = nil
        queue.clear()
        return tell(.starting) + enqueue(.readControllerList, ManagementPacket.noController, now)
    }

    private mutating func answered(
        _ code: UInt16, _ index: UInt16, _ status: ManagementStatus, _ result: [UInt8], _ now: MonotonicInstant
    ) -> [Output] {
        guard let command = queue.answered(code, index: index) else { return [] }
        let outputs = take(command, status, result, now)
        return outputs + queue.next(now).map { .port($0) }
    }

    private mutating func take(
        _ command: ManagementCommand, _ status: ManagementStatus, _ result: [UInt8], _ now: MonotonicInstant
    ) -> [Output] {
        var reader = ByteReader(result)
        switch (state, command) {
        case (.listing, .readControllerList):
            guard status == .success, let list = try? ControllerList(from: &reader) else {
                return rest(.failed("no list of Bluetooth controllers: \(status)"), for: Self.retryTime, now)
            }
            return ask(list.indices.sorted().filter { configuration.index == nil || configuration.index == $0 }, now)
        case (.asking(let index, let rest), .readControllerInformation):
            guard status == .success, let information = try? ControllerInformation(from: &reader),
                information.supported.contains(.lowEnergy)
            else { return ask(rest, now) }
            self.information = information
            return configure(index, steps(information), now)
        case (.configuring(let index, let steps), _):
            guard status == .success else {
                return rest(.failed("\(command.code) was refused: \(status)"), for: Self.retryTime, now)
            }
            return configure(index, Array(steps.dropFirst()), now)
        default: return [.answered(command, status, result)]
        }
    }

    private mutating func ask(_ indices: [UInt16], _ now: MonotonicInstant) -> [Output] {
        guard let index = indices.first else {
            let which = configuration.index.map { "hci\($0)" } ?? "Bluetooth LE controller"
            return rest(.absent("there is no \(which)"), for: nil, now)
        }
        state = .asking(index, rest: Array(indices.dropFirst()))
        return enqueue(.readControllerInformation, index, now)
    }

    /// Address and privacy are set while the controller is off (mgmt-api.txt, "Set Static Address", "Set Privacy").
    private func steps(_ information: ControllerInformation) -> [ManagementCommand] {
        let (supported, current) = (information.supported, information.current)
        var steps: [ManagementCommand] = []
        // One that has a public address keeps it: bluetoothd listens on the kind of address it saw when it started, and the
        // kernel gives a central to nobody who listens on another.
        if let address = configuration.staticAddress, information.address.bits == 0,
            supported.contains(.staticAddress), !current.contains(.staticAddress)
        {
            steps.append(.setStaticAddress(address))
        }
        let isPrivate = configuration.privacyKey != nil
        if supported.contains(.privacy), isPrivate || current.contains(.privacy) {
            steps.append(.setPrivacy(isPrivate))
        }
        if current.contains(.powered), !steps.isEmpty { steps.insert(.setPowered(false), at: 0) }
        if !current.contains(.lowEnergy) { steps.append(.setLowEnergy(true)) }
        steps += bonding?.commands(current) ?? []
        if !current.contains(.powered) || steps.first == .setPowered(false) { steps.append(.setPowered(true)) }
        return steps
    }

    private mutating func configure(_ index: UInt16, _ steps: [ManagementCommand], _ now: MonotonicInstant) -> [Output]
    {
        if let step = steps.first {
            state = .configuring(index, steps)
            return enqueue(step, index, now)
        }
        // Who was forgotten while the controller was being set up is not let in by it.
        if let bonding, bonding.bonds != loaded { return configure(index, bonding.loads, now) }
        state = .ready(index)
        return tell(
            .ready(
                BluetoothController(
                    index: index, address: shownAddress, isPrivate: configuration.privacyKey != nil)))
    }

    /// What advertisements come from; nil where it changes.
    private var shownAddress: BluetoothAddress? {
        guard configuration.privacyKey == nil, let information else { return nil }
        guard information.address.bits == 0 else { return information.address }
        return information.supported.contains(.staticAddress) ? configuration.staticAddress : nil
    }

    private mutating func removed(_ index: UInt16, _ now: MonotonicInstant) -> [Output] {
        guard index == currentIndex else { return [] }
        queue.clear()
        return list(now)  // another one may be there
    }

    /// Waits for a controller to appear, or for `duration`.
    private mutating func rest(
        _ reason: BluetoothControllerState, for duration: Duration?, _ now: MonotonicInstant
    ) -> [Output] {
        state = .resting
        queue.clear()
        retry = duration.map { now.advanced(by: $0) }
        return tell(reason)
    }

    private mutating func tell(_ new: BluetoothControllerState) -> [Output] {
        guard told != new else { return [] }
        told = new
        return [.changed(new)]
    }
}
