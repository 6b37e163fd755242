internal import NANFrames
internal import NANSecurity
internal import Octets

/// A running publish instance and the frames it makes.
struct Publication: Sendable {
    var configuration: PublishConfiguration
    let serviceID: ServiceID
    let end: MonotonicInstant?

    init(_ configuration: PublishConfiguration, now: MonotonicInstant) {
        self.configuration = configuration
        serviceID = ServiceID(serviceHash(ofName: configuration.serviceName))
        end = configuration.timeToLive.map { now.advanced(by: $0) }
    }

    /// A publish: to everybody, or to the subscriber it answers.
    func announcement(to subscriber: NMI? = nil, requestor: InstanceID = .none) -> ServiceFrame {
        let info = configuration.serviceInfo
        return ServiceFrame(
            destination: subscriber,
            descriptor: ServiceDescriptor(
                serviceID: serviceID, instanceID: configuration.instance, requestorInstanceID: requestor,
                kind: .publish,
                matchingFilter: configuration.matchingFilter.map { MatchingFilter($0) },
                serviceInfo: configuration.repeatsServiceInfo && !info.isEmpty
                    ? ServiceInfo(.generic, info).octets : nil),
            descriptorExtension: descriptorExtension(info),
            advertisement: advertisement,
            cipherSuites: cipherSuites)
    }

    func followUp(to peer: ServicePeer, info: [UInt8] = [], message: Attribute? = nil) -> ServiceFrame {
        ServiceFrame(
            destination: peer.nmi,
            descriptor: ServiceDescriptor(
                serviceID: serviceID, instanceID: configuration.instance, requestorInstanceID: peer.peerInstance,
                kind: .followUp),
            descriptorExtension: descriptorExtension(info),
            message: message,
            cipherSuites: cipherSuites)
    }

    private var advertisement: PairingBootstrapping? {
        guard !configuration.bootstrappingMethods.isEmpty else { return nil }
        return PairingBootstrapping(
            dialogToken: DialogToken(0), message: .advertise, methods: configuration.bootstrappingMethods)
    }

    private var cipherSuites: CipherSuiteInformation? {
        guard !configuration.cipherSuites.isEmpty else { return nil }
        return CipherSuiteInformation(
            configuration.cipherSuites.map { .init($0, publishID: configuration.instance) })
    }

    private func descriptorExtension(_ info: [UInt8]) -> ServiceDescriptorExtension? {
        var control: ServiceDescriptorExtension.Control = []
        if configuration.offersDataPath {
            control.insert(.dataPathRequired)
            if configuration.requiresSecurity, !configuration.cipherSuites.isEmpty { control.insert(.securityRequired) }
        }
        guard !control.isEmpty || !info.isEmpty else { return nil }
        return ServiceDescriptorExtension(
            instanceID: configuration.instance, control: control,
            serviceInfo: info.isEmpty ? nil : ServiceInfo(.generic, info))
    }
}
