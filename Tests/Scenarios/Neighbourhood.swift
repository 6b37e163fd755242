import AccessoryCore
import Cryptography
import Hosting
import Identity
import NANEngine
import NANFrames
import NANSecurity
import Octets
import PhoneCore
import Ports
import SimulatedMedium

/// Accessories and phones within hearing of each other, on virtual time: the shipped `Host`, ports made of arrays.
final class Neighbourhood {
    private(set) var now = MonotonicInstant(nanoseconds: 0)
    private(set) var air: VirtualAir
    private(set) var bluetooth: VirtualBluetooth
    /// Advertisements, scan responses appended, with their times.
    private(set) var advertisements: [(at: MonotonicInstant, octets: [UInt8])] = []
    private var pendingBluetoothEvents: [VirtualBluetooth.Event] = []
    private var isSettlingBluetooth = false
    private(set) var capture: [UInt8] = []
    private var residents: [any Resident] = []
    private let seed: UInt64
    private var pendingAirEvents: [VirtualAir.Event] = []
    private var isSettling = false

    init(seed: UInt64, capture: CaptureWriter? = nil) {
        self.seed = seed
        air = VirtualAir(entropy: Entropy.seeded(seed).fork(label: "air"), capture: capture)
        bluetooth = VirtualBluetooth(entropy: Entropy.seeded(seed).fork(label: "bluetooth"))
    }

    /// Every resident's own randomness comes from the seed and its number.
    private func entropy() -> Entropy { .seeded(seed &* 1000 &+ UInt64(residents.count)) }

    func addAccessory(
        _ configuration: Accessory.Configuration, stored: StoredState? = nil,
        impairments: Impairments = Impairments(), controller: VirtualController.Configuration = .init()
    ) -> Station<Accessory> {
        add(impairments, stored, controller) { Accessory(configuration, stored: $0, entropy: $1) }
    }

    func addPhone(
        _ configuration: Phone.Configuration, stored: StoredState? = nil, impairments: Impairments = Impairments()
    ) -> Station<Phone> {
        add(impairments, stored, .init()) { Phone(configuration, stored: $0, entropy: $1) }
    }

    private func add<Root: RootMachine>(
        _ impairments: Impairments, _ stored: StoredState?, _ controller: VirtualController.Configuration,
        _ make: (StoredState, Entropy) -> Root
    ) -> Station<Root> {
        let radio = air.addRadio(VirtualKernel.Configuration(impairments: impairments))
        let entropy = entropy()
        let state = stored ?? .fresh(entropy)
        let controller = bluetooth.addController(controller)
        let station = Station(
            make(state, entropy), identityKey: state.ownNIK, radio: radio, controller: controller, in: self)
        residents.append(station)
        return station
    }

    func addCentral() -> Central {
        _ = air.addRadio(VirtualKernel.Configuration(impairments: Impairments()))  // its number is the controller's
        let central = Central(bluetooth.addController(), in: self)
        residents.append(central)
        return central
    }

    /// The station's process is killed: its radio is gone without a word.
    func silence<Root>(_ station: Station<Root>) {
        station.isDead = true
        perform(.removed(station.radio))
    }

    /// Lets time pass until `condition` holds; false when `limit` passed first.
    @discardableResult
    func run(for limit: Duration, until condition: () -> Bool = { false }) -> Bool {
        let end = now.advanced(by: limit)
        while !condition() {
            let next = ([air.nextDeadline, bluetooth.nextDeadline] + residents.map(\.nextDeadline)).compactMap { $0 }
                .min()
            guard let next, next <= end else {
                now = end
                return condition()
            }
            now = max(now, next)
            perform(.deadlineReached)
            performBluetooth(.deadlineReached)
            for resident in residents { resident.reachDeadline(now: now) }
        }
        return true
    }

    /// The same for Bluetooth.
    func performBluetooth(_ event: VirtualBluetooth.Event) {
        pendingBluetoothEvents.append(event)
        guard !isSettlingBluetooth else { return }
        isSettlingBluetooth = true
        defer { isSettlingBluetooth = false }
        while !pendingBluetoothEvents.isEmpty {
            for effect in bluetooth.handle(pendingBluetoothEvents.removeFirst(), now: now) {
                switch effect {
                case .event(let controller, let event): residents[controller.rawValue].hear(event, now: now)
                case .air(_, let frame):
                    guard case .advertisement(let data, let scanResponse) = frame.body else { continue }
                    advertisements.append((now, data + scanResponse))
                }
            }
        }
    }

    /// Queues what happens on the air and, unless that is under way, carries it out to the end.
    func perform(_ event: VirtualAir.Event) {
        pendingAirEvents.append(event)
        guard !isSettling else { return }
        isSettling = true
        defer { isSettling = false }
        while !pendingAirEvents.isEmpty {
            for effect in air.handle(pendingAirEvents.removeFirst(), now: now) {
                switch effect {
                case .event(let radio, let event): residents[radio.rawValue].hear(event, now: now)
                case .captured(let octets): capture += octets
                }
            }
        }
    }
}

/// What the neighbourhood needs of a station, whatever its root machine.
protocol Resident: AnyObject {
    var nextDeadline: MonotonicInstant? { get }
    func hear(_ event: RadioEvent, now: MonotonicInstant)
    func hear(_ event: BluetoothEvent, now: MonotonicInstant)
    func reachDeadline(now: MonotonicInstant)
}

/// One host with its ports: crypto done at once, a store in memory, everything shown and reported written down.
final class Station<Root: RootMachine>: Resident {
    let radio: VirtualAir.RadioID
    let controller: VirtualBluetooth.ControllerID
    private(set) var reports: [Root.Report] = []
    /// When each report was made.
    private(set) var reportTimes: [MonotonicInstant] = []
    /// When each frame was handed to the radio.
    private(set) var frameTimes: [MonotonicInstant] = []
    private(set) var shown: [DisplayContent] = []
    private(set) var streams: [StreamCommand] = []
    private(set) var stored: [StoreCommand] = []
    private(set) var frames: [[UInt8]] = []
    /// What the radio was told to keep.
    private(set) var schedules: [LocalRadioSchedule] = []
    private(set) var log: [String] = []
    var storeFails = false
    /// The disk's answers are put off until it is let go again.
    var storeWaits = false {
        didSet {
            guard !storeWaits else { return }
            while !unanswered.isEmpty { answer(unanswered.removeFirst()) }
        }
    }
    private var unanswered: [StoreCommand] = []
    var displayHangs = false
    var displayFails = false
    /// Work is put off until it is let go again.
    var cryptoWaits = false {
        didSet {
            guard !cryptoWaits else { return }
            while !waiting.isEmpty { handle(.crypto(waiting.removeFirst().run())) }
        }
    }
    private(set) var work: [CryptoJob.Work] = []
    private var waiting: [CryptoJob] = []
    var isDead = false
    let identityKey: SecretKey?
    private(set) var nextDeadline: MonotonicInstant?
    private var host: Host<Root>?
    private unowned let neighbourhood: Neighbourhood

    init(
        _ root: Root, identityKey: SecretKey, radio: VirtualAir.RadioID, controller: VirtualBluetooth.ControllerID,
        in neighbourhood: Neighbourhood
    ) {
        self.identityKey = identityKey
        self.radio = radio
        self.controller = controller
        self.neighbourhood = neighbourhood
        var ports = PortSet<Root>()
        ports.radio = { [unowned self, unowned neighbourhood] effect in
            if case .transmit(let transmission) = effect {
                frames.append(transmission.frame)
                frameTimes.append(neighbourhood.now)
            }
            if case .setLocalSchedule(let schedule) = effect { schedules.append(schedule) }
            neighbourhood.perform(.perform(radio, effect))
        }
        ports.bluetooth = { [unowned neighbourhood] in neighbourhood.performBluetooth(.perform(controller, $0)) }
        ports.crypto = { [unowned self] job in
            work.append(job.work)
            if cryptoWaits { waiting.append(job) } else { handle(.crypto(job.run())) }
        }
        ports.store = { [unowned self] command in
            stored.append(command)
            if storeWaits { unanswered.append(command) } else { answer(command) }
        }
        ports.stream = { [unowned self] in streams.append($0) }
        ports.display = { [unowned self] content in
            shown.append(content)
            if !displayHangs { handle(displayFails ? .notDisplayed(content) : .displayed(content)) }
        }
        ports.report = { [unowned self, unowned neighbourhood] in
            reports.append($0)
            reportTimes.append(neighbourhood.now)
        }
        ports.arm = { [unowned self] in nextDeadline = $0 }
        ports.trace = { [unowned self] event, effects in log.append("\(event) -> \(effects)") }
        host = Host(root, ports: ports)
    }

    private func answer(_ command: StoreCommand) {
        handle(.store(storeFails ? .failed(command.ticket, "disk full") : .saved(command.ticket)))
    }

    var root: Root {
        guard let host else { preconditionFailure("a station has a host") }
        return host.root
    }

    func command(_ command: Root.Command) { handle(.command(command)) }

    /// The media thread tells something.
    func stream(_ report: StreamReport) { handle(.stream(report)) }

    func hear(_ event: RadioEvent, now: MonotonicInstant) {
        if !isDead { handle(.radio(event)) }
    }

    func hear(_ event: BluetoothEvent, now: MonotonicInstant) {
        if !isDead { handle(.bluetooth(event)) }
    }

    func reachDeadline(now: MonotonicInstant) {
        guard !isDead else {
            nextDeadline = nil
            return
        }
        if let nextDeadline, nextDeadline <= now { handle(.deadlineReached) }
    }

    private func handle(_ event: PortEvent<Root.Command>) { host?.handle(event, now: neighbourhood.now) }
}

extension StoredState {
    /// A first start: a NIK and nothing else.
    static func fresh(_ entropy: Entropy) -> StoredState {
        var entropy = entropy.fork(label: "nik")
        return StoredState(ownNIK: SecretKey(drawing: 16, from: &entropy))
    }
}
