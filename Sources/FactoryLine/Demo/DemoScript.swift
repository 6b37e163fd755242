package import JSONText
package import LinuxRuntime
package import Octets

/// The course of one demonstration: what is started when, when the PIN is typed, what has to happen, and when it did.
///
/// A machine: the demo carries out its effects and reports what the programs print.
package struct DemoScript: Sendable {
    package struct Configuration: Equatable, Sendable {
        package var phones = 1
        /// A person reads the display and types.
        package var isInteractive = false
        /// Phones listen over Bluetooth LE too.
        package var usesBluetooth = false
        /// For the whole run; a person has no limit.
        package var limit: Duration = .seconds(60)

        package init() {}
    }

    package enum Event: Equatable, Sendable {
        case start
        /// The accessory told its service manager that it is ready.
        case accessoryReady
        case snapshot(JSONValue)
        /// A line of the accessory's display.
        case displayed(String)
        /// A line of a phone's standard output.
        case phone(Int, JSONValue)
        case ended(Role, ChildExit)
        case interrupted
        case deadlineReached
    }

    package enum Effect: Equatable, Sendable {
        case start(Role)
        /// Types a line at a phone's keyboard.
        case type(String, phone: Int)
        case end(Role)
        case say(Speaker, String)
        /// Digits that are to be read from afar.
        case enlarge(String)
        /// The line that is written over.
        case show(String)
        case prompt(String)
        /// The question has been answered, or is none any more.
        case endPrompt
        case finish(Result)
    }

    package enum Role: Hashable, Sendable {
        case accessory
        case watcher
        /// The phone's first life pairs, its second has to do without a PIN.
        case phone(Int, life: Int)
    }

    package enum Speaker: Equatable, Sendable {
        case demo
        case accessory
        case display
        case phone(Int)
    }

    package enum Result: Equatable, Sendable {
        case success(DemoMeasurements)
        case failure(String)
    }

    struct PhoneState: Equatable {
        var life = 0
        var joined: MonotonicInstant?
        var isPINDue = false
        var wasAskedToWait = false
        var typed: MonotonicInstant?
        var authenticated: MonotonicInstant?
        var wasPaired = false
        var connected: MonotonicInstant?
        var hadPicture = false
        var wasHeardOverBluetooth = false
        var serialNumber: String?
        var hadControl = false
        var isViewing = false
        var loop: String?
        var started: MonotonicInstant?
        var isDone = false
    }

    enum Stage: Equatable {
        case idle
        case running
        /// Both lives of every phone are over; the accessory is asked to go.
        case endingAccessory
        case endingAll(String)
        case finished
    }

    let configuration: Configuration
    var stage = Stage.idle
    var running: Set<Role> = []
    var phones: [PhoneState]
    var isWatching = false
    var publishing: MonotonicInstant?
    var wasDiscovered = false
    var pin: String?
    var isPrompting = false
    var accessory = AccessoryNews()
    var viewedTogether = 0
    var measured = DemoMeasurements()
    private var deadline: MonotonicInstant?

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        phones = [PhoneState](repeating: PhoneState(), count: configuration.phones)
    }

    package var nextDeadline: MonotonicInstant? { deadline }
    /// What has been measured so far.
    package var measurements: DemoMeasurements { measured }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        if stage == .finished { return [] }
        switch event {
        case .start:
            stage = .running
            deadline = configuration.isInteractive ? nil : now.advanced(by: configuration.limit)
            phones[0].life = 1
            return [start(.accessory), start(.phone(0, life: 1))]
        case .accessoryReady:
            guard !isWatching else { return [] }
            isWatching = true
            return [start(.watcher)]
        case .snapshot(let snapshot): return take(snapshot, now)
        case .displayed(let line):
            let shown = Effect.say(.display, line)
            guard let digits = Self.pin(in: line) else { return [shown] }
            pin = digits
            return [.say(.display, "PIN"), .enlarge(digits)] + typeIfDue(now)
        case .phone(let index, let event):
            return phones.indices.contains(index) ? endPrompt() + take(event, of: index, now) : []
        case .ended(let role, let exit): return ended(role, exit, now)
        case .interrupted: return fail("interrupted", now)
        case .deadlineReached:
            guard let deadline, deadline <= now else { return [] }
            if case .endingAll(let cause) = stage { return finish(.failure(cause)) }
            return fail("it took longer than \(configuration.limit.text)", now)
        }
    }

    private mutating func start(_ role: Role) -> Effect {
        running.insert(role)
        return .start(role)
    }

    /// Six digits on a line of the display, however it spaces them.
    static func pin(in line: String) -> String? {
        let digits = line.filter { $0.isASCII && $0.isNumber }
        let rest = line.filter { !($0.isASCII && $0.isNumber) }
        guard digits.count == 6, rest.allSatisfy({ !$0.isLetter }) || rest.holds("PIN") else { return nil }
        return digits
    }

    /// Types the PIN on the display for the phone that waits for it; with two phones not before the second has been
    /// told to wait for the first.
    mutating func typeIfDue(_ now: MonotonicInstant) -> [Effect] {
        guard let pin, let index = phones.firstIndex(where: { $0.isPINDue }) else { return [] }
        if index == 0, phones.count > 1, !phones[1].wasAskedToWait { return [] }
        phones[index].isPINDue = false
        self.pin = nil
        if configuration.isInteractive { return [] }
        phones[index].typed = now
        return [.say(.demo, "typing the PIN on \(name(of: index))"), .type(pin, phone: index)]
    }

    func name(of index: Int) -> String { configuration.phones == 1 ? "the phone" : "phone \(index + 1)" }

    // MARK: Ends

    private mutating func ended(_ role: Role, _ exit: ChildExit, _ now: MonotonicInstant) -> [Effect] {
        running.remove(role)
        if case .endingAll(let cause) = stage { return running.isEmpty ? finish(.failure(cause)) : [] }
        switch role {
        case .accessory:
            guard stage == .endingAccessory else { return fail("awared ended: \(exit.text)", now) }
            guard exit == .exited(0) else { return fail("awared did not end well: \(exit.text)", now) }
        case .watcher:
            // Its connection ends with the accessory's.
            guard stage == .endingAccessory else { return fail("awarectl watch ended: \(exit.text)", now) }
        case .phone(let index, let life):
            guard exit == .exited(0) else { return fail("\(name(of: index)) ended: \(exit.text)", now) }
            if configuration.usesBluetooth, life == 1, phones[index].serialNumber == nil {
                return fail("\(name(of: index)) read no serial number over Bluetooth", now)
            }
            if let missing = phones[index].missing(life: life) {
                return fail("\(name(of: index)) ended, and \(missing)", now)
            }
            return life == 1 ? restart(index, now) : done(index, now)
        }
        guard running.isEmpty else { return [] }
        return finish(.success(measured))
    }

    private mutating func restart(_ index: Int, _ now: MonotonicInstant) -> [Effect] {
        phones[index] = PhoneState(life: 2, started: now)
        return [.say(.demo, "starting \(name(of: index)) anew"), start(.phone(index, life: 2))]
    }

    private mutating func done(_ index: Int, _ now: MonotonicInstant) -> [Effect] {
        phones[index].isDone = true
        guard phones.allSatisfy({ $0.isDone }) else { return [] }
        if phones.count > 1, viewedTogether < phones.count {
            return fail("the phones never viewed at the same time", now)
        }
        stage = .endingAccessory
        return [.end(.accessory)]
    }

    mutating func fail(_ cause: String, _ now: MonotonicInstant) -> [Effect] {
        if case .endingAll = stage { return [] }
        stage = .endingAll(cause)
        guard !running.isEmpty else { return finish(.failure(cause)) }
        deadline = now.advanced(by: .seconds(3))
        return running.sorted { "\($0)" < "\($1)" }.map { .end($0) }
    }

    private mutating func finish(_ result: Result) -> [Effect] {
        stage = .finished
        deadline = nil
        return [.finish(result)]
    }
}

extension DemoScript.PhoneState {
    /// What a life of a phone should have seen and did not.
    fileprivate func missing(life: Int) -> String? {
        if life == 1, !wasPaired { return "was never paired" }
        if !hadPicture { return "saw no picture" }
        if !hadControl { return "got no answer to a control datagram" }
        if life == 1, loop == nil { return "did not see the whole clip" }
        return nil
    }
}

extension ChildExit {
    var text: String {
        switch self {
        case .exited(let status): "exit status \(status)"
        case .killed(let signal): "killed by signal \(signal)"
        }
    }
}
