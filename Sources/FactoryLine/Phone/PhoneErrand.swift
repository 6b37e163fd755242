internal import BluetoothEngine
internal import BluetoothFrames
package import LinuxRuntime
internal import NANFrames
package import NANSecurity
package import Octets
package import PhoneCore
package import Ports

/// What one run of the phone does next: whom to connect, when to ask for a PIN, when to try again, when to leave.
///
/// A machine like those below it: the program carries out its effects and reports back.
package struct PhoneErrand: Sendable {
    package struct Configuration: Equatable, Sendable {
        package var filter = AccessoryFilter()
        package var canAskAgain = true
        package var hasPINSource = true
        package var listsOnly = false
        /// Until an accessory is found; nil is for ever.
        package var wait: Duration? = .seconds(10)
        /// From the first connection on; nil has no end.
        package var stay: Duration?
        /// Whole loops of the video; nil is no goal.
        package var loops: Int?
        package var needsVideo = false
        package var needsControl = false
        /// For the accessory, once it is connected.
        package var message: String?

        package init() {}
    }

    package enum Event: Equatable, Sendable {
        case start
        case phone(PhoneReport)
        case pin(PIN)
        /// What was given is not six digits.
        case malformedPIN
        /// No more PINs will come, and why.
        case pinUnavailable(String)
        case firstPicture
        case controlAnswered
        case loop(LoopResult)
        /// The media side is closed: a goodbye is on its way.
        case mediaClosed
        /// Something that the run needs has failed for good, such as a full disk.
        case failed(String)
        /// A person wants to stop.
        case interrupted
        case deadlineReached
    }

    package enum Effect: Equatable, Sendable {
        case phone(PhoneCommand)
        case askPIN(PhoneEvent.PINRequest)
        /// A PIN that is still being waited for would come too late.
        case forgetPIN
        case openMedia(PhoneLink)
        case closeMedia
        case tell(PhoneEvent)
        case end(ExitStatus)
    }

    enum Stage: Equatable {
        case starting
        case looking
        case bootstrapping
        case awaitingPIN
        case authenticating(hadPIN: Bool)
        case connecting
        case connected
        /// Between two tries.
        case pausing
        case closingMedia(Verdict)
        case stopping(Verdict)
        case ended
    }

    struct Verdict: Equatable {
        var status: ExitStatus
        var text: String
    }

    enum Timer: Int, CaseIterable, Sendable {
        /// The search for an accessory is over.
        case wait
        /// An accessory that is not paired may be taken now.
        case settle
        /// Nothing has happened in this stage for too long.
        case progress
        case pause
        case stay
    }

    /// Two discovery windows and a little: a paired accessory that is there has been heard by then.
    private static let settleTime: Duration = .milliseconds(1100)
    /// Longer than any exchange of frames takes with all its repeats.
    private static let progressLimit: Duration = .seconds(20)
    /// An accessory that was verified answers at once; one that does not may have lost the keys, and is verified anew.
    private static let connectLimit: Duration = .seconds(8)
    /// For the goodbyes: a radio that does not answer keeps nobody.
    private static let stopLimit: Duration = .seconds(2)
    /// Failures in a row that are tried again; the accessory's own back-off is longer by then.
    private static let tries = 6

    /// Accessories kept in mind: more than a hall full of them, less than a flood of made-up ones.
    static let sightingLimit = 128

    let configuration: Configuration
    var stage = Stage.starting
    var timers = TimerTable<Timer>()
    var accessories: [NMI: DiscoveredAccessory] = [:]
    var pairings: [PairingID: PairingRecord]
    var failures = 0
    var hasSettled = false
    /// The last PIN did not do: the next one is asked for in other words.
    var wasRefused = false
    var hasConnected = false
    var hasPicture = false
    var hasAnswer = false
    var hasDelivered = false
    var wholeLoops = 0
    /// Why the accessory in sight is not connected, for the last word.
    var obstacle: String?
    var bluetooth = BluetoothErrand()

    package init(_ configuration: Configuration, pairings: [PairingRecord]) {
        self.configuration = configuration
        self.pairings = Dictionary(pairings.map { ($0.id, $0) }) { first, _ in first }
    }

    package var nextDeadline: MonotonicInstant? { timers.next }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        switch event {
        case .start:
            startWaiting(now)
            timers.start(.settle, at: now.advanced(by: Self.settleTime))
            return [.phone(.start)]
        case .phone(let report): return heard(report, now)
        case .pin(let pin):
            guard stage == .awaitingPIN else { return [] }
            enter(.authenticating(hadPIN: true), now)
            return [.phone(.enterPIN(pin))]
        case .malformedPIN:
            guard stage == .awaitingPIN else { return [] }
            guard configuration.canAskAgain else {
                return leave(.failure, "what was given is no PIN of six digits", now)
            }
            return [.tell(.pinNeeded(.malformed)), .askPIN(.malformed)]
        case .pinUnavailable(let cause):
            guard stage == .awaitingPIN else { return [] }
            return leave(.failure, cause, now)
        case .firstPicture:
            guard !hasPicture, stage == .connected else { return [] }
            hasPicture = true
            return [.tell(.firstPicture)]
        case .controlAnswered:
            guard !hasAnswer, stage == .connected else { return [] }
            hasAnswer = true
            return [.tell(.controlAnswered)]
        case .loop(let result):
            guard stage == .connected else { return [] }
            if result.isAsExpected ?? true { wholeLoops += 1 }
            guard let loops = configuration.loops, wholeLoops >= loops else { return [.tell(.loop(result))] }
            return [.tell(.loop(result))] + leaveSatisfied(now)
        case .mediaClosed:
            guard case .closingMedia(let verdict) = stage else { return [] }
            return stop(verdict, now)
        case .failed(let cause): return leave(.failure, cause, now)
        case .interrupted:
            let hasGoal = configuration.loops != nil || configuration.stay != nil
            if hasGoal || !hasConnected { return leave(.failure, "interrupted", now) }
            return leaveSatisfied(now)
        case .deadlineReached: return expire(now)
        }
    }

    private mutating func expire(_ now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        while let timer = timers.popExpired(now) {
            switch timer {
            case .wait: effects += endSearch(now)
            case .settle:
                hasSettled = true
                effects += choose(now)
            case .progress: effects += stall(now)
            case .pause:
                guard stage == .pausing else { continue }
                stage = .looking
                effects += choose(now)
                // Who was there may have gone, or have closed its window. One that was connected is waited for.
                if stage == .looking, !hasConnected { startWaiting(now) }
            case .stay: effects += leaveSatisfied(now)
            }
        }
        return effects
    }

    private mutating func endSearch(_ now: MonotonicInstant) -> [Effect] {
        if configuration.listsOnly {
            let isAnybodyThere = accessories.values.contains { matches($0) }
            return leave(isAnybodyThere ? .success : .notYet, isAnybodyThere ? "" : "nobody is there", now)
        }
        guard stage == .starting || stage == .looking else { return [] }
        if let obstacle { return leave(.failure, obstacle, now) }
        if let serial = configuration.filter.serialNumber, bluetooth.wanted == nil {
            return leave(.notYet, "no accessory with serial number \(serial) was found over Bluetooth LE", now)
        }
        return leave(.notYet, "no accessory was found", now)
    }

    private mutating func stall(_ now: MonotonicInstant) -> [Effect] {
        switch stage {
        case .closingMedia(let verdict): return stop(verdict, now)
        case .stopping(let verdict): return end(verdict)
        case .bootstrapping: return [.phone(.cancelPairing)] + tryAgain("the accessory does not answer", now)
        case .authenticating: return [.phone(.cancelPairing)] + tryAgain("authentication does not end", now)
        case .connecting: return [.phone(.disconnect)] + tryAgain("the data path does not come up", now)
        case .starting, .looking, .awaitingPIN, .connected, .pausing, .ended: return []
        }
    }

    // MARK: Choosing

    func matches(_ accessory: DiscoveredAccessory) -> Bool {
        guard configuration.filter.matches(accessory, pairedAs: record(of: accessory)) else { return false }
        guard configuration.filter.serialNumber != nil else { return true }
        return bluetooth.wanted?.matches(accessory, pairedAs: record(of: accessory)) ?? false
    }

    func record(of accessory: DiscoveredAccessory) -> PairingRecord? { accessory.pairing.flatMap { pairings[$0] } }

    func title(of accessory: DiscoveredAccessory) -> String { accessory.title(pairedAs: record(of: accessory)) }

    /// Connects or pairs the best of those in sight: a paired one before any other.
    mutating func choose(_ now: MonotonicInstant) -> [Effect] {
        guard stage == .looking, !configuration.listsOnly else { return [] }
        let candidates = accessories.values.filter { matches($0) }.sorted { $0.nmi.address.bits < $1.nmi.address.bits }
        if let paired = candidates.first(where: { $0.pairing != nil }) {
            endWaiting()
            enter(.authenticating(hadPIN: false), now)
            return [.phone(.connect(paired.nmi))]
        }
        guard let first = candidates.first, pairings.isEmpty || hasSettled else { return [] }
        guard let open = candidates.first(where: { $0.pairingWindowIsOpen }) else {
            obstacle = "\(title(of: first)) is there, but its pairing window is closed"
            return []
        }
        guard configuration.hasPINSource else {
            return leave(.failure, "a PIN is needed, and there is nobody to ask: see --pin-file", now)
        }
        endWaiting()
        enter(.bootstrapping, now)
        return [.phone(.pair(open.nmi))]
    }

    private mutating func startWaiting(_ now: MonotonicInstant) {
        if let wait = configuration.wait { timers.start(.wait, at: now.advanced(by: wait)) }
    }

    private mutating func endWaiting() {
        timers.stop(.wait)
        timers.stop(.settle)
        hasSettled = true
    }

    // MARK: Coming and going

    /// Enters a stage in which something has to happen soon, unless a person or the video is what it waits for.
    mutating func enter(_ stage: Stage, _ now: MonotonicInstant) {
        self.stage = stage
        switch stage {
        case .bootstrapping, .authenticating:
            timers.start(.progress, at: now.advanced(by: Self.progressLimit))
        case .connecting: timers.start(.progress, at: now.advanced(by: Self.connectLimit))
        case .closingMedia, .stopping: timers.start(.progress, at: now.advanced(by: Self.stopLimit))
        case .starting, .looking, .awaitingPIN, .connected, .pausing, .ended: timers.stop(.progress)
        }
    }

    /// Shows that the stage goes on.
    mutating func progress(_ now: MonotonicInstant) { enter(stage, now) }

    mutating func tryAgain(_ cause: String, _ now: MonotonicInstant) -> [Effect] {
        failures += 1
        guard failures <= Self.tries else { return leave(.failure, cause, now) }
        let pause = Duration.milliseconds(min(250 << (failures - 1), 4000))
        enter(.pausing, now)
        timers.start(.pause, at: now.advanced(by: pause))
        return [.tell(.tryingAgain(after: pause, because: cause))]
    }

    private mutating func leaveSatisfied(_ now: MonotonicInstant) -> [Effect] {
        if !hasConnected { return leave(.failure, "there was no connection", now) }
        if configuration.needsVideo, !hasPicture { return leave(.failure, "no picture arrived", now) }
        if configuration.needsControl, !hasAnswer { return leave(.failure, "no control datagram was answered", now) }
        if configuration.message != nil, !hasDelivered { return leave(.failure, "the message was not delivered", now) }
        if let loops = configuration.loops, wholeLoops < loops {
            return leave(.failure, "the video came round whole \(wholeLoops) times of \(loops)", now)
        }
        return leave(.success, "", now)
    }

    /// Says goodbye on every level, from the top down; the first verdict counts.
    mutating func leave(_ status: ExitStatus, _ text: String, _ now: MonotonicInstant) -> [Effect] {
        let verdict = Verdict(status: status, text: text)
        switch stage {
        case .closingMedia, .stopping, .ended: return []
        case .connected:
            stopTimers()
            enter(.closingMedia(verdict), now)
            return [.tell(.leaving), .closeMedia]
        case .awaitingPIN: return [.forgetPIN] + stop(verdict, now)
        case .starting, .looking, .bootstrapping, .authenticating, .connecting, .pausing: return stop(verdict, now)
        }
    }

    private mutating func stop(_ verdict: Verdict, _ now: MonotonicInstant) -> [Effect] {
        stopTimers()
        enter(.stopping(verdict), now)
        return [.phone(.stop)]
    }

    mutating func end(_ verdict: Verdict) -> [Effect] {
        stopTimers()
        stage = .ended
        return [.tell(.ended(verdict.status, verdict.text)), .end(verdict.status)]
    }

    private mutating func stopTimers() {
        for timer in Timer.allCases { timers.stop(timer) }
    }
}
