internal import NANFrames
internal import Octets
internal import Ports

extension ConformanceRun {
    /// Queues a frame and waits for its status.
    @discardableResult
    mutating func send(
        _ frame: [UInt8], through interface: RadioInterface = .management, on radio: Int = 0,
        within limit: Duration = .seconds(3)
    ) throws(Failure) -> Bool {
        let id = takeTransmissionID()
        perform(.transmit(Transmission(id: id, interface: interface, frame: frame)), on: radio)
        let told = try awaitEvent("status", on: radio, within: limit) {
            if case .transmitted(id, _) = $0 { true } else { false }
        }
        return told.event == .transmitted(id, acknowledged: true)
    }

    /// The frame with this body, as the other radio got it.
    mutating func awaitFrame(
        _ frame: [UInt8], on radio: Int = 1, within limit: Duration = Self.windowLimit
    ) throws(Failure) -> (at: MonotonicInstant, received: ReceivedFrame) {
        let told = try awaitEvent("frame", on: radio, within: limit) { $0.carries(frame) }
        guard case .received(let received) = told.event else { throw Failure("no frame") }
        return (told.at, received)
    }

    private mutating func discovery(
        to: MACAddress, in cluster: ClusterID, category: UInt8 = 4, tag: UInt8
    ) -> [UInt8] {
        TestFrame.discovery(to: to, from: Self.nmi(0).address, in: cluster, category: category, tag: tag)
    }

    /// Sends right after a window: it must arrive in the next, 508 ms later, not before.
    private mutating func expectWindow(_ frame: [UInt8]) throws(Failure) {
        try awaitQuietTime()
        let queued = bench.now
        try send(frame)
        let arrival = try awaitFrame(frame)
        let took = queued.duration(to: arrival.at)
        try require(took >= .milliseconds(350), "arrived after \(took), outside a window")
        if bench.abilities.contains(.exactTime) {
            try require(Self.position(arrival.at) == 0, "arrived in slot \(Self.position(arrival.at))")
        }
    }

    private mutating func expectAtOnce(_ frame: [UInt8]) throws(Failure) {
        try awaitQuietTime()
        let queued = bench.now
        let isAcknowledged = try send(frame)
        let took = queued.duration(to: try awaitFrame(frame).at)
        try require(isAcknowledged, "not acknowledged")
        try require(took <= .milliseconds(300), "arrived after \(took)")
    }

    mutating func multicastWaitsForWindow() throws(Failure) {
        let cluster = try startBoth()
        try expectWindow(discovery(to: TestFrame.networkID, in: cluster, tag: 1))
    }

    mutating func unknownPeerWaitsForWindow() throws(Failure) {
        let cluster = try startBoth()
        let frame = discovery(to: Self.nmi(1).address, in: cluster, tag: 2)
        try expectWindow(frame)
        try awaitQuietTime()
        let isAcknowledged = try send(frame)
        try require(isAcknowledged, "not acknowledged")
    }

    /// Both radios get the same schedule and a station for each other.
    mutating func scheduleBoth(
        _ local: LocalRadioSchedule = .twoBands, _ peer: PeerRadioSchedule = .twoBands
    ) throws(Failure) {
        for radio in 0...1 {
            perform(
                .setLocalSchedule(local), .addPeer(Self.nmi(1 - radio)), .setPeerSchedule(Self.nmi(1 - radio), peer),
                on: radio)
        }
        try settle()
        for radio in 0...1 {
            if let told = events[radio].first(where: { if case .refused = $0.event { true } else { false } }) {
                throw Failure("radio \(radio): \(told.event)")
            }
        }
    }

    mutating func scheduledPeerIsReachedAtOnce() throws(Failure) {
        let cluster = try startBoth()
        try scheduleBoth()
        try expectAtOnce(discovery(to: Self.nmi(1).address, in: cluster, tag: 3))
    }

    mutating func windowsOnlyPeerWaits() throws(Failure) {
        let cluster = try startBoth()
        try scheduleBoth(.twoBands, .windowsOnly)
        try expectWindow(discovery(to: Self.nmi(1).address, in: cluster, tag: 4))
    }

    mutating func scheduleWithoutOverlapWaits() throws(Failure) {
        let cluster = try startBoth()
        try scheduleBoth(
            .one(.high, .only(1...15)),
            PeerRadioSchedule(
                committedDW: 0x0449, sequenceID: 1, channels: [.high],
                maps: [PeerRadioSchedule.PeerMap(mapID: 1, slots: .only(16...31))]))
        try expectWindow(discovery(to: Self.nmi(1).address, in: cluster, tag: 5))
    }

    mutating func otherWidthIsCommon() throws(Failure) {
        let cluster = try startBoth()
        try scheduleBoth(
            .one(.five, .only(1...31)),
            PeerRadioSchedule(
                committedDW: 0x0449, sequenceID: 1, channels: [.five20],
                maps: [PeerRadioSchedule.PeerMap(mapID: 1, slots: .only(1...31))]))
        try expectAtOnce(discovery(to: Self.nmi(1).address, in: cluster, tag: 6))
    }

    mutating func absentPeerIsNotAcknowledged() throws(Failure) {
        let cluster = try startBoth()
        let isAcknowledged = try send(discovery(to: Self.stranger.address, in: cluster, tag: 7), within: .seconds(5))
        try require(!isAcknowledged, "acknowledged by nobody")
    }

    mutating func foreignDestinationIsDelivered() throws(Failure) {
        let cluster = try startBoth()
        let frame = discovery(to: Self.stranger.address, in: cluster, tag: 8)
        forget()
        try send(frame, within: .seconds(5))
        _ = try awaitFrame(frame)
    }

    mutating func foreignClusterIsDropped() throws(Failure) {
        let cluster = try startBoth()
        let other = ClusterID(MACAddress(bits: cluster.address.bits ^ 1))
        try awaitQuietTime()
        let strange = discovery(to: TestFrame.networkID, in: other, tag: 9)
        let own = discovery(to: TestFrame.networkID, in: cluster, tag: 10)
        try send(strange)
        try send(own)
        _ = try awaitFrame(own)
        try refuseAny("a frame of another cluster", on: 1, for: .milliseconds(600)) { $0.carries(strange) }
    }

    mutating func foreignSourceIsRefused() throws(Failure) {
        let cluster = try startBoth()
        let id = takeTransmissionID()
        let frame = TestFrame.discovery(
            to: TestFrame.networkID, from: Self.stranger.address, in: cluster, tag: 11)
        try expectRefusal(
            of: .transmit(Transmission(id: id, frame: frame)), as: .transmission(id), [.invalid], "a foreign source")
    }

    mutating func protectedBitIsRefused() throws(Failure) {
        let cluster = try startBoth()
        let id = takeTransmissionID()
        var frame = discovery(to: TestFrame.networkID, in: cluster, tag: 12)
        frame[1] |= 0x40
        try expectRefusal(
            of: .transmit(Transmission(id: id, frame: frame)), as: .transmission(id), [.invalid], "the Protected bit")
    }

    mutating func authenticationNeedsStation() throws(Failure) {
        let cluster = try startBoth()
        try awaitQuietTime()
        let frame = TestFrame.authentication(to: Self.nmi(1), from: Self.nmi(0), in: cluster, tag: 13)
        let isAcknowledged = try send(frame, within: .milliseconds(300))
        try require(!isAcknowledged, "acknowledged although no slot had a channel")
        try refuseAny("a lost frame", on: 1, for: .milliseconds(1100)) { $0.carries(frame) }
    }

    mutating func authenticationReachesStation() throws(Failure) {
        let cluster = try startBoth()
        perform(.addPeer(Self.nmi(1)), on: 0)
        let frame = TestFrame.authentication(to: Self.nmi(1), from: Self.nmi(0), in: cluster, tag: 14)
        try expectWindow(frame)
        try scheduleBothStationsAdded()
        try expectAtOnce(TestFrame.authentication(to: Self.nmi(1), from: Self.nmi(0), in: cluster, tag: 15))
    }

    private mutating func scheduleBothStationsAdded() throws(Failure) {
        perform(.addPeer(Self.nmi(0)), on: 1)
        for radio in 0...1 {
            perform(.setLocalSchedule(.twoBands), .setPeerSchedule(Self.nmi(1 - radio), .twoBands), on: radio)
        }
        try settle()
    }

    // MARK: Protection

    /// A schedule, then MFP and a key on each side, in that order; nil installs none.
    private mutating func pair(_ keys: (UInt8?, UInt8?)) throws(Failure) -> ClusterID {
        let cluster = try startBoth()
        try scheduleBoth()
        for (radio, key) in [keys.0, keys.1].enumerated() {
            perform(.protectPeer(Self.nmi(1 - radio)), on: radio)
            if let key { perform(.installManagementKey(Self.nmi(1 - radio), TestFrame.key(key)), on: radio) }
        }
        try settle()
        forget()
        return cluster
    }

    mutating func protectedFrameArrives() throws(Failure) {
        let cluster = try pair((1, 1))
        let frame = discovery(to: Self.nmi(1).address, in: cluster, category: 9, tag: 16)
        let isAcknowledged = try send(frame)
        try require(isAcknowledged, "not acknowledged")
        let received = try awaitFrame(frame).received
        try require(received.octets[1] & 0x40 != 0, "delivered without the Protected bit")
        try require(received.interface == .management, "delivered on \(received.interface)")
    }

    private mutating func expectDropped(_ frame: [UInt8]) throws(Failure) {
        forget()
        try send(frame)
        try refuseAny("delivery", on: 1, for: .milliseconds(700)) { $0.carries(frame) }
    }

    mutating func unequalKeysDrop() throws(Failure) {
        let cluster = try pair((1, 2))
        try expectDropped(discovery(to: Self.nmi(1).address, in: cluster, category: 9, tag: 17))
    }

    mutating func missingKeyDrops() throws(Failure) {
        let cluster = try pair((nil, 1))
        try expectDropped(discovery(to: Self.nmi(1).address, in: cluster, category: 9, tag: 18))
        perform(.installManagementKey(Self.nmi(1), TestFrame.key(1)), on: 0)
        try settle()
        let frame = discovery(to: Self.nmi(1).address, in: cluster, category: 9, tag: 19)
        try send(frame)
        _ = try awaitFrame(frame)
    }

    mutating func protectionComesBeforeKey() throws(Failure) {
        let cluster = try startBoth()
        try scheduleBoth()
        perform(.protectPeer(Self.nmi(1)), .installManagementKey(Self.nmi(1), TestFrame.key(1)), on: 0)
        perform(.installManagementKey(Self.nmi(0), TestFrame.key(1)), .protectPeer(Self.nmi(0)), on: 1)
        try settle()
        try expectDropped(discovery(to: Self.nmi(1).address, in: cluster, category: 9, tag: 20))
    }

    mutating func clearFrameOfPairedPeerArrives() throws(Failure) {
        let cluster = try pair((1, 1))
        let frame = discovery(to: Self.nmi(1).address, in: cluster, tag: 21)
        try send(frame)
        let received = try awaitFrame(frame).received
        try require(received.octets[1] & 0x40 == 0, "the Protected bit on a clear frame")
    }
}
