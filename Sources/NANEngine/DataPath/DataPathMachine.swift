package import NANFrames
package import Octets
package import Ports

/// Sets data paths up, watches over them and ends them, in both roles: NDP and NDL in the same frames (reference 5).
///
/// It builds and checks whole frame bodies, because MICs cover them from the category octet on. Addresses, headers,
/// stations and keys in the radio, and whether a peer's frames are protected, are its owner's.
///
/// What a transmit status or silence says is lost is sent again, octet for octet; what a peer repeats is answered the
/// same again without a second effect. A peer's acknowledgement alone ends nothing that it has to answer.
package struct DataPathMachine: Sendable {
    package struct Configuration: Equatable, Sendable {
        /// Waiting for the owner, for the answer to a request, or for the answer to a counter-proposal.
        package var answerTimeout: Duration = .seconds(30)
        /// Every other step.
        package var stepTimeout: Duration = .seconds(2)
        /// What was acknowledged and not answered is sent again after this, because a busy peer loses such frames.
        package var repeatInterval: Duration = .milliseconds(600)
        /// The same for a request, which a person may have to be asked about.
        package var requestRepeatInterval: Duration = .seconds(3)
        /// Before the first repeat of a request, doubled to the former: it may be the first frame under a new key, which
        /// the peer's radio acknowledges and loses until it has that key as well.
        package var firstRepeatInterval: Duration = .milliseconds(100)
        /// Before a frame that was not acknowledged is sent again.
        package var retryPause: Duration = .milliseconds(20)
        /// A frame is sent at most so many times.
        package var maximumTries = 16
        /// Seconds without a data frame that NDLs announce as the most, and that end nothing here; 0 announces none.
        package var idlePeriod: UInt16 = 25
        /// A peer that gives no sign of life for this long, probes included, has vanished; zero watches nobody.
        package var presenceTimeout: Duration = .seconds(5)
        /// Between a probe that was not acknowledged and the next.
        package var probePause: Duration = .milliseconds(300)
        /// Suites that requests may come with; what they came with is what they are answered with.
        package var suites: Set<CipherSuiteID> = [.ncsSK128, .ncsSK256, .ncsPKPASN128, .ncsPKPASN256]
        /// What we say of group keys; without support none are sent.
        package var groupKeyCapabilities = CipherSuiteInformation.Capabilities.none
        /// Our IGTK, for peers that support group keys as we do.
        package var ownGroupKey: GroupKey?

        package init() {}
    }

    /// Paths in all states together: what a radio's stations allow, and a bound on what strangers can make us keep.
    package static let maximumPaths = 16
    /// Requests that wait for the owner at once.
    package static let maximumRequests = 8

    /// Requests of ended paths that are remembered.
    static let maximumFinishedRequests = 8

    package enum Event: Equatable, Sendable {
        /// What frames say of this device: before anything else, and after every change.
        case localDevice(OwnDevice, LocalSchedule)
        case request(Request)
        case answer(DataPathID, Answer)
        /// As the initiator, to `counterProposed`: the schedule that the radio now has.
        case adopt(DataPathID, LocalSchedule)
        /// A data path frame: decoded, and its body from the category octet on.
        case received(NAF, body: [UInt8], from: NMI, isProtected: Bool)
        case transmitted(UInt64, acknowledged: Bool)
        /// Any other frame that the peer alone can have sent.
        case heard(NMI)
        /// A peer has announced another schedule: without common slots its paths end, if it is the peer that says so.
        case peerSchedule(NMI, DeviceSchedule, isProtected: Bool)
        /// The peer has been paired or unpaired: what is sent from now on is protected, or is not.
        case protection(NMI, isProtected: Bool)
        case terminate(DataPathID, ReasonCode)
        case terminateAll
        /// The radio has no station of the peer any more: its paths end without a frame.
        case peerGone(NMI)
        /// The radio refused the data station of this peer's NDI.
        case linkFailed(NDI)
        /// Answer to `queryInactivity`: how long nothing came from a peer's NDI.
        case inactivity(NDI, Duration)
        /// The radio is gone: everything ends without a frame.
        case reset
        case deadlineReached
    }

    package enum Effect: Equatable, Sendable {
        case transmit(Frame)
        /// As the responder: answer with `answer`.
        case requested(RequestInfo)
        /// As the initiator: the responder cannot meet us; change the schedule and `adopt` it, or `terminate`.
        case counterProposed(DataPathID, NMI, DeviceSchedule)
        /// The order of the radio's commands is reference 6.12.2.
        case connected(Connection)
        case ended(Ending)
        /// Ask the radio how long it has not heard the peer's data station.
        case queryInactivity(local: NDI, peer: NDI)
        /// A frame was ignored; `key` names the cause for a counter.
        case dropped(key: String)
    }

    let configuration: Configuration
    var nonceEntropy: Entropy
    var ndcEntropy: Entropy
    var own: OwnDevice?
    var schedule = LocalSchedule(sequenceID: 0, [])
    /// In the order of their beginning.
    var paths: [DataPath] = []
    var links: [NMI: DataLink] = [:]
    /// Strength of the key in use between two NDIs, local first.
    var keysInUse: [NDIPair: Int] = [:]
    /// M1 of secure paths that were connected and are gone: a late copy is no new request, whose nonce would differ.
    var finishedRequests: [[UInt8]] = []
    private var lastToken: UInt64 = 0
    private var lastNumber: UInt8 = 0

    package init(_ configuration: Configuration, entropy: Entropy) {
        self.configuration = configuration
        nonceEntropy = entropy.fork(label: "nonce")
        ndcEntropy = entropy.fork(label: "ndc")
    }

    /// What the peer that asked for a data path wants the link to be.
    func proposal(of id: DataPathID) -> LinkProposal? { paths.first { $0.id == id }?.proposal }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        switch event {
        case .localDevice(let device, let schedule):
            own = device
            self.schedule = schedule
            return []
        case .request(let request): return begin(request, now)
        case .answer(let id, let answer): return self.answer(id, answer, now)
        case .adopt(let id, let schedule): return adopt(id, schedule, now)
        case .received(let naf, let body, let peer, let isProtected):
            return received(naf, body, from: peer, isProtected, now)
        case .transmitted(let token, let acknowledged): return transmitted(token, acknowledged, now)
        case .heard(let peer):
            links[peer]?.hear(now)
            return []
        case .peerSchedule(let peer, let schedule, let isProtected):
            return changed(schedule, of: peer, isProtected, now)
        case .protection(let peer, let isProtected):
            for index in paths.indices where paths[index].peer == peer { paths[index].isProtected = isProtected }
            return []
        case .terminate(let id, let reason):
            guard let index = index(of: id) else { return [.dropped(key: "NDP/unknown")] }
            return terminate(index, .terminatedHere, reason, now)
        case .terminateAll:
            return paths.map(\.id).flatMap { id -> [Effect] in
                index(of: id).map { terminate($0, .terminatedHere, .unspecified, now) } ?? []
            }
        case .peerGone(let peer): return endAll(.radio) { $0.peer == peer }
        case .linkFailed(let ndi):
            let failed = paths.filter { $0.peerNDI == ndi }.map(\.id)
            return failed.flatMap { id in
                index(of: id).map { terminate($0, .radio, .resourceLimitation, now) } ?? []
            }
        case .inactivity(let ndi, let duration): return inactive(ndi, duration, now)
        case .reset: return endAll(.radio) { _ in true }
        case .deadlineReached: return expire(now)
        }
    }

    package var nextDeadline: MonotonicInstant? {
        (paths.flatMap { [$0.deadline, $0.outgoing?.repeatAt] } + links.values.map(watchDeadline)).compactMap { $0 }
            .min()
    }

    /// What the radio is to know of a peer while a link with it is up: its slots, the conditional ones made firm.
    func agreedSchedule(with peer: NMI) -> PeerRadioSchedule? {
        guard isConnected(with: peer), let link = links[peer] else { return nil }
        return PeerRadioSchedule(link.schedule, link.capability, local: schedule, includesConditional: true)
    }

    /// Whether a path with the peer is being set up, is connected, or is being ended.
    package func isBusy(with peer: NMI) -> Bool { paths.contains { $0.peer == peer } }

    /// Whether data can flow to the peer.
    package func isConnected(with peer: NMI) -> Bool { paths.contains { $0.peer == peer && $0.state == .connected } }

    func index(of id: DataPathID) -> Int? { paths.firstIndex { $0.id == id } }

    mutating func nextToken() -> UInt64 {
        lastToken += 1
        return lastToken
    }

    /// The next number nobody uses: numbers are not taken again at once, or a late frame of the last path that had
    /// one would be taken for this one's.
    mutating func nextNumber(_ initiator: NDI) -> NDPID {
        repeat {
            lastNumber = lastNumber == 255 ? 1 : lastNumber + 1
        } while index(
            of: DataPathID(initiator: initiator, number: NDPID(lastNumber))) != nil
        return NDPID(lastNumber)
    }
}

/// Two ends of data frames.
struct NDIPair: Hashable, Sendable {
    let local: NDI
    let peer: NDI
}
