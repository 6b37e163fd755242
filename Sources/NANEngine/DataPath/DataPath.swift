internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

/// One data path from the first frame to the last.
struct DataPath: Sendable {
    enum State: Equatable, Sendable {
        /// Responder: the owner is asked.
        case requested
        /// Responder: M2 is out. With a counter-proposal M3 has to bring a schedule that meets ours.
        case responded(isCounter: Bool)
        /// Responder: M4 is out; its acknowledgement connects.
        case installing
        /// Initiator: M1 is out.
        case requesting
        /// Initiator: M2 was a counter-proposal and the owner is asked for a schedule.
        case choosing
        /// Initiator: M3 is out.
        case confirming
        case connected
        /// A termination is out; what ends is said when its status has come.
        case ending(DataPathMachine.Ending.Cause, ReasonCode, wasConnected: Bool)
    }

    /// A frame that is sent until it is acknowledged and answered.
    struct Outgoing: Equatable, Sendable {
        let body: [UInt8]
        /// The last try's.
        var token: UInt64
        var triesLeft: Int
        /// The most after an acknowledgement; nil when none is an answer enough.
        let interval: Duration?
        /// After the next one.
        var pause: Duration?
        var repeatAt: MonotonicInstant?
    }

    let id: DataPathID
    let peer: NMI
    let isInitiator: Bool
    let publishID: InstanceID
    let dialogToken: DialogToken
    let usesExtension: Bool
    let localNDI: NDI
    /// A link is negotiated in the same frames, because there is none with the peer.
    let negotiatesLink: Bool
    let isConfirmRequired: Bool
    /// The body of M1.
    let request: [UInt8]
    var isProtected: Bool
    var state: State
    var peerNDI: NDI?
    /// Nil for an open path.
    var handshake: DataPathHandshake?
    var serviceInfo: [UInt8] = []
    var localIdentifier: InterfaceIdentifier
    var peerServiceInfo: [UInt8] = []
    var peerIdentifier: InterfaceIdentifier?
    /// What the peer's frames said; used once it is clear that it is the peer.
    var proposal: LinkProposal?
    var peerCapability: DeviceCapability?
    var elements: ElementContainer?
    /// Chosen by the responder.
    var ndc: NDC?
    var outgoing: Outgoing?
    var deadline: MonotonicInstant?
    /// What was received and what it was answered with; a handshake has two of these at most.
    var answered: [(received: [UInt8], sent: [UInt8])] = []

    /// Still being set up, or connected.
    var isAlive: Bool {
        if case .ending = state { false } else { true }
    }

    /// Neither connected nor ending.
    var isInSetup: Bool { isAlive && state != .connected }

    var initiatorNDI: NDI? { isInitiator ? localNDI : peerNDI }

    /// What an identical frame was answered with.
    func reply(to body: [UInt8]) -> [UInt8]? { answered.first { $0.received == body }?.sent }
}

/// What two devices share as long as they have a path: the schedule, and whom to watch.
struct DataLink: Sendable {
    var schedule: DeviceSchedule
    var capability: DeviceCapability?
    var elements: ElementContainer
    let ndc: NDC?
    /// When the peer last gave a sign of life, as far as is known.
    var heardAt: MonotonicInstant
    var presence = Presence.unwatched
    /// Probes since then that were not acknowledged.
    var misses = 0

    /// How far the search for a sign of life has come.
    enum Presence: Equatable, Sendable {
        /// No path is connected, or supervision is off.
        case unwatched
        case heard
        /// The radio has been asked about these addresses and has not answered for them.
        case asking(Set<NDI>, until: MonotonicInstant)
        /// A probe is out.
        case probing(token: UInt64, until: MonotonicInstant)
        /// The last probe was not acknowledged.
        case pausing(until: MonotonicInstant)
    }

    mutating func hear(_ now: MonotonicInstant) {
        heardAt = max(heardAt, now)
        misses = 0
        if presence != .unwatched { presence = .heard }
    }
}

/// The four-way handshake's state (reference 5.5).
struct DataPathHandshake: Equatable, Sendable {
    let suite: CipherSuiteID
    let strength: SuiteStrength
    var credential: DataPathMachine.Credential?
    /// ND-PMKID of the request.
    let keyIdentifier: [UInt8]
    let initiatorNonce: [UInt8]
    var responderNonce: [UInt8] = []
    /// Of the last message that the peer sent, or of M1.
    var replayCounter: UInt64
    var token: [UInt8] = []
    var keys: DataPathKeys?
    /// Of the peer's CSIA.
    var peerCapabilities = CipherSuiteInformation.Capabilities.none
    var groupKeys: [GroupKey] = []

    /// Strength among the keys for one pair of addresses (reference 5.5.2); an open path's is 0.
    var rank: Int {
        let isOpportunistic = credential?.isOpportunistic ?? false
        return switch (suite, isOpportunistic) {
        case (.ncsPKPASN256, false): 6
        case (.ncsPKPASN128, false): 5
        case (.ncsSK256, _): 4
        case (.ncsSK128, _): 3
        case (.ncsPKPASN256, true): 2
        case (.ncsPKPASN128, true): 1
        default: 0
        }
    }
}
