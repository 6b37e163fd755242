internal import BluetoothEngine
internal import BluetoothFrames
package import Identity
package import NANEngine
internal import NANFrames
internal import NANSecurity
package import Octets
package import Ports

/// The accessory: publishes its services, shows PINs, keeps pairings, lets paired devices connect.
///
/// All policy is here; `NANDevice` below knows the protocol, the ports around know Linux.
package struct Accessory: RootMachine {
    package struct Configuration: Sendable {
        package var identity: AccessoryIdentity
        package var device: NANDevice.Configuration
        package var attempts: AttemptPolicy.Configuration
        /// How long a PIN that nobody types stays on the display.
        package var credentialLifetime: Duration
        /// The same, once another device has asked for one: time enough to read and type six digits.
        ///
        /// A device that died under its PIN says nothing, and must not keep the others out for long.
        package var contendedLifetime: Duration = .seconds(30)
        /// What a device is told that asks during somebody else's attempt.
        package var busyDelay: Duration = .seconds(3)
        /// How long "paired" or "failed" stays on the display.
        package var outcomeTime: Duration = .seconds(4)
        package var radioRetry: Duration = .milliseconds(250)
        /// Nil on a board without Bluetooth.
        package var bluetooth: BluetoothSetup?

        package init(identity: AccessoryIdentity, device: NANDevice.Configuration) {
            self.identity = identity
            self.device = device
            attempts = AttemptPolicy.Configuration(identity.pairing.attempts)
            credentialLifetime = identity.pairing.attemptDuration
            // Ten years, a board's life: with hostap's default of 12 hours phones would ask for a PIN every day.
            self.device.pairing.lifetime = .seconds(315_360_000)
            // A client that leaves after frame 2 says nothing; whoever is next should not wait long for it.
            self.device.pairing.authenticationTimeout = .seconds(5)
        }
    }

    package typealias Command = AccessoryCommand
    package typealias Report = AccessoryReport
    package typealias Effect = PortEffect<AccessoryReport>

    enum Timer: Int, CaseIterable, Sendable {
        case window
        case credential
        case outcome
        case radio
        case idle
        case sleep
        /// The end of an attempt at bonding.
        case bond
    }

    enum Life: Equatable {
        case idle
        case running
        case stopping
    }

    /// What a store command was for.
    enum Pending: Equatable {
        case pairing(PairingRecord, NMI)
        case removal([PairingID])
        case attempts
        /// The guess that this device is about to be allowed.
        case reservation(NMI)
        case bondReservation
        case bond(BondRecord)

        /// Of somebody who is being stored.
        var newID: PairingID? {
            switch self {
            case .pairing(let record, _): record.id
            case .bond(let record): record.id
            case .removal, .attempts, .reservation, .bondReservation: nil
            }
        }

        /// The device that waits for its pairing to be durable.
        var pairedPeer: NMI? {
            if case .pairing(_, let peer) = self { peer } else { nil }
        }
    }

    let configuration: Configuration
    var device: NANDevice
    var entropy: Entropy
    var life = Life.idle
    var timers = TimerTable<Timer>()
    var latest = MonotonicInstant(nanoseconds: 0)

    var windowIsOpen = false
    var attempts: AttemptPolicy
    var attempt: Attempt?
    var prepared: PreparedPIN?
    var outcome: DisplayContent?
    var displayed = DisplayContent.blank

    var pairings: [PairingRecord]
    var bonds: [BondRecord]
    var bondAttempt: BondAttempt?
    /// Until then nobody is asked to read a PIN: the display has just failed to show one.
    var unreadableUntil: MonotonicInstant?
    var listeners: [ServicePort: ListenerState] = [:]
    var isJoined = false
    var published: [InstanceID: PublishConfiguration] = [:]
    var connections: [DataPathID: Connection] = [:]
    var bluetooth: BluetoothPeripheral?
    /// Who answers centrals; nil while nobody does.
    var attributeServer: BluetoothAttributeServer?
    /// The last thing that kept Bluetooth from working.
    var bluetoothTrouble: String?
    var sleep = NANSleep.awake
    var nanHasStopped = false
    /// Requests of a device whose pairing is on its way to the disk.
    var held: [DataPathRequest] = []
    var pending: [StoreTicket: Pending] = [:]
    var dropped: [String: UInt64] = [:]
    var serial: UInt64 = 0
    /// Connections so far: people are shown their numbers.
    var connectionCount: UInt64 = 0

    package init(_ configuration: Configuration, stored: StoredState, entropy: Entropy) {
        self.configuration = configuration
        self.entropy = entropy.fork(label: "accessory")
        device = NANDevice(configuration.device, identityKey: stored.ownNIK, entropy: entropy.fork(label: "device"))
        attempts = AttemptPolicy(
            configuration.attempts, record: stored.attempts, now: MonotonicInstant(nanoseconds: 0))
        pairings = stored.pairings
        bonds = stored.bonds
        bluetooth = configuration.bluetooth.map {
            BluetoothPeripheral(
                $0.peripheral(configuration.identity, ownKey: stored.ownNIK, bonds: stored.bonds))
        }
        for service in configuration.identity.services { listeners[ServicePort(service)] = .setup }
    }

    package var nextDeadline: MonotonicInstant? {
        [timers.next, device.nextDeadline, bluetooth?.nextDeadline].compactMap { $0 }.min()
    }

    package mutating func handle(_ event: PortEvent<AccessoryCommand>, now: MonotonicInstant) -> [Effect] {
        latest = now
        var effects: [Effect]
        switch event {
        case .radio(let event): effects = nan(.radio(event))
        case .bluetooth(let event): effects = ble(.port(event))
        case .crypto(let result): effects = finish(result)
        case .store(let event): effects = stored(event)
        case .stream(let report): effects = heard(report)
        case .displayed(let content): effects = displayed(content)
        case .notDisplayed(let content): effects = notDisplayed(content)
        case .command(let command): effects = perform(command)
        case .deadlineReached: effects = nan(.deadlineReached) + ble(.deadlineReached) + expireTimers()
        }
        effects += refreshDisplay() + refreshBluetooth()
        return effects
    }

    private mutating func perform(_ command: AccessoryCommand) -> [Effect] {
        switch command {
        case .start:
            guard life == .idle else { return [] }
            life = .running
            // Failures counted before the start: the wait begins anew, so that a power cut shortens nothing.
            attempts = AttemptPolicy(configuration.attempts, record: attempts.record, now: latest)
            var effects: [Effect] = configuration.identity.services.map { .stream(.openService($0)) }
            effects += nan(.command(.setPairings(pairings)))
            effects += startTransports()
            effects += preparePIN()
            switch configuration.identity.pairing.window {
            case .always, .afterBoot: effects += openWindow(for: standardWindow)
            case .button, .command: break
            }
            return effects
        case .openPairingWindow(let duration):
            guard life == .running else { return [] }
            var effects: [Effect] = []
            if attempts.record.isLocked {
                attempts.reset()
                effects.append(storeAttempts())
            }
            return effects + openWindow(for: duration ?? standardWindow)
        case .closePairingWindow: return closeWindow()
        case .unlock:
            guard life == .running, attempts.record.isLocked else { return [] }
            attempts.reset()
            return [storeAttempts()] + publish()
        case .forget(let id): return forget { $0 == id }
        case .forgetAll: return forget { _ in true }
        case .send(let id, let message): return send(message, to: id)
        case .shutDown:
            guard life != .stopping else { return [] }
            life = .stopping
            var effects = endAttempt(abandoning: true) + cancelBonding("shutting down")
            windowIsOpen = false
            outcome = nil
            effects += configuration.identity.services.flatMap {
                setListener(ServicePort($0), .cancelled("shutting down"))
            }
            return effects + [.stream(.close)] + ble(.command(.stop)) + nan(.command(.stop))
        }
    }

    /// Hands the event to the engine and takes up what it tells, in order.
    mutating func nan(_ event: NANDevice.Event) -> [Effect] {
        var effects: [Effect] = []
        for effect in device.handle(event, now: latest) {
            switch effect {
            case .radio(let effect): effects.append(.radio(effect))
            case .crypto(let job): effects.append(.crypto(job))
            case .report(let report): effects += take(report)
            }
        }
        return effects
    }

    private mutating func take(_ report: NANReport) -> [Effect] {
        switch report {
        case .started: return []
        case .failed(let failure): return radioFailed(failure.text)
        case .stopped(.requested): return nanStopped()
        case .stopped(.lost(let cause)): return radioFailed(cause)
        case .joined(let cluster): return [.report(.joined(cluster))] + joined()
        case .bootstrapRequested(let peer, _, let info): return pairingRequested(peer, info)
        case .pairingReady(let peer): return pairingReady(peer)
        case .guessAnswered(let peer): return guessed(peer)
        case .authenticated(let peer, let verified): return authenticated(peer, verified)
        case .paired(let peer, let credential): return paired(peer, credential)
        case .pairingFailed(let peer, let failure, let verifying): return pairingFailed(peer, failure, verifying)
        case .verificationRefused: return [.report(.verificationFailed(nil, "no pairing knows this device"))]
        case .dataPathRequested(let request): return dataPathRequested(request)
        case .dataPathConnected(let link): return dataPathConnected(link)
        case .dataPathEnded(let id, let peer, let end): return dataPathEnded(id, peer, end)
        case .dropped(let key): return countDropped(key)
        case .followUp(let peer, let info):
            // Of a stranger's words nothing is made: they are in clear, and anybody's.
            guard let pairing = device.pairing(of: peer.nmi), !info.isEmpty else { return [] }
            return [.report(.message(pairing, info))]
        case .followUpSent(let peer, let acknowledged):
            guard let pairing = device.pairing(of: peer.nmi) else { return [] }
            return [.report(.messageSent(pairing, acknowledged: acknowledged))]
        case .discovered, .lost, .subscriberHeard, .instanceEnded, .bootstrapAccepted,
            .bootstrapDeferred, .bootstrapFailed:
            return []  // a subscriber's, or nothing that policy depends on
        }
    }

    /// Causes counted one by one; a peer chooses what it sends, so there is a bound.
    private static let droppedLimit = 256

    private mutating func countDropped(_ key: String) -> [Effect] {
        let key = dropped[key] == nil && dropped.count >= Self.droppedLimit ? "other" : key
        dropped[key, default: 0] &+= 1
        return [.report(.dropped(key: key))]
    }

    private mutating func expireTimers() -> [Effect] {
        var effects: [Effect] = []
        while let timer = timers.popExpired(latest) {
            switch timer {
            case .window: effects += closeWindow()
            case .credential: effects += attemptExpired()
            case .outcome: outcome = nil
            case .radio: effects += nan(.command(.start))
            case .sleep: effects += fallAsleepIfUnused()
            case .bond:
                if let peer = bondAttempt?.peer {
                    effects += ble(.command(.refuseBonding(peer))) + bondingEnded(peer, "nobody typed the passkey")
                }
            case .idle: effects += endIdleConnections()
            }
        }
        return effects
    }

    mutating func nextSerial() -> UInt64 {
        serial += 1
        return serial
    }
}
