internal import NANFrames
internal import Octets
internal import Ports

extension ConformanceRun {
    mutating func startAnswersWithCapabilities() throws(Failure) {
        perform(.start(RadioConfiguration(nmi: Self.nmi(0))), on: 0)
        let started = try awaitEvent("started", on: 0) { if case .started = $0 { true } else { false } }
        guard case .started(let capabilities) = started.event else { throw Failure("no capabilities") }
        try require(capabilities.station.ht.count == 26, "HT capabilities of \(capabilities.station.ht.count) octets")
        try require(capabilities.dataInterfaceLimit > 0, "no data interface")
        let joined = try awaitEvent("cluster", on: 0, within: Self.joinLimit) {
            if case .clusterJoined(_, isNew: true) = $0 { true } else { false }
        }
        let took = started.at.duration(to: joined.at)
        try require(took >= .milliseconds(300), "a cluster after \(took): nobody listened for others")
        if bench.abilities.contains(.exactTime) {
            try require(took >= .milliseconds(500) && took <= .seconds(1), "joined after \(took), not 0.5 to 1 s")
        }
        try require(cluster(of: 0).map { $0.address.bits >> 16 } == 0x506F_9A01, "cluster id \(joined.event)")
    }

    mutating func startRefusesBadConfigurations() throws(Failure) {
        let universal = NMI(MACAddress(bits: 0x4000_0000_1000))
        let foreign = ClusterID(MACAddress(bits: 0x506F_9A02_0001))
        let bad = [
            RadioConfiguration(nmi: universal),
            RadioConfiguration(nmi: NMI(MACAddress(bits: 0x4300_0000_1000))),
            RadioConfiguration(nmi: Self.nmi(0), masterPreference: 0),
            RadioConfiguration(nmi: Self.nmi(0), cluster: foreign),
        ]
        for configuration in bad {
            forget()
            perform(.start(configuration), on: 0)
            try awaitEvent("failure of \(configuration)", on: 0) { if case .failed = $0 { true } else { false } }
        }
        forget()
        try start(0)
    }

    mutating func startTwiceFails() throws(Failure) {
        try start(0)
        forget()
        perform(.start(RadioConfiguration(nmi: Self.nmi(0))), on: 0)
        let told = try awaitEvent("failure", on: 0) { if case .failed = $0 { true } else { false } }
        guard case .failed(let failure) = told.event else { return }
        try require(failure.cause == .busy, "failed for another cause: \(failure.cause)")
        try awaitEvent("cluster", on: 0, within: Self.joinLimit) {
            if case .clusterJoined = $0 { true } else { false }
        }
    }

    private mutating func expectNothingWorks() throws(Failure) {
        let (peer, data) = (Self.nmi(1), Self.dataPeer(0))
        let id = takeTransmissionID()
        let frame = TestFrame.discovery(
            to: TestFrame.networkID, from: Self.nmi(0).address, in: ClusterID(MACAddress(bits: 0x506F_9A01_0000)),
            tag: 1)
        let effects: [(RadioEffect, RadioCommand)] = [
            (.transmit(Transmission(id: id, frame: frame)), .transmission(id)),
            (.setLocalSchedule(.twoBands), .localSchedule),
            (.addPeer(peer), .peer(peer)),
            (.addDataInterface(Self.ndi(0)), .dataInterface(Self.ndi(0))),
            (.addDataPeer(data, of: peer, isProtected: true), .dataPeer(data)),
            (.queryInactivity(data), .dataPeer(data)),
        ]
        for (effect, command) in effects {
            let causes: Set<RadioFailure.Cause> = [.notStarted, .unknownStation, .invalid]
            try expectRefusal(of: effect, as: command, causes, "\(effect) while not started")
        }
    }

    mutating func everythingNeedsStart() throws(Failure) {
        try expectNothingWorks()
        try start(0)
        forget()
        perform(.stop, on: 0)
        try awaitEvent("stopped", on: 0) { $0 == .stopped(.requested) }
        try expectNothingWorks()
    }

    mutating func stopForgets() throws(Failure) {
        try start(0)
        perform(.addPeer(Self.nmi(1)), .addDataInterface(Self.ndi(0)), on: 0)
        try awaitEvent("data interface", on: 0) { $0 == .dataInterfaceAdded(Self.ndi(0)) }
        perform(.stop, on: 0)
        try awaitEvent("stopped", on: 0) { $0 == .stopped(.requested) }
        forget()
        try start(0)
        try expectAcceptance(of: .addPeer(Self.nmi(1)), "a station after a restart")
        perform(.addDataInterface(Self.ndi(0)), on: 0)
        try awaitEvent("data interface", on: 0) { $0 == .dataInterfaceAdded(Self.ndi(0)) }
    }

    mutating func switchingOffStops() throws(Failure) {
        try start(0)
        forget()
        bench.setSwitch(of: 0, on: false)
        try awaitEvent("stopped", on: 0, within: .seconds(5)) {
            if case .stopped(.lost) = $0 { true } else { false }
        }
        perform(.start(RadioConfiguration(nmi: Self.nmi(0))), on: 0)
        let told = try awaitEvent("failure", on: 0) { if case .failed = $0 { true } else { false } }
        guard case .failed(let failure) = told.event else { return }
        try require(failure.cause == .radioOff, "failed for another cause: \(failure.cause)")
        bench.setSwitch(of: 0, on: true)
        forget()
        try start(0)
    }

    mutating func lateComerJoins() throws(Failure) {
        try start(0)
        try awaitEvent("cluster", on: 0, within: Self.joinLimit) {
            if case .clusterJoined = $0 { true } else { false }
        }
        pass(.seconds(1))
        guard let first = cluster(of: 0) else { throw Failure("no cluster") }
        try start(1)
        let joined = try awaitEvent("cluster", on: 1, within: Self.joinLimit) {
            if case .clusterJoined = $0 { true } else { false }
        }
        if bench.abilities.contains(.exactTime) {
            try require(
                joined.event == .clusterJoined(first, isNew: false), "made a cluster of its own: \(joined.event)")
        }
        try require(try awaitCommonCluster() == first || !bench.abilities.contains(.exactTime), "another cluster")
    }

    mutating func clustersMerge() throws(Failure) {
        // Started together, neither hears the other before it has made a cluster.
        perform(.start(RadioConfiguration(nmi: Self.nmi(0))), on: 0)
        perform(.start(RadioConfiguration(nmi: Self.nmi(1), masterPreference: 200)), on: 1)
        let cluster = try awaitCommonCluster()
        let told = (0...1).map { radio in
            events[radio].filter { if case .clusterJoined = $0.event { true } else { false } }
        }
        let both = told[0] + told[1]
        let made = both.filter { if case .clusterJoined(_, isNew: true) = $0.event { true } else { false } }
        if made.count == 2 {
            try require(both.count > 2, "two clusters made and none joined, in \(cluster)")
        }
        try require(both.contains { $0.event == .clusterJoined(cluster, isNew: true) }, "nobody made \(cluster)")
    }

    mutating func windowsAreAnnounced() throws(Failure) {
        try start(0)
        try awaitEvent("cluster", on: 0, within: Self.joinLimit) {
            if case .clusterJoined = $0 { true } else { false }
        }
        forget()
        pass(.seconds(5))
        let told = events[0].filter { if case .discoveryWindowAhead = $0.event { true } else { false } }
        try require(told.allSatisfy { $0.event == .discoveryWindowAhead(frequency: 2437) }, "another band's window")
        try require((9...10).contains(told.count), "\(told.count) windows in 5 s")
        guard bench.abilities.contains(.exactTime) else { return }
        for timed in told {
            try require(Self.position(timed.at) == 1, "announced in slot \(Self.position(timed.at))")
        }
    }

    /// The slot of its period in which an instant lies.
    static func position(_ instant: MonotonicInstant) -> Int64 { instant.nanoseconds / 16_384_000 % 32 }

    mutating func bothBandsAlternate() throws(Failure) {
        try start(0, fiveGigahertz: true)
        try awaitEvent("cluster", on: 0, within: Self.joinLimit) {
            if case .clusterJoined = $0 { true } else { false }
        }
        forget()
        pass(.seconds(5))
        let told = events[0].compactMap { timed -> Int? in
            if case .discoveryWindowAhead(let frequency) = timed.event { return frequency }
            return nil
        }
        try require(told.count >= 18, "\(told.count) windows in 5 s")
        for (one, next) in zip(told, told.dropFirst()) {
            try require(Set([one, next]) == [2437, 5745], "\(next) after \(one)")
        }
    }
}
