package import NANFrames
package import Octets
package import Ports

/// The service discovery engine: publish and subscribe instances on a synchronised cluster (reference: hostap nan_de.c).
///
/// It paces nothing by itself: unsolicited frames leave once per discovery window, answers at once.
package struct Discovery: Sendable {
    package enum Effect: Equatable, Sendable {
        case send(ServiceFrame)
        case discovered(DiscoveredService)
        case lost(ServicePeer)
        case subscriberHeard(ServicePeer)
        /// A follow-up for one of our instances; its NPBA and shared key are the owner's to look at.
        case followUp(ServicePeer, serviceInfo: [UInt8]?)
        case ended(InstanceID)
    }

    /// What the rest of a frame, or the peer's record, says of the sender of a descriptor.
    package struct Sender: Equatable, Sendable {
        package var nmi: NMI
        package var bootstrappingMethods: BootstrappingMethods
        package var supportsPairing: Bool
        package var pairing: PairingID?
        package var cipherSuites: CipherSuiteInformation?

        package init(
            nmi: NMI, bootstrappingMethods: BootstrappingMethods, supportsPairing: Bool, pairing: PairingID?,
            cipherSuites: CipherSuiteInformation?
        ) {
            self.nmi = nmi
            self.bootstrappingMethods = bootstrappingMethods
            self.supportsPairing = supportsPairing
            self.pairing = pairing
            self.cipherSuites = cipherSuites
        }
    }

    /// hostap's number of instances of both kinds.
    package static let instanceLimit = 20
    /// Answers to one received frame: it may hold a hundred queries, and its source address may be somebody else's.
    package static let answerLimit = 8

    /// What a frame was answered with so far; its descriptors come one by one, in one instant.
    private struct Answered: Sendable {
        let sender: NMI
        let at: MonotonicInstant
        var peers: Set<ServicePeer> = []
    }

    private var publications: [InstanceID: Publication] = [:]
    private var subscriptions: [InstanceID: Subscription] = [:]
    private var answered: Answered?

    package init() {}

    /// - Precondition: no subscribe instance has this number, and there is room for a new one.
    package mutating func publish(_ configuration: PublishConfiguration, now: MonotonicInstant) {
        precondition(subscriptions[configuration.instance] == nil, "the number belongs to a subscribe instance")
        publications[configuration.instance] = Publication(configuration, now: now)
        precondition(publications.count + subscriptions.count <= Self.instanceLimit, "too many instances")
    }

    /// - Precondition: no publish instance has this number, and there is room for a new one.
    package mutating func subscribe(_ configuration: SubscribeConfiguration, now: MonotonicInstant) {
        precondition(publications[configuration.instance] == nil, "the number belongs to a publish instance")
        subscriptions[configuration.instance] = Subscription(configuration, now: now)
        precondition(publications.count + subscriptions.count <= Self.instanceLimit, "too many instances")
    }

    package mutating func cancel(_ instance: InstanceID) {
        publications[instance] = nil
        subscriptions[instance] = nil
    }

    /// The radio has left its cluster: what was found is out of sight, the instances stay.
    package mutating func reset() {
        for key in subscriptions.keys { subscriptions[key]?.forgetAll() }
    }

    /// The lowest of our instances.
    package var firstInstance: InstanceID? { (Array(publications.keys) + Array(subscriptions.keys)).min() }

    package func publishes(_ instance: InstanceID) -> Bool { publications[instance] != nil }

    /// The service that one of our instances is about.
    package func serviceID(of instance: InstanceID) -> ServiceID? {
        publications[instance]?.serviceID ?? subscriptions[instance]?.serviceID
    }

    package func offeredMethods(of instance: InstanceID) -> BootstrappingMethods {
        publications[instance]?.configuration.bootstrappingMethods ?? []
    }

    /// A window is coming: what ends, what is lost, and one frame of every instance that speaks unasked.
    package mutating func windowAhead(now: MonotonicInstant) -> [Effect] {
        var effects: [Effect] = []
        for instance in publications.filter({ Self.hasEnded($0.value.end, now) }).map(\.key).sorted() {
            publications[instance] = nil
            effects.append(.ended(instance))
        }
        for instance in subscriptions.filter({ Self.hasEnded($0.value.end, now) }).map(\.key).sorted() {
            subscriptions[instance] = nil
            effects.append(.ended(instance))
        }
        for instance in publications.keys.sorted() {
            guard let publication = publications[instance], publication.configuration.isUnsolicited else { continue }
            effects.append(.send(publication.announcement()))
        }
        for instance in subscriptions.keys.sorted() {
            effects += subscriptions[instance]?.dropSilent(now: now).map { .lost($0) } ?? []
            guard let subscription = subscriptions[instance], subscription.configuration.isActive else { continue }
            effects.append(.send(subscription.query()))
        }
        return effects
    }

    /// One Service Descriptor of a received frame, with the extension of the same instance.
    package mutating func receive(
        _ descriptor: ServiceDescriptor, _ extended: ServiceDescriptorExtension?, from sender: Sender, own: NMI,
        now: MonotonicInstant
    ) -> [Effect] {
        // The response filter comes before anything else, whatever the descriptor's kind (reference 3.6).
        if let filter = descriptor.serviceResponseFilter, !filter.admits(own) { return [] }
        switch descriptor.kind {
        case .publish: return heardPublish(descriptor, extended, sender, now)
        case .subscribe: return heardSubscribe(descriptor, sender, now)
        case .followUp: return heardFollowUp(descriptor, extended, sender)
        }
    }

    /// A follow-up of one of our instances; nil when there is no such instance.
    package func followUp(to peer: ServicePeer, info: [UInt8] = [], message: Attribute? = nil) -> ServiceFrame? {
        publications[peer.instance]?.followUp(to: peer, info: info, message: message)
            ?? subscriptions[peer.instance]?.followUp(to: peer, info: info, message: message)
    }

    /// The query of one of our subscribe instances, for one publisher; nil when there is no such instance.
    package func query(to peer: ServicePeer) -> ServiceFrame? {
        subscriptions[peer.instance]?.query(to: peer.nmi)
    }

    private mutating func heardPublish(
        _ descriptor: ServiceDescriptor, _ extended: ServiceDescriptorExtension?, _ sender: Sender,
        _ now: MonotonicInstant
    ) -> [Effect] {
        var effects: [Effect] = []
        for (instance, subscription) in subscriptions.sorted(by: { $0.key < $1.key })
        where subscription.serviceID == descriptor.serviceID {
            // An answer is for the instance that asked; an announcement is for all.
            guard descriptor.requestorInstanceID == .none || descriptor.requestorInstanceID == instance else {
                continue
            }
            let own = subscription.configuration.matchingFilter.map { MatchingFilter($0) }
            guard MatchingFilter.matches(subscribe: own, publish: descriptor.matchingFilter) else { continue }
            let service = DiscoveredService(
                peer: ServicePeer(nmi: sender.nmi, instance: instance, peerInstance: descriptor.instanceID),
                serviceInfo: Self.serviceInfo(descriptor, extended) ?? [],
                bootstrappingMethods: sender.bootstrappingMethods,
                supportsPairing: sender.supportsPairing,
                offersDataPath: extended?.control.contains(.dataPathRequired) ?? false,
                cipherSuites: sender.cipherSuites?.entries
                    .filter { $0.publishID == descriptor.instanceID }.map(\.suite) ?? [],
                pairing: sender.pairing)
            guard let heard = subscriptions[instance]?.hear(service, now: now) else { continue }
            if let forgotten = heard.forgotten { effects.append(.lost(forgotten)) }
            if heard.isNews { effects.append(.discovered(service)) }
        }
        return effects
    }

    /// Answers at once, but of what one frame asks nothing twice, and not more than a device has use for.
    private mutating func heardSubscribe(
        _ descriptor: ServiceDescriptor, _ sender: Sender, _ now: MonotonicInstant
    ) -> [Effect] {
        var answered = Answered(sender: sender.nmi, at: now)
        if let last = self.answered, last.sender == sender.nmi, last.at == now { answered = last }
        var effects: [Effect] = []
        for (instance, publication) in publications.sorted(by: { $0.key < $1.key }) {
            let own = publication.configuration.matchingFilter.map { MatchingFilter($0) }
            guard publication.serviceID == descriptor.serviceID, publication.configuration.isSolicited,
                MatchingFilter.matches(subscribe: descriptor.matchingFilter, publish: own)
            else { continue }
            let peer = ServicePeer(nmi: sender.nmi, instance: instance, peerInstance: descriptor.instanceID)
            guard answered.peers.count < Self.answerLimit, answered.peers.insert(peer).inserted else { continue }
            let answer = publication.announcement(to: sender.nmi, requestor: descriptor.instanceID)
            effects += [.send(answer), .subscriberHeard(peer)]
        }
        self.answered = answered
        return effects
    }

    private func heardFollowUp(
        _ descriptor: ServiceDescriptor, _ extended: ServiceDescriptorExtension?, _ sender: Sender
    ) -> [Effect] {
        let addressed =
            publications.filter { $0.value.serviceID == descriptor.serviceID }.map(\.key)
            + subscriptions.filter { $0.value.serviceID == descriptor.serviceID }.map(\.key)
        // hostap delivers to every instance of the service. One is enough: the one that is named, if it is.
        let named = addressed.contains(descriptor.requestorInstanceID)
        guard let instance = named ? descriptor.requestorInstanceID : addressed.min() else { return [] }
        let peer = ServicePeer(nmi: sender.nmi, instance: instance, peerInstance: descriptor.instanceID)
        return [.followUp(peer, serviceInfo: Self.serviceInfo(descriptor, extended))]
    }

    /// The extension's service info when it has some, else the descriptor's; without the prefix that names its protocol.
    private static func serviceInfo(
        _ descriptor: ServiceDescriptor, _ extended: ServiceDescriptorExtension?
    ) -> [UInt8]? {
        if let info = extended?.serviceInfo { return info.payload }
        guard let octets = descriptor.serviceInfo else { return nil }
        return ServiceInfo(octets: octets).payload ?? octets
    }

    private static func hasEnded(_ end: MonotonicInstant?, _ now: MonotonicInstant) -> Bool {
        end.map { $0 <= now } ?? false
    }
}
