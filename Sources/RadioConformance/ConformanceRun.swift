internal import Cryptography
internal import NANFrames
internal import Octets
internal import Ports

/// One case being run: the bench, what its radios told so far, and the steps that cases share.
struct ConformanceRun<Bench: RadioBench> {
    typealias Failure = ConformanceFailure

    static var step: Duration { .milliseconds(4) }
    /// Joining takes 0.5 to 1 s, a merge one window more; real radios in an emulated machine take longer.
    static var joinLimit: Duration { .seconds(8) }
    /// One period, the random delay of a transmission, and repetitions in the next window.
    static var windowLimit: Duration { .milliseconds(1200) }

    var bench: Bench
    private(set) var events: [[TimedEvent]] = [[], []]
    private var nextTransmission: UInt64 = 1

    init(bench: Bench) { self.bench = bench }

    // MARK: Steps

    mutating func perform(_ effects: RadioEffect..., on radio: Int) {
        for effect in effects { bench.perform(effect, on: radio) }
        collect()
    }

    mutating func pass(_ duration: Duration) {
        let end = bench.now.advanced(by: duration)
        while bench.now < end {
            bench.advance(by: min(Self.step, bench.now.duration(to: end)))
            collect()
        }
    }

    /// Until radios have carried out what they were asked for: they do so in order, and then fail a second start.
    ///
    /// A real one waits for its kernel, some commands for all of its processors; the other's frames are ahead of them.
    mutating func settle(_ radios: ClosedRange<Int> = 0...1) throws(Failure) {
        pass(.milliseconds(40))
        for radio in radios {
            perform(.start(RadioConfiguration(nmi: Self.nmi(radio))), on: radio)
            let told = try awaitEvent("end of its work", on: radio) {
                if case .failed(let failure) = $0 { failure.cause == .busy } else { false }
            }
            events[radio].removeAll { $0 == told }
        }
    }

    private mutating func collect() {
        for radio in events.indices { events[radio] += bench.takeEvents(of: radio) }
    }

    /// Forgets what was told so far, so that `awaitEvent` looks at what comes.
    mutating func forget() {
        collect()
        events = [[], []]
    }

    /// The first event since `forget` that `isMeant` accepts, for which it waits at most `limit`.
    @discardableResult
    mutating func awaitEvent(
        _ what: String, on radio: Int, within limit: Duration = .seconds(3), where isMeant: (RadioEvent) -> Bool
    ) throws(Failure) -> TimedEvent {
        let end = bench.now.advanced(by: limit)
        while true {
            if let found = events[radio].first(where: { isMeant($0.event) }) { return found }
            guard bench.now < end else { break }
            bench.advance(by: Self.step)
            collect()
        }
        throw Failure("radio \(radio): no \(what) within \(limit); it told \(events[radio].suffix(8).map(\.event))")
    }

    func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(Failure) {
        guard condition else { throw Failure(what()) }
    }

    /// Nothing that `isMeant` accepts was told since `forget`, and nothing is within `duration`.
    mutating func refuseAny(
        _ what: String, on radio: Int, for duration: Duration, where isMeant: (RadioEvent) -> Bool
    ) throws(Failure) {
        pass(duration)
        if let found = events[radio].first(where: { isMeant($0.event) }) {
            throw Failure("radio \(radio): \(what) must not happen: \(found.event)")
        }
    }

    /// Performs an effect that the radio must refuse, for one of `causes`.
    mutating func expectRefusal(
        of effect: RadioEffect, as command: RadioCommand, _ causes: Set<RadioFailure.Cause>, on radio: Int = 0,
        _ what: String
    ) throws(Failure) {
        forget()
        perform(effect, on: radio)
        let told = try awaitEvent("refusal: \(what)", on: radio) { event in
            if case .refused(command, _) = event { return true }
            return false
        }
        guard case .refused(_, let failure) = told.event, causes.contains(failure.cause) else {
            throw Failure("\(what): refused for another cause: \(told.event)")
        }
        try require(!failure.text.isEmpty, "\(what): a refusal without words")
    }

    /// Performs an effect that must not be refused.
    mutating func expectAcceptance(of effect: RadioEffect, on radio: Int = 0, _ what: String) throws(Failure) {
        forget()
        perform(effect, on: radio)
        try settle(radio...radio)
        if let told = events[radio].first(where: { if case .refused = $0.event { true } else { false } }) {
            throw Failure("\(what): \(told.event)")
        }
    }

    // MARK: Devices

    static func nmi(_ radio: Int) -> NMI { NMI(MACAddress(bits: 0x4200_0000_1000 + UInt64(radio))) }
    static func ndi(_ radio: Int) -> NDI { NDI(MACAddress(bits: 0x5200_0000_1000 + UInt64(radio))) }
    /// Nobody's.
    static var stranger: NMI { NMI(MACAddress(bits: 0x4200_0000_10FF)) }
    /// The address of a data interface's station as the other radio's interface knows it.
    static func dataPeer(_ radio: Int) -> DataPeer { DataPeer(interface: ndi(radio), peer: ndi(1 - radio)) }

    mutating func start(_ radio: Int, fiveGigahertz: Bool = false) throws(Failure) {
        perform(
            .start(RadioConfiguration(nmi: Self.nmi(radio), usesFiveGigahertz: fiveGigahertz)), on: radio)
        try awaitEvent("started", on: radio) { if case .started = $0 { true } else { false } }
    }

    /// The cluster that the radio told last.
    func cluster(of radio: Int) -> ClusterID? {
        for timed in events[radio].reversed() {
            if case .clusterJoined(let id, _) = timed.event { return id }
        }
        return nil
    }

    /// Starts both radios and waits until they are in one cluster.
    mutating func startBoth(fiveGigahertz: Bool = false) throws(Failure) -> ClusterID {
        try start(0, fiveGigahertz: fiveGigahertz)
        try start(1, fiveGigahertz: fiveGigahertz)
        return try awaitCommonCluster()
    }

    mutating func awaitCommonCluster() throws(Failure) -> ClusterID {
        let end = bench.now.advanced(by: Self.joinLimit)
        var agreedAt: MonotonicInstant?
        while bench.now < end {
            pass(.milliseconds(20))
            guard let cluster = cluster(of: 0), cluster == self.cluster(of: 1) else { continue }
            // A cluster can still merge away in the window after it was joined.
            let since = agreedAt ?? bench.now
            agreedAt = since
            if since.duration(to: bench.now) > .timeUnits(512) { return cluster }
        }
        throw Failure("no common cluster: \(String(describing: cluster(of: 0))), \(String(describing: cluster(of: 1)))")
    }

    /// Just after a discovery window, half a second from the next.
    mutating func awaitQuietTime(on radio: Int = 0) throws(Failure) {
        forget()
        try awaitEvent("window announcement", on: radio) { $0 == .discoveryWindowAhead(frequency: 2437) }
        forget()
    }

    mutating func takeTransmissionID() -> TransmitID {
        defer { nextTransmission += 1 }
        return TransmitID(nextTransmission)
    }
}
