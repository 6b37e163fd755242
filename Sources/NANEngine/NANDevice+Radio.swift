internal import Dot11Frames
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

extension NANDevice {
    /// A1 of everything that is for everybody: the NAN network ID.
    static let network = MACAddress(bits: 0x516F_9A01_0000)
    /// Unacknowledged unicast frames are sent again this often: beyond the MAC's retries there is no other recovery.
    static let unicastTries = 4
    /// One discovery window's period and some.
    private static let farewellTime: Duration = .milliseconds(700)
    static let supervisionInterval: Duration = .seconds(1)

    var cluster: ClusterID? {
        if case .joined(let cluster) = radio { cluster } else { nil }
    }

    // MARK: Life

    mutating func start() -> [Effect] {
        guard radio == .off else { return [] }
        radio = .starting
        let nmi = configuration.nmi ?? NMI(.locallyAdministered(from: &entropy))
        let ndi = configuration.ndi ?? NDI(.locallyAdministered(from: &entropy))
        own = OwnDevice(nmi: nmi, ndi: ndi, schedule: configuration.schedule, capabilities: capabilities)
        let nonce = entropy.octets(IdentityKey.nonceLength)
        identity = IdentityResolution(nonce: nonce, tag: identityKey.tag(for: nmi, nonce: nonce))
        return [
            .radio(
                .start(
                    RadioConfiguration(
                        nmi: nmi, masterPreference: configuration.masterPreference,
                        usesFiveGigahertz: configuration.usesFiveGigahertz, cluster: configuration.cluster)))
        ]
    }

    mutating func stop() -> [Effect] {
        guard radio != .off else { return [.report(.stopped(.requested))] }
        guard timers.deadline(of: .stop) == nil else { return [] }
        let terminations = connect(.terminateAll)
        guard !dataPaths.paths.isEmpty else { return terminations + [.radio(.stop)] }
        // A termination leaves in the next common slot, at worst in the next window; a peer that misses it finds out.
        timers.start(.stop, at: latest.advanced(by: Self.farewellTime))
        return terminations
    }

    mutating func heard(_ event: RadioEvent) -> [Effect] {
        switch event {
        case .started(let capabilities):
            self.capabilities = capabilities
            radio = .started
            let schedule = configuration.mode.map { LocalSchedule($0, with: capabilities) }
            return use(schedule ?? configuration.schedule) + [.report(.started(capabilities))]
        case .failed(let failure):
            return lose() + [.report(.failed(failure))]
        case .stopped(let cause):
            let failure = fault
            return lose() + [.report(.stopped(failure.map { .lost($0) } ?? cause))]
        case .clusterJoined(let cluster, _):
            let isFirst = self.cluster == nil
            radio = .joined(cluster)
            guard isFirst else { return [.report(.joined(cluster))] }  // a merge: only A3 changes
            return [
                .radio(.addDataInterface(own.ndi)), .radio(.setLocalSchedule(schedule.radio)),
                .report(.joined(cluster)),
            ]
        case .discoveryWindowAhead:
            guard cluster != nil else { return [] }
            return take(discovery.windowAhead(now: latest))
        case .received(let frame): return received(frame)
        case .transmitted(let id, let acknowledged): return transmitted(id, acknowledged)
        case .dataInterfaceAdded: return []
        case .dataLinkOpened(let peer, let local, let remote): return linkOpened(peer, local, remote)
        case .inactivity(let peer, let duration): return connect(.inactivity(peer.peer, duration))
        case .refused(let command, let failure): return refused(command, failure)
        }
    }

    /// Says of ourselves from now on that we keep this schedule; the radio is told by whoever calls.
    mutating func use(_ schedule: LocalSchedule) -> [Effect] {
        self.schedule = schedule
        own = OwnDevice(nmi: own.nmi, ndi: own.ndi, schedule: schedule, capabilities: capabilities)
        return connect(.localDevice(own, schedule))
    }

    /// The radio and all its state are gone; instances and pairings stay.
    private mutating func lose() -> [Effect] {
        radio = .off
        fault = nil
        timers.stop(.supervision)
        timers.stop(.stop)
        transmissions.removeAll()
        initiators = [:]
        discovery.reset()
        responder.forgetAll()
        let effects = pair(.reset) + connect(.reset)
        peers.removeAll()
        links = [:]
        openLinks = []
        return effects.filter { effect in
            if case .radio = effect { false } else { true }  // nobody is there to carry them out
        }
    }

    private mutating func refused(_ command: RadioCommand, _ failure: RadioFailure) -> [Effect] {
        var effects: [Effect] = [.report(.dropped(key: "radio/\(failure.cause.rawValue)"))]
        switch command {
        case .transmission(let id): effects += transmitted(id, false)
        case .dataPeer(let peer): effects += connect(.linkFailed(peer.peer))
        case .localSchedule: effects += fallBack(failure)
        case .dataInterface: effects += giveUp(failure)
        // What it was given is not there; it is tried again with the next that is heard of the peer.
        case .peer(let nmi): peers.change(nmi) { $0.installedSchedule = nil }
        }
        return effects
    }

    /// Without what was refused nothing can be served: NAN is ended, and begun anew by the owner, who is told why.
    private mutating func giveUp(_ failure: RadioFailure) -> [Effect] {
        guard fault == nil else { return [] }
        fault = failure.text
        return [.radio(.stop)]
    }

    /// The radio may not keep the schedule that was chosen: what every radio may is left.
    private mutating func fallBack(_ failure: RadioFailure) -> [Effect] {
        guard let mode = configuration.mode else { return [] }
        let plain = LocalSchedule(mode, sequenceID: schedule.sequenceID &+ 1)
        guard plain.allotments != schedule.allotments else { return giveUp(failure) }
        return use(plain) + [.radio(.setLocalSchedule(plain.radio))]
    }

    // MARK: Sending

    /// Queues a service discovery frame, protected when its addressee is paired.
    mutating func send(
        _ frame: ServiceFrame, _ purpose: Transmissions.Purpose? = nil, tries: Int = unicastTries
    ) -> [Effect] {
        guard let cluster else { return [] }
        let peer = frame.destination.flatMap { peers[$0] }
        let isProtected = peer.map { $0.isPaired && !($0.startsOver && frame.isBootstrapping) } ?? false
        let sdf = SDF(
            category: isProtected ? .protectedDual : .publicAction,
            AttributeList(frame.attributes(own, identity: identity)))
        let body = NANFrame.serviceDiscovery(sdf).encoded
        let destination = frame.destination
        let resend = destination.map { nmi in
            Transmissions.Purpose.unicast(nmi, body: body, triesLeft: tries - 1)
        }
        return [transmit(body, to: destination?.address ?? Self.network, .action, cluster, purpose ?? resend)]
    }

    mutating func transmit(
        _ body: [UInt8], to destination: MACAddress, _ kind: ManagementHeader.FrameControl, _ cluster: ClusterID,
        _ purpose: Transmissions.Purpose?
    ) -> Effect {
        var writer = ByteWriter(reserving: ManagementHeader.length + body.count)
        ManagementHeader(
            kind, destination: destination, source: own.nmi.address, bssid: cluster.address
        ).encode(into: &writer)
        writer.octets(body)
        return .radio(.transmit(Transmission(id: transmissions.begin(purpose), frame: writer.bytes)))
    }

    mutating func transmitted(_ id: TransmitID, _ acknowledged: Bool) -> [Effect] {
        switch transmissions.end(id) {
        case nil: return []
        case .unicast(let nmi, let body, let triesLeft)?:
            guard !acknowledged, triesLeft > 0, let cluster else { return [] }
            let again = Transmissions.Purpose.unicast(nmi, body: body, triesLeft: triesLeft - 1)
            return [transmit(body, to: nmi.address, .action, cluster, again)]
        case .followUp(let peer)?: return [.report(.followUpSent(peer, acknowledged: acknowledged))]
        case .pairing(let token)?: return pair(.transmitted(token, acknowledged: acknowledged))
        case .dataPath(let token)?: return connect(.transmitted(token, acknowledged: acknowledged))
        }
    }
}

extension OwnDevice {
    /// From what the radio can do and the schedule it keeps.
    init(nmi: NMI, ndi: NDI, schedule: LocalSchedule, capabilities: RadioCapabilities) {
        self.init(
            nmi: nmi, ndi: ndi,
            capability: DeviceCapability(
                committedDW: .everyWindow, bands: .init(rawValue: capabilities.supportedBands),
                operationMode: .init(rawValue: capabilities.operationMode), antennas: capabilities.antennas,
                maximumChannelSwitchTime: capabilities.maxChannelSwitchTime,
                capabilities: DeviceCapability.Capabilities(rawValue: capabilities.capabilities)
                    .union(.ndpeSupported)),
            capabilityExtension: DeviceCapabilityExtension(pairing: [.setupEnabled, .cachingEnabled]),
            availability: schedule.availability, elements: capabilities.station.container)
    }
}

extension MACAddress {
    /// A random unicast address with the local bit set.
    static func locallyAdministered(from entropy: inout Entropy) -> MACAddress {
        MACAddress(bits: entropy.next() & 0xFCFF_FFFF_FFFF | 0x0200_0000_0000)
    }
}
