internal import Identity
internal import NANEngine
internal import NANFrames
internal import Octets
internal import Ports

extension Accessory {
    /// Requests kept while their device's pairing is being stored.
    private static let heldLimit = 8

    mutating func dataPathRequested(_ request: DataPathRequest) -> [Effect] {
        guard life == .running else { return refuse(request, .resourceLimitation) }
        guard let pairing = request.pairing, let record = pairings.first(where: { $0.id == pairing }) else {
            // A phone that has our NIK asks at once, while its record is still on its way to the disk.
            let isBeingStored = pending.values.contains { $0.pairedPeer == request.peer }
            guard isBeingStored, request.isSecure, held.count < Self.heldLimit else {
                return refuse(request, .securityPolicy)
            }
            held.append(request)
            return []
        }
        guard request.isSecure, let service = service(of: request.instance),
            service.devices.matches(name: record.name, vendor: record.vendor, model: record.model)
        else { return refuse(request, .securityPolicy) }
        let port = ServicePort(service)
        // One data path per device and service: what an earlier life of the phone left is replaced.
        let replaced = connections.filter { $0.value.pairing == pairing && $0.value.service == port }
        guard connections.count - replaced.count < configuration.identity.limits.maximumConnections else {
            return refuse(request, .resourceLimitation)
        }
        var effects: [Effect] = []
        for id in replaced.keys where id != request.id { effects += nan(.command(.terminateDataPath(id))) }
        connectionCount += 1
        connections[request.id] = Connection(
            id: ConnectionID(connectionCount), pairing: pairing, service: port, peer: request.peer,
            carried: latest)
        let info = GenericServiceInfo(connectionInfo(of: service)).encoded
        return effects + nan(.command(.answerDataPath(request.id, .accept(serviceInfo: info)))) + publish()
    }

    mutating func dataPathConnected(_ link: DataPathLink) -> [Effect] {
        guard let connection = connections[link.id] else { return nan(.command(.terminateDataPath(link.id))) }
        connections[link.id]?.link = link
        connections[link.id]?.carried = latest
        watchIdleness()
        return [
            .stream(.connect(connection.id, to: connection.service, local: link.local, peer: link.remote)),
            .report(
                .connected(
                    connection.id, connection.pairing, connection.service, local: link.local, peer: link.remote)),
        ]
    }

    mutating func send(_ message: [UInt8], to pairing: PairingID) -> [Effect] {
        guard FollowUp.lengths.contains(message.count),
            let link = connections.values.first(where: { $0.pairing == pairing && $0.link != nil })?.link
        else { return [.report(.messageSent(pairing, acknowledged: false))] }
        let peer = ServicePeer(nmi: link.peer, instance: link.instance, peerInstance: device.subscriber(link.peer))
        return nan(.command(.followUp(FollowUp(peer: peer, serviceInfo: message))))
    }

    mutating func dataPathEnded(_ id: DataPathID, _ peer: NMI, _ end: DataPathEnd) -> [Effect] {
        guard let connection = connections.removeValue(forKey: id) else { return [] }
        var effects: [Effect] = []
        if connection.link != nil { effects.append(.stream(.disconnect(connection.id))) }
        effects.append(.report(.disconnected(connection.id, "\(end)")))
        return effects + publish()
    }

    mutating func releaseHeld(_ peer: NMI) -> [Effect] {
        let released = held.filter { $0.peer == peer }
        held.removeAll { $0.peer == peer }
        return released.flatMap { request in
            var request = request
            request.pairing = device.pairing(of: peer)
            return dataPathRequested(request)
        }
    }

    mutating func heard(_ report: StreamReport) -> [Effect] {
        switch report {
        case .serviceFailed(let port, let cause):
            return setListener(port, .failed(cause)) + publish()
        case .performance(let id, let performance):
            let now = latest
            update(id) { connection in
                connection.performance = performance
                if performance.carriesSomething { connection.carried = now }
            }
        case .viewerStarted(let id): update(id) { $0.viewers += 1 }
        case .viewerEnded(let id, _): update(id) { $0.viewers = max(0, $0.viewers - 1) }
        case .serviceOpened, .active, .camera, .closed: break
        }
        return [.report(.stream(report))]
    }

    private mutating func update(_ id: ConnectionID, _ change: (inout Connection) -> Void) {
        guard let key = connections.first(where: { $0.value.id == id })?.key, var connection = connections[key] else {
            return
        }
        change(&connection)
        connections[key] = connection
    }

    /// Ends data paths that have carried nothing for as long as is provisioned; their phones come back when they want.
    mutating func endIdleConnections() -> [Effect] {
        guard let limit = configuration.identity.limits.idleTimeout else { return [] }
        let idle = connections.filter { $0.value.link != nil && $0.value.carried.advanced(by: limit) <= latest }
        watchIdleness()
        return idle.keys.sorted { $0.number.rawValue < $1.number.rawValue }.flatMap {
            nan(.command(.terminateDataPath($0)))
        }
    }

    private mutating func watchIdleness() {
        guard let limit = configuration.identity.limits.idleTimeout else { return }
        let next = connections.values.filter { $0.link != nil }.map { $0.carried.advanced(by: limit) }
            .filter { $0 > latest }.min()
        if let next { timers.start(.idle, at: next) } else { timers.stop(.idle) }
    }

    private mutating func refuse(_ request: DataPathRequest, _ reason: ReasonCode) -> [Effect] {
        [.report(.refusedConnection(request.peer, reason))]
            + nan(.command(.answerDataPath(request.id, .reject(reason))))
    }
}

extension PerformanceReport {
    fileprivate var carriesSomething: Bool { (sentPerSecond ?? 0) > 0 || (receivedPerSecond ?? 0) > 0 }
}
