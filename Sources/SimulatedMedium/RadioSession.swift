internal import NANFrames
internal import Octets
internal import Ports

/// A simulated radio between START_NAN and STOP_NAN.
struct RadioSession: Sendable {
    /// NMI stations and, apart from them, data stations; mac80211 has no such limit, a phone has a lower one.
    static let stationLimit = 64
    /// Frames queued and not yet answered by a status.
    static let queueLimit = 256
    /// Frames on their way from the MAC to the program.
    static let deliveryLimit = 512
    /// Senders whose last sequence number is remembered; forgotten all at once beyond that.
    static let arrivalLimit = 256
    /// A program that was stopped for longer does not catch up with the windows it missed.
    static let longestLag = Duration.seconds(2)

    let hardware: VirtualKernel.Configuration
    let radio: RadioConfiguration
    let randomFactor: UInt8
    var entropy: Entropy
    var statistics = AirStatistics()
    var outputs: [VirtualKernel.Output] = []

    /// Nominal time: what was due at an instant happens at that instant, however late the call comes.
    var clock: MonotonicInstant
    var membership: Membership
    var windowSlot: Slot
    var local = LocalRadioSchedule.empty
    var stations: [NMI: Station] = [:]
    var interfaces: [NDI] = []
    var dataStations: [DataStation] = []
    var queue: [Outgoing] = []
    var awaiting: [Outgoing] = []
    var transmitterFreeAt: MonotonicInstant
    var lastReadyAt: MonotonicInstant
    /// When the queue's next frame leaves, and its index there.
    var departure: (at: MonotonicInstant, index: Int)?
    var deliveries: [Delivery] = []
    var arrivals: [ArrivalKey: Arrival] = [:]
    var nextSequence: UInt16 = 0
    var nextOrder: UInt64 = 0

    init(hardware: VirtualKernel.Configuration, radio: RadioConfiguration, entropy: Entropy, now: MonotonicInstant) {
        var entropy = entropy
        self.hardware = hardware
        self.radio = radio
        randomFactor = UInt8.random(in: .min ... .max, using: &entropy)
        clock = now
        transmitterFreeAt = now
        lastReadyAt = now
        // Longer than one period, so that somebody else's window lies within: 0.53 to 1 s, as hwsim takes.
        let scan = Duration.microseconds(530_000 + Int.random(in: 0...450_000, using: &entropy))
        membership = .scanning(until: now + scan, best: nil)
        windowSlot = Self.windowSlot(after: Slot(at: now), usesFiveGigahertz: radio.usesFiveGigahertz)
        self.entropy = entropy
    }

    var nextDeadline: MonotonicInstant? {
        var next = windowSlot.start
        func consider(_ instant: MonotonicInstant?) {
            if let instant, instant < next { next = instant }
        }
        consider(membership.deadline)
        consider(departure?.at)
        for frame in awaiting { consider(frame.deadline) }
        for delivery in deliveries { consider(delivery.at) }
        for station in dataStations { consider(station.nextProbe) }
        return next
    }

    mutating func handle(_ event: VirtualKernel.Event, now: MonotonicInstant) -> [VirtualKernel.Output] {
        if case .heard(let frame) = event {
            // Before what is due: an acknowledgement that waited in a socket is in time.
            hear(frame, now)
            planDeparture()
            advance(to: now)
        } else {
            advance(to: now)
            switch event {
            case .perform(let effect): perform(effect, now)
            case .activity(let peer):
                if let index = dataIndex(peer) { dataStations[index].lastActive = now }
            case .heard, .switched, .lost, .removed, .deadlineReached: break
            }
            planDeparture()
            advance(to: now)
        }
        defer { outputs = [] }
        return outputs
    }

    private mutating func advance(to now: MonotonicInstant) {
        if windowSlot.start < now - Self.longestLag {
            windowSlot = Self.windowSlot(after: Slot(at: now), usesFiveGigahertz: radio.usesFiveGigahertz)
            clock = max(clock, now)
            planDeparture()
        }
        while let due = nextDeadline, due <= now {
            clock = max(clock, due)
            step(due)
            planDeparture()
        }
        clock = max(clock, now)
    }

    /// Does what is due at `now`.
    private mutating func step(_ now: MonotonicInstant) {
        if windowSlot.start <= now { passWindowSlot() }
        updateMembership(now)
        expireAttempts(now)
        if let departure, departure.at <= now { attempt(at: departure.index, now) }
        deliver(now)
        probe(now)
    }

    mutating func emit(_ event: RadioEvent) { outputs.append(.event(event)) }

    mutating func draw(_ probability: Double) -> Bool {
        probability > 0 && Double.random(in: 0..<1, using: &entropy) < probability
    }

    func isOwn(_ address: MACAddress) -> Bool {
        address == radio.nmi.address || interfaces.contains(NDI(address))
    }

    func dataIndex(_ peer: DataPeer) -> Int? { dataStations.firstIndex { $0.peer == peer } }
}

extension RadioSession {
    /// A peer's NMI: what NEW_STATION makes.
    struct Station {
        var isProtected = false
        var key: PairwiseKey?
        /// The kernel marks a key usable for received management frames only when MFP was set before it.
        var keyOpensManagement = false
        var capabilities: StationCapabilities?
        var schedule: PeerRadioSchedule?
        var lastHeard: MonotonicInstant
    }

    struct DataStation {
        let peer: DataPeer
        let nmi: NMI
        let isProtected: Bool
        var key: PairwiseKey?
        var isAuthorized = false
        var link = DataLink.none
        var lastActive: MonotonicInstant

        var nextProbe: MonotonicInstant? {
            if case .opening(let at) = link { return at }
            return nil
        }
    }

    enum DataLink {
        case none
        case opening(nextProbe: MonotonicInstant)
        case open
    }

    /// A frame on its way out.
    struct Outgoing {
        enum Purpose: Equatable {
            case program(TransmitID)
            case dataLink
        }

        let order: UInt64
        let purpose: Purpose
        let interface: RadioInterface
        let destination: MACAddress
        var octets: [UInt8]
        var readyAt: MonotonicInstant
        /// Handed to the driver at once, for the channel it happens to be on: authentication to no station.
        let isImmediate: Bool
        var attempts = 0
        var sequence: UInt16?
        /// While its acknowledgement is awaited.
        var deadline: MonotonicInstant?
        var isExhausted = false
    }

    struct Delivery {
        let at: MonotonicInstant
        let order: UInt64
        let frame: ReceivedFrame
    }

    struct ArrivalKey: Hashable {
        let from: MACAddress
        let to: MACAddress
    }

    struct Arrival {
        var sequence: UInt16
        var isDoomed: Bool
    }
}
