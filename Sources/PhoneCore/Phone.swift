package import BluetoothEngine
package import NANEngine
package import NANFrames
internal import NANSecurity
package import Octets
package import Ports

/// A phone as the accessory meets it: subscribes to one service, types the PIN, verifies later meetings, opens the data path.
package struct Phone: RootMachine {
    package struct Configuration: Sendable {
        /// In full, `_drone-service._udp`.
        package var serviceName: String
        /// What accessories are told of us in the bootstrapping request.
        package var names: ServiceNames
        /// The suite that PASN is asked for; CSID 7 or 8.
        package var cipherSuite: CipherSuiteID = .ncsPKPASN128
        /// Asks for the data path with NCS-SK, as iPhones do, instead of PASN's own suite.
        package var asksForSharedKeySuite = true
        package var device: NANDevice.Configuration
        /// What is looked for over Bluetooth LE; nil leaves Bluetooth alone.
        package var bluetooth: BluetoothCentral.Configuration?

        package init(serviceName: String, names: ServiceNames, device: NANDevice.Configuration) {
            self.serviceName = serviceName
            self.names = names
            self.device = device
        }
    }

    package typealias Command = PhoneCommand
    package typealias Report = PhoneReport
    package typealias Effect = PortEffect<PhoneReport>

    enum Stage: Equatable {
        case idle
        case bootstrapping(ServicePeer)
        case awaitingPIN(ServicePeer)
        case derivingPassword(ServicePeer, CryptoJobID)
        case pairing(ServicePeer)
        case storing(ServicePeer, PairingRecord, StoreTicket)
        case verifying(ServicePeer, PairingID)
        case requesting(ServicePeer)
        case connected(DataPathLink)

        /// Whom a pairing or verification that a person could still cancel is with.
        var pairingPeer: ServicePeer? {
            switch self {
            case .bootstrapping(let peer), .awaitingPIN(let peer), .derivingPassword(let peer, _), .pairing(let peer),
                .verifying(let peer, _):
                peer
            case .idle, .storing, .requesting, .connected: nil
            }
        }
    }

    private static let instance = InstanceID(1)

    let configuration: Configuration
    var device: NANDevice
    var entropy: Entropy
    var stage = Stage.idle
    /// Paired accessories.
    package internal(set) var pairings: [PairingRecord]
    /// No more than the engine remembers, 64: it tells whom it forgets for want of room.
    var services: [NMI: DiscoveredService] = [:]
    var tickets: UInt64 = 0
    var bluetooth: BluetoothCentral?

    package init(_ configuration: Configuration, stored: StoredState, entropy: Entropy) {
        self.configuration = configuration
        self.entropy = entropy.fork(label: "phone")
        pairings = stored.pairings
        device = NANDevice(configuration.device, identityKey: stored.ownNIK, entropy: entropy.fork(label: "device"))
        bluetooth = configuration.bluetooth.map { BluetoothCentral($0) }
    }

    package var nextDeadline: MonotonicInstant? {
        [device.nextDeadline, bluetooth?.nextDeadline].compactMap { $0 }.min()
    }

    package mutating func handle(_ event: PortEvent<PhoneCommand>, now: MonotonicInstant) -> [Effect] {
        switch event {
        case .radio(let event): return nan(.radio(event), now)
        case .bluetooth(let event): return ble(.port(event), now)
        case .deadlineReached: return nan(.deadlineReached, now) + ble(.deadlineReached, now)
        case .crypto(let result): return finish(result, now)
        case .store(let event): return stored(event, now)
        case .stream, .displayed, .notDisplayed: return []
        case .command(let command): return perform(command, now)
        }
    }

    private mutating func perform(_ command: PhoneCommand, _ now: MonotonicInstant) -> [Effect] {
        switch (command, stage) {
        case (.start, _):
            let subscription = SubscribeConfiguration(instance: Self.instance, serviceName: configuration.serviceName)
            return nan(.command(.setPairings(pairings)), now) + nan(.command(.subscribe(subscription)), now)
                + nan(.command(.start), now) + ble(.command(.start), now)
        case (.stop, _):
            stage = .idle
            return ble(.command(.stop), now) + nan(.command(.stop), now)
        case (.inspect(let address), _): return ble(.command(.inspect(address)), now)
        case (.wake(let address), _): return ble(.command(.wake(address)), now)
        case (.leave(let address), _): return ble(.command(.leave(address)), now)
        case (.pair(let nmi), .idle):
            guard let service = services[nmi] else { return fail(.failed("that accessory is not in sight")) }
            stage = .bootstrapping(service.peer)
            let info = GenericServiceInfo(configuration.names.tlvs).encoded
            return [.report(.bootstrapping(nmi))]
                + nan(.command(.bootstrap(service.peer, method: .pinKeypad, serviceInfo: info)), now)
        case (.enterPIN(let pin), .awaitingPIN(let peer)):
            guard let group = SuiteStrength(csid: configuration.cipherSuite.rawValue)?.group else { return [] }
            let id = CryptoJobID(CryptoJobID.ownerBit | entropy.next())
            stage = .derivingPassword(peer, id)
            let work = CryptoJob.Work.passwordElement(password: pin.password, group)
            return [.report(.authenticating), .crypto(CryptoJob(id: id, work: work))]
        case (.cancelPairing, _):
            guard let peer = stage.pairingPeer else { return [] }
            stage = .idle
            return nan(.command(.abandonPairing(peer.nmi)), now)
        case (.connect(let nmi), .idle):
            guard let service = services[nmi], let pairing = service.pairing else {
                return fail(.failed("that accessory is not in sight, or not paired"))
            }
            return verify(service.peer, pairing, now)
        case (.disconnect, .connected(let link)):
            return nan(.command(.terminateDataPath(link.id)), now)
        case (.disconnect, .requesting(let peer)):
            stage = .idle
            return nan(.command(.terminateDataPaths(peer.nmi)), now)
        case (.send(let message), .connected(let link)) where FollowUp.lengths.contains(message.count):
            let peer = ServicePeer(nmi: link.peer, instance: Self.instance, peerInstance: link.instance)
            return nan(.command(.followUp(FollowUp(peer: peer, serviceInfo: message))), now)
        case (.send, _): return [.report(.messageSent(acknowledged: false))]
        case (.forget(let id), _):
            pairings.removeAll { $0.id == id }
            return [.store(.remove(id, nextTicket()))] + nan(.command(.setPairings(pairings)), now)
        case (.pair, _), (.connect, _), (.enterPIN, _), (.disconnect, _):
            return []  // out of turn: a person was faster than the air
        }
    }

    private mutating func finish(_ result: CryptoResult, _ now: MonotonicInstant) -> [Effect] {
        guard case .derivingPassword(let peer, result.id) = stage else { return nan(.crypto(result), now) }
        guard case .passwordElement(let element) = result.outcome else {
            return fail(.failed("the PIN could not be used"))
        }
        stage = .pairing(peer)
        return nan(.command(.pair(peer, .passwordElements([element]), configuration.cipherSuite)), now)
    }

    mutating func verify(_ peer: ServicePeer, _ pairing: PairingID, _ now: MonotonicInstant) -> [Effect] {
        stage = .verifying(peer, pairing)
        return [.report(.authenticating)] + nan(.command(.verify(peer, pairing)), now)
    }

    mutating func requestDataPath(_ peer: ServicePeer, _ now: MonotonicInstant) -> [Effect] {
        stage = .requesting(peer)
        let suite =
            configuration.asksForSharedKeySuite
            ? configuration.cipherSuite.sharedKeyEquivalent : configuration.cipherSuite
        return [.report(.connecting)] + nan(.command(.requestDataPath(peer, DataPathOffer(cipherSuite: suite))), now)
    }

    /// Hands the event to the Bluetooth side, where there is one.
    private mutating func ble(_ event: BluetoothCentral.Event, _ now: MonotonicInstant) -> [Effect] {
        (bluetooth?.handle(event, now: now) ?? []).map { output in
            switch output {
            case .port(let effect): .bluetooth(effect)
            case .report(let report): .report(.bluetooth(report))
            }
        }
    }

    mutating func fail(_ failure: PhoneFailure) -> [Effect] {
        stage = .idle
        return [.report(.pairingFailed(failure))]
    }

    mutating func nextTicket() -> StoreTicket {
        tickets += 1
        return StoreTicket(tickets)
    }
}
