package import NANFrames

/// A service discovery frame before the device's own attributes, address and protection are added.
package struct ServiceFrame: Equatable, Sendable {
    /// Nil is everybody.
    package var destination: NMI?
    package var descriptor: ServiceDescriptor
    package var descriptorExtension: ServiceDescriptorExtension?
    /// The NPBA of an advertisement.
    package var advertisement: PairingBootstrapping?
    /// What this message is about: a bootstrapping message or a shared key.
    package var message: Attribute?
    package var cipherSuites: CipherSuiteInformation?

    /// In the order that hostap sends them in, with what the device says of itself.
    package func attributes(_ device: OwnDevice, identity: IdentityResolution?) -> [Attribute] {
        var list: [Attribute] = [.serviceDescriptor(descriptor)]
        if let descriptorExtension { list.append(.serviceDescriptorExtension(descriptorExtension)) }
        if let advertisement { list.append(.pairingBootstrapping(advertisement)) }
        list.append(.deviceCapability(device.capability))
        list += device.availability.map { .availability($0) }
        list.append(.deviceCapabilityExtension(device.capabilityExtension))
        if let identity { list.append(.identityResolution(identity)) }
        if let message { list.append(message) }
        if let cipherSuites { list.append(.cipherSuiteInformation(cipherSuites)) }
        return list
    }
}
