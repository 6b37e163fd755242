/// NAN attribute identifier.
///
/// An open registry: a value we do not know is still a valid value, so this is a struct.
package struct AttributeID: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let masterIndication = Self(rawValue: 0x00)
    package static let cluster = Self(rawValue: 0x01)
    package static let serviceIDList = Self(rawValue: 0x02)
    package static let serviceDescriptor = Self(rawValue: 0x03)
    package static let ranging = Self(rawValue: 0x0C)
    package static let clusterDiscovery = Self(rawValue: 0x0D)
    package static let serviceDescriptorExtension = Self(rawValue: 0x0E)
    package static let deviceCapability = Self(rawValue: 0x0F)
    package static let ndp = Self(rawValue: 0x10)
    package static let availability = Self(rawValue: 0x12)
    package static let ndc = Self(rawValue: 0x13)
    package static let ndl = Self(rawValue: 0x14)
    package static let ndlQoS = Self(rawValue: 0x15)
    package static let unalignedSchedule = Self(rawValue: 0x17)
    package static let rangingInformation = Self(rawValue: 0x1A)
    package static let rangingSetup = Self(rawValue: 0x1B)
    package static let ftmRangingReport = Self(rawValue: 0x1C)
    package static let elementContainer = Self(rawValue: 0x1D)
    package static let cipherSuiteInformation = Self(rawValue: 0x22)
    package static let securityContextInformation = Self(rawValue: 0x23)
    package static let sharedKeyDescriptor = Self(rawValue: 0x24)
    package static let publicAvailability = Self(rawValue: 0x27)
    package static let subscribeServiceIDList = Self(rawValue: 0x28)
    /// NDP Extension, NDPE.
    package static let ndpExtension = Self(rawValue: 0x29)
    package static let deviceCapabilityExtension = Self(rawValue: 0x2A)
    package static let identityResolution = Self(rawValue: 0x2B)
    package static let pairingBootstrapping = Self(rawValue: 0x2C)
    package static let s3 = Self(rawValue: 0x2D)
    package static let transmitPowerEnvelope = Self(rawValue: 0x2E)
    package static let vendorSpecific = Self(rawValue: 0xDD)
}
