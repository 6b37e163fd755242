package import NANFrames

/// What this device says of itself in every service discovery and action frame.
package struct OwnDevice: Equatable, Sendable {
    package var nmi: NMI
    /// The address of our one data interface.
    package var ndi: NDI
    package var capability: DeviceCapability
    package var capabilityExtension: DeviceCapabilityExtension
    /// One per map; the committed part is what the radio was given.
    package var availability: [Availability]
    /// HT and, where the radio has it, VHT capabilities: nobody opens a data path without.
    package var elements: ElementContainer

    package init(
        nmi: NMI, ndi: NDI, capability: DeviceCapability, capabilityExtension: DeviceCapabilityExtension,
        availability: [Availability], elements: ElementContainer
    ) {
        self.nmi = nmi
        self.ndi = ndi
        self.capability = capability
        self.capabilityExtension = capabilityExtension
        self.availability = availability
        self.elements = elements
    }

    /// The lower half of our link-local address, which Linux configures by itself.
    package var interfaceIdentifier: InterfaceIdentifier { InterfaceIdentifier(eui64: ndi) }
}
