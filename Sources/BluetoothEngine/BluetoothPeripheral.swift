package import BluetoothFrames
package import Cryptography
package import Octets
package import Ports

/// The accessory's side of Bluetooth LE: advertises while it is told to, and answers centrals.
///
/// It knows the protocols and decides nothing that a product could want otherwise; its owner says when it is on the air,
/// how the accessory stands, and what a wish to wake NAN leads to.
package struct BluetoothPeripheral: Sendable {
    package enum Event: Equatable, Sendable {
        case port(BluetoothEvent)
        case command(BluetoothCommand)
        case deadlineReached
    }

    package enum Effect: Equatable, Sendable {
        case port(BluetoothEffect)
        case report(BluetoothReport)
    }

    package struct Configuration: Sendable {
        /// The kernel's number of the controller; nil takes the first that speaks LE.
        package var controller: UInt16?
        package var staticAddress: BluetoothAddress?
        /// Advertises resolvable private addresses made with it.
        package var privacyKey: SecretKey?
        /// Those who know a passkey that was shown; nil where nobody needs to.
        package var bonds: [BondRecord]?
        package var advertisement: Advertisement
        package var description: BluetoothDescription
        /// Centrals at once: phones, and an app maker's laptop beside them.
        package var linkLimit = 4
        /// How long it advertises fast after it starts, and after the pairing window opens.
        package var fastTime: Duration = .seconds(30)

        package init(advertisement: Advertisement, description: BluetoothDescription) {
            self.advertisement = advertisement
            self.description = description
        }
    }

    enum Timer: Int, CaseIterable, Sendable {
        /// The end of fast advertising.
        case fast
        /// Attributes, or an advertisement that was refused, are tried again.
        case serve
        case advertise
    }

    /// How long after a refusal it is tried again.
    static let retryTime: Duration = .seconds(5)
    /// The same when bluetoothd came or went: who has the ATT channel has to be found out anew.
    static let serveTime: Duration = .seconds(1)

    let configuration: Configuration
    var controller: ControllerMachine
    var server: AttributeServer
    var timers = TimerTable<Timer>()
    var latest = MonotonicInstant(nanoseconds: 0)

    var isWanted = false
    var isStopping = false
    var beacon = BeaconState()
    var fastUntil: MonotonicInstant?
    var advertising = Advertising.idle
    /// What the kernel advertises for us; nil when nothing is known to be.
    var applied: Advertisement.Form?
    /// What it was, when a connection has put an end to it.
    var resumed: Advertisement.Form?
    /// A connection came while it was being set.
    var isOvertaken = false
    /// The owner knows that we are on the air.
    var isTold = false
    var features: AdvertisingFeatures?
    var isServing = false
    /// Links the adapter has told of and not taken back, refused ones too.
    var openLinks: Set<BluetoothLinkID> = []
    var pairing = Pairing()

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        controller = ControllerMachine(
            .init(
                index: configuration.controller, staticAddress: configuration.staticAddress,
                privacyKey: configuration.privacyKey))
        controller.bonding = configuration.bonds.map { ControllerBonding(bonds: $0) }
        server = AttributeServer(
            AttributeDatabase(configuration.description, wantsBond: configuration.bonds != nil),
            linkLimit: configuration.linkLimit)
        server.bonded = Set((configuration.bonds ?? []).map(\.keys.address))
    }

    package var nextDeadline: MonotonicInstant? {
        [timers.next, controller.nextDeadline, server.nextDeadline].compactMap { $0 }.min()
    }

    package var controllerState: BluetoothControllerState { controller.told }
    package var isAdvertising: Bool { isTold }
    package var linkCount: Int { server.bearers.count }
    package func hasLink(to peer: BluetoothAddress) -> Bool { server.bearers.values.contains { $0.peer == peer } }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        latest = now
        switch event {
        case .port(let event): return take(event)
        case .command(let command): return perform(command)
        case .deadlineReached:
            var effects = route(controller.deadlineReached(now)) + route(server.deadlineReached(now))
            while let timer = timers.popExpired(now) {
                switch timer {
                case .fast, .advertise: effects += advertise()
                case .serve: effects += serve()
                }
            }
            return effects
        }
    }

    private mutating func perform(_ command: BluetoothCommand) -> [Effect] {
        switch command {
        case .start: return isStopping ? [] : route(controller.start())
        case .advertise(let isWanted):
            guard self.isWanted != isWanted else { return [] }
            self.isWanted = isWanted
            if isWanted { advertiseFast() }
            return advertise()
        case .set(let beacon, let summary):
            server.summary = summary
            guard beacon != self.beacon else { return [] }
            if beacon.contains(.pairingWindowOpen), !self.beacon.contains(.pairingWindowOpen) { advertiseFast() }
            self.beacon = beacon
            return route(server.set(beacon)) + advertise()
        case .setBonds, .setBondable, .refuseBonding, .forgetBond: return bond(command)
        case .stop:
            guard !isStopping else { return [] }
            isStopping = true
            isWanted = false
            return bond(.setBondable(false)) + advertise() + finishStop()
        }
    }

    private mutating func take(_ event: BluetoothEvent) -> [Effect] {
        switch event {
        case .managementOpened: return route(controller.opened(latest))
        case .managementFailed(let failure): return route(controller.failed(failure, latest))
        case .managementReceived(let octets, let key): return route(controller.received(octets, key, latest))
        case .attributesServed(let server):
            isServing = true
            guard server == .kernel || controller.bonding == nil else { return [.report(.notServed(Self.rival))] }
            return [.report(.served(server))]
        case .attributesFailed(let failure):
            isServing = false
            timers.start(.serve, at: latest.advanced(by: failure.cause == .gone ? Self.serveTime : Self.retryTime))
            return [.report(.notServed(failure))]
        case .attConnected(let link, let peer, let mtu):
            guard openLinks.count < Self.openLinkLimit else { return [.port(.attDisconnect(link))] }
            openLinks.insert(link)
            let refusal = server.connected(link, peer, mtu: mtu, now: latest)
            guard refusal.isEmpty else { return route(refusal) }
            return [.report(.linked(link, peer))]
        case .attSecured(let link, let security):
            server.secured(link, security)
            return []
        case .attReceived(let link, let octets): return route(server.received(link, octets, now: latest))
        case .attClosed(let link):
            openLinks.remove(link)
            guard server.bearers[link] != nil else { return [] }
            server.closed(link)
            return [.report(.unlinked(link))]
        case .attConnectFailed: return []  // the other role's
        }
    }

    /// More than this at once are not even counted: the adapter has a bound below it.
    private static let openLinkLimit = 64

    // MARK: What children say

    mutating func route(_ outputs: [ControllerMachine.Output]) -> [Effect] {
        var effects: [Effect] = []
        for output in outputs {
            switch output {
            case .port(let effect): effects.append(.port(effect))
            case .changed(let state): effects += changed(state)
            case .answered(let command, let status, let result): effects += answered(command, status, result)
            case .event(let event, let key): effects += heard(event) + heardOfPairing(event, key)
            }
        }
        return effects
    }

    mutating func route(_ outputs: [AttributeServer.Output]) -> [Effect] {
        var effects: [Effect] = []
        for output in outputs {
            switch output {
            case .send(let link, let octets): effects.append(.port(.attSend(link, octets)))
            case .close(let link, let reason):
                effects += [.port(.attDisconnect(link)), .report(.dropped(link, reason))]
            case .wake: effects.append(.report(.wakeAsked))
            }
        }
        return effects
    }

    private mutating func changed(_ state: BluetoothControllerState) -> [Effect] {
        var effects: [Effect] = []
        advertising = .idle
        applied = nil
        resumed = nil
        features = nil
        if isTold { effects.append(.report(.advertising(false))) }
        isTold = false
        effects.append(.report(.controller(state)))
        effects += endPairing("the controller is gone")
        pairing.isBondable = false
        pairing.guests = []
        if case .ready = state {
            effects += updateBondable()
            if fastUntil == nil { advertiseFast() }
            effects += serve() + advertise()
        }
        return effects + finishStop()
    }

    private mutating func serve() -> [Effect] {
        guard !isServing, controller.readyIndex != nil, !isStopping else { return [] }
        timers.stop(.serve)
        return [.port(.serveAttributes(server.database.announced))]
    }

    private mutating func heard(_ event: ManagementEvent) -> [Effect] {
        switch event {
        case .connected, .disconnected:
            // A connection ends legacy advertising in the controller (Core 5.4, Vol 6, Part B, 4.4.2.3), and not every
            // kernel takes it up again: what is advertised is set anew.
            guard let applied else {
                isOvertaken = advertising != .idle
                return []
            }
            self.applied = nil
            resumed = applied
            return advertise()
        case .advertisingRemoved(let number) where number == instanceNumber && advertising == .idle:
            applied = nil
            return advertise()
        default: return []
        }
    }
}
