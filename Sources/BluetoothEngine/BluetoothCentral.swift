package import BluetoothFrames
package import Octets
package import Ports

/// The phone's side of Bluetooth LE: listens for advertisements of one product, and reads what one accessory tells.
package struct BluetoothCentral: Sendable {
    package enum Event: Equatable, Sendable {
        case port(BluetoothEvent)
        case command(Command)
        case deadlineReached
    }

    package enum Effect: Equatable, Sendable {
        case port(BluetoothEffect)
        case report(Report)
    }

    package enum Command: Equatable, Sendable {
        case start
        /// Connects, reads everything, and stays subscribed to the state.
        case inspect(BluetoothAddress)
        /// Asks an accessory that was inspected to wake NAN.
        case wake(BluetoothAddress)
        case leave(BluetoothAddress)
        case stop
    }

    package enum Report: Equatable, Sendable {
        case controller(BluetoothControllerState)
        /// An advertisement that matches; again when what it says has changed.
        case found(BluetoothSighting)
        case inspected(BluetoothAddress, BluetoothInspection)
        case state(BluetoothAddress, BeaconState)
        case woken(BluetoothAddress, AttributeErrorCode?)
        case inspectionFailed(BluetoothAddress, String)
        case left(BluetoothAddress)
    }

    package struct Configuration: Sendable {
        package var controller: UInt16?
        /// What is looked for, as the app's descriptor says it; an advertisement matches by either.
        package var service: BluetoothUUID?
        package var company: UInt16?

        package init(controller: UInt16? = nil, service: BluetoothUUID?, company: UInt16?) {
            self.controller = controller
            self.service = service
            self.company = company
        }
    }

    private struct Link: Sendable {
        let peer: BluetoothAddress
        var client = AttributeClient()
        var inspection = BluetoothInspection()
    }

    /// Advertisers that are remembered: others in the neighbourhood are passed over beyond it.
    static let sightingLimit = 64
    static let linkLimit = 8
    /// How long after a refusal discovery is tried again; the kernel ends it by itself after about 10 s.
    static let retryTime: Duration = .seconds(1)

    private enum Timer: Int, CaseIterable, Sendable { case discover }

    private let configuration: Configuration
    private var controller: ControllerMachine
    private var timers = TimerTable<Timer>()
    private var links: [BluetoothLinkID: Link] = [:]
    private var connecting: BluetoothAddress?
    private var isScanning = false
    private var latest = MonotonicInstant(nanoseconds: 0)
    package private(set) var sightings: [BluetoothAddress: BluetoothSighting] = [:]

    package init(_ configuration: Configuration) {
        self.configuration = configuration
        controller = ControllerMachine(.init(index: configuration.controller))
    }

    package var nextDeadline: MonotonicInstant? {
        ([timers.next, controller.nextDeadline] + links.values.map(\.client.deadline)).compactMap { $0 }.min()
    }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        latest = now
        switch event {
        case .port(let event): return take(event)
        case .command(let command): return perform(command)
        case .deadlineReached:
            var effects = route(controller.deadlineReached(now))
            for link in links.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
                if let outputs = links[link]?.client.deadlineReached(now) { effects += route(outputs, link) }
            }
            while timers.popExpired(now) != nil { effects += scan() }
            return effects
        }
    }

    private mutating func perform(_ command: Command) -> [Effect] {
        switch command {
        case .start: return route(controller.start())
        case .inspect(let address):
            guard connecting == nil, links.count < Self.linkLimit, !links.values.contains(where: { $0.peer == address })
            else { return [.report(.inspectionFailed(address, "busy"))] }
            connecting = address
            // Most controllers cannot scan and connect at once; discovery goes on when the link is up.
            return stopScanning() + [.port(.attConnect(address))]
        case .wake(let address):
            guard let link = link(of: address),
                let outputs = links[link]?.client.write([1], to: .wake, now: latest)
            else { return [.report(.inspectionFailed(address, "not connected"))] }
            return route(outputs, link)
        case .leave(let address): return link(of: address).map { [.port(.attDisconnect($0))] } ?? []
        case .stop:
            links = [:]
            connecting = nil
            timers = TimerTable()
            sightings = [:]
            isScanning = false
            return route(controller.stop()) + [.port(.close)]
        }
    }

    private func link(of address: BluetoothAddress) -> BluetoothLinkID? {
        links.first { $0.value.peer == address }?.key
    }

    private mutating func take(_ event: BluetoothEvent) -> [Effect] {
        switch event {
        case .managementOpened: return route(controller.opened(latest))
        case .managementFailed(let failure): return route(controller.failed(failure, latest))
        case .managementReceived(let octets, let key): return route(controller.received(octets, key, latest))
        case .attConnected(let link, let peer, _):
            guard connecting == peer else { return [.port(.attDisconnect(link))] }
            connecting = nil
            links[link] = Link(peer: peer)
            let outputs = links[link]?.client.start(now: latest) ?? []
            return route(outputs, link) + scan()
        case .attConnectFailed(let peer, let failure):
            guard connecting == peer else { return [] }
            connecting = nil
            return [.report(.inspectionFailed(peer, failure.text))] + scan()
        case .attReceived(let link, let octets):
            guard let outputs = links[link]?.client.received(octets, now: latest) else { return [] }
            return route(outputs, link)
        case .attClosed(let link):
            guard let closed = links.removeValue(forKey: link) else { return [] }
            return [.report(.left(closed.peer))]
        case .attributesServed, .attributesFailed, .attSecured: return []  // the other role's
        }
    }

    private mutating func route(_ outputs: [AttributeClient.Output], _ link: BluetoothLinkID) -> [Effect] {
        guard let peer = links[link]?.peer else { return [] }
        var effects: [Effect] = []
        for output in outputs {
            switch output {
            case .send(let octets): effects.append(.port(.attSend(link, octets)))
            case .read(let uuid, let octets): links[link]?.inspection.take(uuid, octets)
            case .finished:
                effects.append(.report(.inspected(peer, links[link]?.inspection ?? BluetoothInspection())))
            case .notified(let value):
                guard let state = value.first else { continue }
                effects.append(.report(.state(peer, BeaconState(rawValue: state))))
            case .written(let error): effects.append(.report(.woken(peer, error)))
            case .failed(let reason):
                effects += [.report(.inspectionFailed(peer, reason)), .port(.attDisconnect(link))]
            }
        }
        return effects
    }

    // MARK: Discovery

    private mutating func route(_ outputs: [ControllerMachine.Output]) -> [Effect] {
        var effects: [Effect] = []
        for output in outputs {
            switch output {
            case .port(let effect): effects.append(.port(effect))
            case .changed(let state):
                isScanning = false
                effects.append(.report(.controller(state)))
                if case .ready = state { effects += scan() }
            case .answered(.startDiscovery, let status, _):
                isScanning = status == .success
                if !isScanning { timers.start(.discover, at: latest.advanced(by: Self.retryTime)) }
            case .answered: break
            case .event(.found(let device), _): effects += found(device)
            case .event(.discovering(false), _):
                isScanning = false
                timers.start(.discover, at: latest.advanced(by: .milliseconds(10)))
            case .event: break
            }
        }
        return effects
    }

    /// LE public and LE random.
    private static let addressTypes: UInt8 = 0b110

    private mutating func scan() -> [Effect] {
        guard !isScanning, connecting == nil, controller.readyIndex != nil else { return [] }
        isScanning = true
        return route(controller.send(.startDiscovery(Self.addressTypes), now: latest))
    }

    private mutating func stopScanning() -> [Effect] {
        guard isScanning else { return [] }
        return route(controller.send(.stopDiscovery(Self.addressTypes), now: latest))
    }

    private mutating func found(_ device: FoundDevice) -> [Effect] {
        let data = AdvertisingData(octets: device.data)
        let isService = configuration.service.map(data.services.contains) ?? false
        let isCompany = configuration.company.map { $0 == data.manufacturer?.company } ?? false
        guard isService || isCompany else { return [] }
        let sighting = BluetoothSighting(
            address: device.address, signal: device.signal, name: data.name,
            state: data.manufacturer?.data.last.map { BeaconState(rawValue: $0) }, octets: device.data)
        let known = sightings[device.address]
        guard known != nil || sightings.count < Self.sightingLimit else { return [] }
        sightings[device.address] = sighting
        return known?.octets == sighting.octets ? [] : [.report(.found(sighting))]
    }
}
