package import Identity
package import Octets
package import Ports

/// An accessory as it stands: what `status` prints and `watch` streams.
package struct AccessorySnapshot: Equatable, Sendable {
    package struct Service: Equatable, Sendable {
        package var name: String
        package var port: UInt16
        package var performanceMode: PerformanceMode
        package var serviceClass: ServiceClass
        package var listener: ListenerState
    }

    package struct Peer: Equatable, Sendable {
        package var id: PairingID
        package var name: String
        package var vendor: String
        package var model: String
        /// Seconds since 1970; 0 when the store has not stamped it yet.
        package var pairedAt: UInt64
        package var isConnected: Bool
    }

    package struct Connection: Equatable, Sendable {
        package var id: ConnectionID
        package var pairing: PairingID
        package var service: String
        package var address: String
        package var isViewing: Bool
        package var performance: PerformanceReport
    }

    package struct Bluetooth: Equatable, Sendable {
        package var isAdvertising: Bool
        /// Nil while there is no controller, or its address is hidden.
        package var address: String?
        package var links: Int
        package var server: BluetoothAttributeServer?
        /// Why it does not work, or not in full.
        package var trouble: String?
    }

    package var cluster: String?
    package var address: String
    package var services: [Service]
    /// Somebody new gets in; not while pairing is locked.
    package var pairingWindowIsOpen: Bool
    /// Until the window closes by itself.
    package var pairingWindowLeft: Duration?
    package var isLocked: Bool
    package var failedAttempts: UInt32
    /// Until a new attempt may begin.
    package var attemptWait: Duration
    package var attemptIsUnderWay: Bool
    package var peers: [Peer]
    package var connections: [Connection]
    /// Nil on a board without.
    package var bluetooth: Bluetooth?
    /// NAN is off until a phone asks for it over Bluetooth.
    package var isAsleep: Bool
    /// Frames and parts of frames that were dropped, by cause.
    package var dropped: [String: UInt64]
}

extension Accessory {
    /// The service's name, as declared.
    private func name(of port: ServicePort) -> String {
        configuration.identity.services.first { ServicePort($0) == port }?.name.text ?? "\(port)"
    }

    package func snapshot(now: MonotonicInstant) -> AccessorySnapshot {
        AccessorySnapshot(
            cluster: device.clusterID.map { "\($0.address)" },
            address: "\(device.nmi.address)",
            services: configuration.identity.services.map { service in
                AccessorySnapshot.Service(
                    name: service.name.text, port: service.port, performanceMode: service.performanceMode,
                    serviceClass: service.serviceClass, listener: listeners[ServicePort(service)] ?? .setup)
            },
            pairingWindowIsOpen: isPairable,
            pairingWindowLeft: !isPairable ? nil : timers.deadline(of: .window).map { now.duration(to: $0) },
            isLocked: attempts.record.isLocked,
            failedAttempts: attempts.record.failures,
            attemptWait: attempts.wait(now: now),
            attemptIsUnderWay: attempt != nil || bondAttempt != nil,
            peers: pairings.map { record in
                AccessorySnapshot.Peer(
                    id: record.id, name: record.name, vendor: record.vendor, model: record.model,
                    pairedAt: record.pairedAt,
                    isConnected: connections.values.contains { $0.pairing == record.id && $0.link != nil })
            } + bondPeers,
            connections: connections.values.sorted { $0.id.rawValue < $1.id.rawValue }.map { connection in
                AccessorySnapshot.Connection(
                    id: connection.id, pairing: connection.pairing, service: name(of: connection.service),
                    address: connection.link.map { "\($0.remote)" } ?? "", isViewing: connection.isViewing,
                    performance: connection.performance)
            },
            bluetooth: bluetoothSnapshot,
            isAsleep: sleep == .asleep,
            dropped: dropped)
    }
}
