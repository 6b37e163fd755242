internal import AccessoryCore
internal import Identity
internal import LinuxRuntime
internal import Octets
internal import Ports
internal import Varlink

/// Puts an accessory's snapshot into the words of the control interface.
struct SnapshotWriter {
    let identity: AccessoryIdentity
    let radio: String
    let startedAt: MonotonicInstant
    /// The program that is the camera; nil where no service shows one.
    var camera: String?
    /// What was dropped before the accessory saw it, by reason; the reasons that never came about are left out.
    var outside: () -> [String: Int] = { [:] }

    func snapshot(_ accessory: AccessorySnapshot, _ ledger: Ledger, now: MonotonicInstant) -> Control.Snapshot {
        Control.Snapshot(
            version: ProductVersion.text, radio: radio,
            uptimeMilliseconds: milliseconds(startedAt.duration(to: now)),
            identity: Control.Identity(
                vendorName: identity.vendorName.text, modelName: identity.modelName.text,
                pairingName: identity.pairingName.text, serialNumber: identity.serialNumber.text),
            services: services(accessory, ledger), pairing: pairing(accessory, ledger),
            peers: peers(accessory, ledger), connections: connections(accessory, ledger, now: now),
            camera: camera.map { self.camera($0, ledger.camera) },
            bluetooth: bluetooth(accessory), nanIsAsleep: accessory.isAsleep,
            rejected: accessory.dropped.mapValues { Int(clamping: $0) }.merging(outside()) { $0 + $1 })
    }

    private func bluetooth(_ accessory: AccessorySnapshot) -> Control.Bluetooth? {
        accessory.bluetooth.map { bluetooth in
            Control.Bluetooth(
                isAdvertising: bluetooth.isAdvertising, address: bluetooth.address, links: bluetooth.links,
                servedBy: bluetooth.server?.rawValue, trouble: bluetooth.trouble)
        }
    }

    private func camera(_ program: String, _ status: CameraStatus) -> Control.Camera {
        let state: Control.CameraState =
            switch status.state {
            case .idle: .idle
            case .starting: .starting
            case .running: .running
            case .ending: .ending
            case .waiting: .waiting
            }
        return Control.Camera(program: program, state: state, losses: status.losses, trouble: status.trouble)
    }

    func peers(_ accessory: AccessorySnapshot, _ ledger: Ledger) -> [Control.Peer] {
        func named(_ text: String) -> String? { text.isEmpty ? nil : text }
        return accessory.peers.map { peer in
            Control.Peer(
                id: "\(peer.id)", pairingName: named(peer.name), vendorName: named(peer.vendor),
                modelName: named(peer.model),
                pairedAt: peer.pairedAt == 0 ? ledger.pairedAt[peer.id] : Int(clamping: peer.pairedAt),
                lastSeenAt: ledger.lastSeen[peer.id], isConnected: peer.isConnected)
        }
    }

    func performance(_ accessory: AccessorySnapshot, _ ledger: Ledger) -> [Control.Performance] {
        accessory.connections.map { connection in
            let measured = connection.performance
            let totals = ledger.connections[connection.id]
            func bits(_ octets: Double?) -> Int { Int((octets ?? 0) * 8) }
            func microseconds(_ duration: Duration?) -> Int? { duration.map { Int($0 / .microseconds(1)) } }
            return Control.Performance(
                connection: Int(clamping: connection.id.rawValue), peer: "\(connection.pairing)",
                service: connection.service, sentOctets: Int(totals?.sentOctets ?? 0),
                receivedOctets: Int(totals?.receivedOctets ?? 0),
                sentBitsPerSecond: bits(measured.sentPerSecond),
                receivedBitsPerSecond: bits(measured.receivedPerSecond),
                roundTripP50Microseconds: microseconds(measured.roundTrip),
                jitterMicroseconds: microseconds(measured.jitter),
                lossPartsPerMillion: measured.lossFraction.map { Int($0 * 1_000_000) })
        }
    }

    private func services(_ accessory: AccessorySnapshot, _ ledger: Ledger) -> [Control.Service] {
        // Both lists are the identity's services, in its order.
        zip(identity.services, accessory.services).map { declared, service in
            let port = ServicePort(declared)
            return Control.Service(
                name: service.name, instanceName: declared.instanceName, port: Int(service.port),
                handler: handler(declared.handler), performanceMode: declared.performanceMode.rawValue,
                serviceClass: Self.underscored(declared.serviceClass.rawValue), state: state(service.listener),
                reason: service.listener.reason, isPublished: service.listener == .ready,
                connections: ledger.connections.values.reduce(0) { $0 + ($1.service == port ? 1 : 0) })
        }
    }

    private func pairing(_ accessory: AccessorySnapshot, _ ledger: Ledger) -> Control.Pairing {
        var attempt = Control.Attempt.none
        if accessory.attemptIsUnderWay {
            switch ledger.attempt {
            case .requested: attempt = .requested
            case .pinShown: attempt = .pinShown
            case .verifying: attempt = .verifying
            }
        }
        return Control.Pairing(
            policy: Self.underscored(identity.pairing.window.rawValue), isOpen: accessory.pairingWindowIsOpen,
            closesInMilliseconds: accessory.pairingWindowLeft.map(milliseconds), attempt: attempt,
            failedAttempts: Int(accessory.failedAttempts),
            nextAttemptInMilliseconds: accessory.attemptWait > .zero ? milliseconds(accessory.attemptWait) : nil,
            isLockedOut: accessory.isLocked)
    }

    private func connections(
        _ accessory: AccessorySnapshot, _ ledger: Ledger, now: MonotonicInstant
    ) -> [Control.Connection] {
        accessory.connections.map { connection in
            let noted = ledger.connections[connection.id]
            return Control.Connection(
                id: Int(clamping: connection.id.rawValue), peer: "\(connection.pairing)", service: connection.service,
                interface: noted.map { "\($0.localAddress)" } ?? "", address: connection.address,
                ageMilliseconds: noted.map { milliseconds($0.since.duration(to: now)) } ?? 0,
                isViewing: connection.isViewing)
        }
    }

    private func state(_ listener: ListenerState) -> Control.ListenerState {
        switch listener {
        case .setup: .setup
        case .waiting: .waiting
        case .ready: .ready
        case .failed: .failed
        case .cancelled: .cancelled
        }
    }

    private func handler(_ handler: ServiceHandler) -> String {
        switch handler {
        case .control: "control"
        case .video: "video"
        case .controlAndVideo: "control and video"
        case .forward: "forward"
        }
    }

    /// Varlink's names have no hyphens.
    private static func underscored(_ name: String) -> String {
        String(name.map { $0 == "-" ? "_" : $0 })
    }
}

/// Whole milliseconds, none negative.
func milliseconds(_ duration: Duration) -> Int { max(0, Int(duration / .milliseconds(1))) }
