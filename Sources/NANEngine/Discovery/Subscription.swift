internal import NANFrames
internal import NANSecurity
internal import Octets

/// A running subscribe instance, the frames it makes and the publishers it has heard.
struct Subscription: Sendable {
    /// Publishers remembered at once; anybody may publish, so there is a bound.
    static let foundLimit = 64
    /// A publisher not heard for this long is lost: eight windows of a publisher that wakes in each.
    static let silence: Duration = .timeUnits(8 * 512)

    struct Found: Sendable {
        var service: DiscoveredService
        var heard: MonotonicInstant
    }

    var configuration: SubscribeConfiguration
    let serviceID: ServiceID
    let end: MonotonicInstant?
    private(set) var found: [ServicePeer: Found] = [:]

    init(_ configuration: SubscribeConfiguration, now: MonotonicInstant) {
        self.configuration = configuration
        serviceID = ServiceID(serviceHash(ofName: configuration.serviceName))
        end = configuration.timeToLive.map { now.advanced(by: $0) }
    }

    /// A subscribe: to everybody, or to one publisher.
    func query(to publisher: NMI? = nil) -> ServiceFrame {
        frame(to: publisher, kind: .subscribe, requestor: .none, info: configuration.serviceInfo, message: nil)
    }

    func followUp(to peer: ServicePeer, info: [UInt8] = [], message: Attribute? = nil) -> ServiceFrame {
        frame(to: peer.nmi, kind: .followUp, requestor: peer.peerInstance, info: info, message: message)
    }

    /// Notes that a publisher was heard.
    ///
    /// - Returns: whether it is new or says something new, and who was forgotten to make room for it.
    mutating func hear(_ service: DiscoveredService, now: MonotonicInstant) -> (isNews: Bool, forgotten: ServicePeer?) {
        let previous = found[service.peer]
        var forgotten: ServicePeer?
        if previous == nil, found.count >= Self.foundLimit {
            forgotten = found.min(by: { $0.value.heard < $1.value.heard })?.key
            if let forgotten { found[forgotten] = nil }
        }
        found[service.peer] = Found(service: service, heard: now)
        return (previous?.service != service, forgotten)
    }

    /// Forgets and returns the publishers that have fallen silent.
    mutating func dropSilent(now: MonotonicInstant) -> [ServicePeer] {
        let silent = found.filter { $0.value.heard.advanced(by: Self.silence) <= now }.map(\.key)
        for peer in silent { found[peer] = nil }
        return silent
    }

    mutating func forgetAll() { found = [:] }

    private func frame(
        to destination: NMI?, kind: ServiceDescriptor.Kind, requestor: InstanceID, info: [UInt8], message: Attribute?
    ) -> ServiceFrame {
        ServiceFrame(
            destination: destination,
            descriptor: ServiceDescriptor(
                serviceID: serviceID, instanceID: configuration.instance, requestorInstanceID: requestor, kind: kind,
                matchingFilter: kind == .subscribe ? configuration.matchingFilter.map { MatchingFilter($0) } : nil),
            descriptorExtension: info.isEmpty
                ? nil
                : ServiceDescriptorExtension(
                    instanceID: configuration.instance, control: [], serviceInfo: ServiceInfo(.generic, info)),
            message: message)
    }
}
