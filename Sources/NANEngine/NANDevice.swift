package import Cryptography
internal import Dot11Frames
package import NANFrames
package import NANSecurity
package import Octets
package import Ports

/// One NAN device, either role: owns discovery, bootstrapping, pairing and data paths, and the radio below them.
///
/// It knows the protocol and decides nothing that a product could want otherwise: whom to accept, what to show and what
/// to keep is its owner's.
package struct NANDevice: Sendable {
    package enum Event: Equatable, Sendable {
        case radio(RadioEvent)
        case crypto(CryptoResult)
        case command(NANCommand)
        case deadlineReached
    }

    package enum Effect: Equatable, Sendable {
        case radio(RadioEffect)
        case crypto(CryptoJob)
        case report(NANReport)
    }

    package struct Configuration: Sendable {
        /// Nil draws a locally administered address at every start: peers know us by NIRA, not by address.
        package var nmi: NMI?
        package var ndi: NDI?
        /// Nil announces the EUI-64 of the NDI, which Linux configures by itself.
        package var interfaceIdentifier: InterfaceIdentifier?
        package var masterPreference: UInt8 = 2
        package var usesFiveGigahertz = false
        package var cluster: ClusterID?
        package var schedule: LocalSchedule
        /// Has the device choose its schedule for this mode, at every start, from what the radio may use there.
        package var mode: LocalSchedule.Mode?
        /// CSID 7 and 8, the ones that PASN may run with.
        package var pairingSuites: [CipherSuiteID] = [.ncsPKPASN128, .ncsPKPASN256]
        /// A peer with a station but without a data path that is not heard for this long is let go.
        package var peerSilence: Duration = .seconds(10)
        /// The same for one that is paired.
        ///
        /// A person may be between pairing and the first data path, and a passive subscriber says nothing meanwhile; what
        /// it sends then is under the keys of the pairing.
        package var pairedPeerSilence: Duration = .seconds(120)
        package var pairing = PairingMachine.Configuration()
        package var dataPath = DataPathMachine.Configuration()

        package init(schedule: LocalSchedule) { self.schedule = schedule }

        /// Chooses for `mode`.
        package init(mode: LocalSchedule.Mode) {
            self.init(schedule: LocalSchedule(mode))
            self.mode = mode
        }
    }

    enum Radio: Equatable, Sendable {
        case off
        case starting
        case started
        case joined(ClusterID)
    }

    enum Timer: Int, CaseIterable, Sendable {
        case supervision
        /// How long a stop waits for terminations to leave.
        case stop
    }

    let configuration: Configuration
    var entropy: Entropy
    let identityKey: IdentityKey
    var radio = Radio.off
    /// Why NAN is being ended, when nobody asked for it.
    var fault: String?
    var capabilities = RadioCapabilities.simulated
    var own: OwnDevice
    /// What our service discovery frames prove who we are with; one pair per address.
    var identity: IdentityResolution
    var latest = MonotonicInstant(nanoseconds: 0)
    var timers = TimerTable<Timer>()

    var peers = PeerTable()
    var transmissions = Transmissions()
    var discovery = Discovery()
    var responder: BootstrapResponder
    var initiators: [NMI: BootstrapInitiator] = [:]
    var lastToken: UInt8 = 0
    var pairings: [PairingRecord] = []
    var pairing: PairingMachine
    var dataPaths: DataPathMachine
    var schedule: LocalSchedule
    /// Data paths that a peer has asked for and the owner has not answered.
    var requests: [DataPathID: DataPathMachine.RequestInfo] = [:]
    /// Data paths whose link the radio is opening, or has opened.
    var links: [DataPathID: DataPathMachine.Connection] = [:]
    /// Those of them that the owner has been told of.
    var openLinks: Set<DataPathID> = []

    package init(_ configuration: Configuration, identityKey: SecretKey, entropy: Entropy) {
        self.configuration = configuration
        self.entropy = entropy.fork(label: "device")
        guard let key = IdentityKey(identityKey) else { preconditionFailure("a NIK has 16 octets") }
        self.identityKey = key
        responder = BootstrapResponder(entropy: entropy.fork(label: "bootstrap"))
        pairing = PairingMachine(configuration.pairing, entropy: entropy.fork(label: "pairing"))
        dataPaths = DataPathMachine(configuration.dataPath, entropy: entropy.fork(label: "ndp"))
        schedule = configuration.schedule
        own = OwnDevice(
            nmi: configuration.nmi ?? NMI(MACAddress(bits: 0)), ndi: configuration.ndi ?? NDI(MACAddress(bits: 0)),
            schedule: configuration.schedule, capabilities: .simulated)
        identity = IdentityResolution(nonce: [UInt8](repeating: 0, count: 8), tag: [UInt8](repeating: 0, count: 8))
    }

    package var nmi: NMI { own.nmi }

    package var clusterID: ClusterID? { cluster }

    package var nextDeadline: MonotonicInstant? {
        let ours = [timers.next, pairing.nextDeadline, dataPaths.nextDeadline].compactMap { $0 }
        return (ours + initiators.values.compactMap(\.nextDeadline)).min()
    }

    /// The pairing that a peer was verified with, or has made, in its present session.
    package func pairing(of nmi: NMI) -> PairingID? { peers[nmi]?.session?.pairing }

    /// The subscribe instance that a device was last heard with; none when it was not.
    package func subscriber(_ nmi: NMI) -> InstanceID { peers[nmi]?.subscriber?.peerInstance ?? .none }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        latest = now
        switch event {
        case .radio(let event): return heard(event)
        case .crypto(let result): return pair(.crypto(result))
        case .command(let command): return perform(command)
        case .deadlineReached: return expire()
        }
    }

    private mutating func expire() -> [Effect] {
        var effects: [Effect] = []
        while let timer = timers.popExpired(latest) {
            switch timer {
            case .supervision: effects += supervise()
            case .stop: effects.append(.radio(.stop))
            }
        }
        for peer in initiators.keys.sorted(by: { $0.address.bits < $1.address.bits }) {
            guard let asked = initiators[peer]?.deadlineReached(now: latest) else { continue }
            effects += take(asked)
        }
        return effects + pair(.deadlineReached) + connect(.deadlineReached)
    }

    private mutating func perform(_ command: NANCommand) -> [Effect] {
        switch command {
        case .start: return start()
        case .stop: return stop()
        case .publish(let configuration):
            discovery.publish(configuration, now: latest)
            return []
        case .subscribe(let configuration):
            discovery.subscribe(configuration, now: latest)
            return []
        case .cancel(let instance):
            discovery.cancel(instance)
            return []
        case .followUp(let message):
            guard let frame = discovery.followUp(to: message.peer, info: message.serviceInfo) else { return [] }
            return send(frame, .followUp(message.peer))
        case .setPairings(let records): return setPairings(records)
        case .bootstrap(let peer, let method, let info): return bootstrap(peer, method, info)
        case .answerBootstrap(let peer, let answer): return take(responder.answer(peer, answer))
        case .expectPairing(let peer, let secret): return expectPairing(peer, secret)
        case .pair(let peer, let secret, let suite): return startPairing(peer, secret, suite)
        case .verify(let peer, let pairing): return startVerification(peer, pairing)
        case .abandonPairing(let peer): return abandonPairing(peer)
        case .keepPairing(let peer): return keepPairing(peer)
        case .requestDataPath(let peer, let offer): return requestDataPath(peer, offer)
        case .answerDataPath(let id, let answer): return answerDataPath(id, answer)
        case .terminateDataPath(let id): return terminateDataPath(id)
        case .terminateDataPaths(let peer):
            return dataPaths.paths.filter { $0.peer == peer }.flatMap { terminateDataPath($0.id) }
        }
    }
}
