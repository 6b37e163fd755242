internal import BluetoothAdapter
internal import BluetoothEngine
internal import BluetoothFrames
internal import Glibc
internal import Hosting
internal import LinuxRuntime
internal import NANEngine
internal import NANFrames
internal import NANSecurity
internal import NL80211Radio
internal import Octets
internal import PeerStore
internal import PhoneCore
internal import Ports
internal import SimulatedRadio

/// One run of `aware-factory phone`: the ports around the phone's `Host` and the errand above it, on one loop.
final class PhoneProgram {
    /// Why a run could not begin.
    struct StartFailure: Error {
        var text: String
        init(_ error: some CustomStringConvertible) { text = error.description }
    }

    /// Elliptic-curve work, or changes to the store, asked and not answered; a pairing's steps are below ten.
    private static let requestLimit = 64

    private let plan: PhonePlan
    private let output: PhoneOutput
    private let log: Logger
    private let loop: EventLoop
    private let store: PeerStore
    private let pins: PINReader
    private let radio: any RadioPort
    private let bluetooth: (any BluetoothPort)?
    private let viewing: PhoneViewing
    private let keys: KeyRevelation?
    private var signals: [HeldSource] = []
    private var errandTimer: LoopTimer?
    private var cryptoThread: RequestThread<CryptoJob, CryptoResult>?
    private var storeThread: RequestThread<StoreCommand, StoreEvent>?
    private var host: Host<Phone>?
    private var errand: PhoneErrand
    private var status = ExitStatus.failure

    /// Runs it to its end.
    static func run(_ plan: PhonePlan) -> ExitStatus {
        do throws(StartFailure) {
            return try PhoneProgram(plan).run()
        } catch {
            StandardOutput.complain("aware-factory phone: \(error.text)")
            return .failure
        }
    }

    private init(_ plan: PhonePlan) throws(StartFailure) {
        self.plan = plan
        output = PhoneOutput(isJSON: plan.isJSON)
        log = Logger("phone", threshold: plan.logLevel)
        do throws(FactoryError) { try PhonePaths.check(plan) } catch { throw StartFailure(error) }
        do throws(PeerStoreError) { store = try PeerStore(folder: plan.stateFolder) } catch {
            throw StartFailure(error)
        }
        do throws(SystemError) {
            // Who has the keys written down has nothing left to be kept from, and looks for them in our memory.
            try ProcessHardening.setCoreDumps(allowed: plan.keysFile != nil)
            loop = try EventLoop()
            let own = store.state
            keys = try plan.keysFile.map { path throws(SystemError) in try KeyRevelation(path, of: own) }
        } catch { throw StartFailure(error) }
        radio = try Self.radio(plan, on: loop)
        bluetooth = try Self.bluetooth(plan, on: loop)
        do throws(FactoryError) { viewing = try PhoneViewing(plan, on: loop) } catch { throw StartFailure(error) }
        pins = PINReader(plan.pin, on: loop)
        errand = PhoneErrand(
            PhoneErrand.Configuration(plan), pairings: plan.forgets ? [] : store.state.pairings)
        do throws(SystemError) { try connect() } catch { throw StartFailure(error) }
    }

    private static func radio(_ plan: PhonePlan, on loop: EventLoop) throws(StartFailure) -> any RadioPort {
        switch plan.radio {
        case .simulated(let folder):
            do throws(FileError) {
                return try AirRadio(loop: loop, configuration: AirRadio.Configuration(folder: folder), entropy: .kernel)
            } catch { throw StartFailure(error) }
        case .nl80211(let wiphy):
            do throws(SystemError) {
                return try NL80211Radio(loop: loop, configuration: .init(wiphy: wiphy, logThreshold: plan.logLevel))
            } catch { throw StartFailure(error) }
        }
    }

    private static func bluetooth(
        _ plan: PhonePlan, on loop: EventLoop
    ) throws(StartFailure) -> (any BluetoothPort)? {
        switch plan.bluetooth {
        case nil: return nil
        case .simulated(let folder):
            do throws(FileError) { return try AirBluetooth(loop: loop, folder: folder, entropy: .kernel) } catch {
                throw StartFailure(error)
            }
        case .adapter: return KernelBluetooth(loop: loop, logThreshold: plan.logLevel)
        }
    }

    private func connect() throws(SystemError) {
        // Before the first thread: threads inherit which signals are blocked. SIGPIPE: whoever read the events has gone.
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE] {
            signals.append(HeldSource(try loop.watch(signal: signal) { [unowned self] in feed(.interrupted) }))
        }
        errandTimer = try loop.timer { [unowned self] in feed(.deadlineReached) }
        cryptoThread = try RequestThread(
            name: "crypto", capacity: Self.requestLimit, on: loop, makeWorker: { { $0.run() } },
            onReply: { [unowned self] in handle(.crypto($0)) })
        let store = self.store
        storeThread = try RequestThread(
            name: "store", capacity: Self.requestLimit, on: loop, makeWorker: { { store.handle($0) } },
            onReply: { [unowned self] in handle(.store($0)) })
        radio.onEvent = { [unowned self] in handle(.radio($0)) }
        bluetooth?.onEvent = { [unowned self] in handle(.bluetooth($0)) }
        viewing.onEvent = { [unowned self] in feed($0) }
        viewing.onFigures = { [unowned self] in tell(.live($0)) }
        loop.onDeadline = { [unowned self] in handle(.deadlineReached) }

        var ports = PortSet<Phone>()
        ports.radio = { [unowned self] effect in
            keys?.note(effect)
            radio.perform(effect)
        }
        ports.bluetooth = { [unowned self] in bluetooth?.perform($0) }
        ports.crypto = { [unowned self] job in
            if cryptoThread?.ask(job) != true { feed(.failed("too much cryptography at once")) }
        }
        ports.store = { [unowned self] command in
            keys?.note(command)
            if storeThread?.ask(command) != true { feed(.failed("too many changes wait for the disk")) }
        }
        ports.report = { [unowned self] report in
            // On a turn of its own: what follows from a report is a command to the machine that makes it.
            loop.post { [unowned self] in feed(.phone(report)) }
        }
        ports.arm = { [unowned self] in loop.arm($0) }
        ports.trace = { [unowned self] event, effects in
            log.log(.debug, "\(event)")
            for effect in effects { log.log(.debug, "-> \(effect)") }
        }
        host = Host(Phone(phoneConfiguration, stored: store.state, entropy: .kernel), ports: ports)
    }

    private var phoneConfiguration: Phone.Configuration {
        var configuration = Phone.Configuration(
            serviceName: plan.service.text, names: ServiceNames(name: plan.phoneName),
            device: NANDevice.Configuration(mode: .realtime))
        configuration.cipherSuite = [1, 7].contains(plan.cipherSuite) ? .ncsPKPASN128 : .ncsPKPASN256
        configuration.asksForSharedKeySuite = plan.cipherSuite < 7
        if plan.bluetooth != nil {
            let standard: BluetoothUUID? = plan.company == nil ? .accessoryService : nil
            configuration.bluetooth = BluetoothCentral.Configuration(
                service: plan.serviceUUID ?? standard, company: plan.company)
        }
        return configuration
    }

    private func run() throws(StartFailure) -> ExitStatus {
        loop.post { [unowned self] in
            if plan.forgets {
                for record in store.state.pairings { handle(.command(.forget(record.id))) }
            }
            feed(.start)
        }
        do throws(SystemError) { _ = try loop.run() } catch { throw StartFailure(error) }
        storeThread?.finish()
        return status
    }

    private func handle(_ event: PortEvent<PhoneCommand>) {
        host?.handle(event, now: loop.now)
        clearVectorRegisters()
    }

    private func feed(_ event: PhoneErrand.Event) {
        for effect in errand.handle(event, now: loop.now) { perform(effect) }
        errandTimer?.arm(errand.nextDeadline)
    }

    private func perform(_ effect: PhoneErrand.Effect) {
        switch effect {
        case .phone(let command): handle(.command(command))
        case .askPIN: ask()
        case .forgetPIN: pins.cancel()
        case .openMedia(let link): viewing.open(link)
        case .closeMedia: viewing.close()
        case .tell(let event): tell(event)
        case .end(let status):
            self.status = status
            loop.exit()
        }
    }

    private func ask() {
        if plan.pin == .standardInput { output.prompt("PIN: ") }
        pins.ask { [unowned self] answer in
            switch answer {
            case .pin(let pin): feed(.pin(pin))
            case .malformed: feed(.malformedPIN)
            case .unavailable(let cause): feed(.pinUnavailable(cause))
            }
        }
    }

    private func tell(_ event: PhoneEvent) { output.tell(event, at: loop.now) }
}

extension PhoneErrand.Configuration {
    /// What of a plan the errand decides by.
    init(_ plan: PhonePlan) {
        self.init()
        filter = plan.filter
        canAskAgain = plan.pin.canAskAgain
        hasPINSource = plan.pin != .none
        listsOnly = plan.listsOnly
        wait = plan.wait
        stay = plan.stay
        loops = plan.loops
        needsVideo = plan.needsVideo
        needsControl = plan.needsControl
        message = plan.message
    }
}
