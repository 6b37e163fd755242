internal import Identity
internal import NANEngine
internal import NANFrames
internal import Octets
internal import Ports

extension Accessory {
    /// A service's publish instance: its place among the identity's services, from 1.
    func instance(of service: ServiceDeclaration) -> InstanceID {
        let index = configuration.identity.services.firstIndex(of: service) ?? 0
        return InstanceID(UInt8(clamping: index + 1))
    }

    func service(of instance: InstanceID) -> ServiceDeclaration? {
        let index = Int(instance.rawValue) - 1
        return configuration.identity.services.indices.contains(index) ? configuration.identity.services[index] : nil
    }

    mutating func joined() -> [Effect] {
        isJoined = true
        timers.stop(.radio)
        return publish()
    }

    mutating func radioFailed(_ cause: String) -> [Effect] {
        isJoined = false
        guard life == .running else { return nanStopped() }
        timers.start(.radio, at: latest.advanced(by: configuration.radioRetry))
        return endAttempt(abandoning: false)
            + configuration.identity.services.flatMap { setListener(ServicePort($0), .waiting(cause)) }
    }

    /// Brings what is published in line with window, connections and listeners.
    mutating func publish() -> [Effect] {
        guard life == .running, isJoined else { return [] }
        let limits = configuration.identity.limits
        let isFull = limits.stopsPublishingWhenFull && connections.count >= limits.maximumConnections
        var effects: [Effect] = []
        for service in configuration.identity.services {
            let port = ServicePort(service)
            let instance = instance(of: service)
            if case .failed? = listeners[port] {
                effects += withdraw(instance)
            } else if isFull {
                effects += withdraw(instance) + setListener(port, .waiting("all connections are in use"))
            } else {
                let wanted = publication(of: service, instance)
                if published[instance] != wanted {
                    published[instance] = wanted
                    effects += nan(.command(.publish(wanted)))
                }
                effects += setListener(port, .ready)
            }
        }
        return effects
    }

    mutating func setListener(_ port: ServicePort, _ state: ListenerState) -> [Effect] {
        // Cancelled is the last state: what fails while everything is being closed is no news.
        if case .cancelled? = listeners[port] { return [] }
        guard listeners[port] != state else { return [] }
        listeners[port] = state
        return [.report(.listener(port, state))]
    }

    /// Port and protocol, and the instance name where there is one: what a phone needs before it connects.
    func connectionInfo(of service: ServiceDeclaration) -> [GenericServiceInfo.TLV] {
        GenericServiceInfo(
            port: service.port, transportProtocol: .init(rawValue: service.name.transport.number),
            instanceName: service.instanceName
        ).tlvs
    }

    private func publication(of service: ServiceDeclaration, _ instance: InstanceID) -> PublishConfiguration {
        let identity = configuration.identity
        var publication = PublishConfiguration(instance: instance, serviceName: service.name.text)
        var info = connectionInfo(of: service)
        // Who we are is told only while somebody new may come (product.md, identity on the air).
        if isPairable {
            publication.bootstrappingMethods = .pinDisplay
            info +=
                ServiceNames(
                    vendor: identity.vendorName.text, model: identity.modelName.text, name: identity.pairingName.text
                ).tlvs
        }
        publication.serviceInfo = GenericServiceInfo(info).encoded
        publication.repeatsServiceInfo = true
        publication.cipherSuites = configuration.device.pairingSuites
        return publication
    }

    private mutating func withdraw(_ instance: InstanceID) -> [Effect] {
        guard published.removeValue(forKey: instance) != nil else { return [] }
        return nan(.command(.cancel(instance)))
    }
}
