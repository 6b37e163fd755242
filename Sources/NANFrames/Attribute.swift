package import Octets

/// One attribute of a NAN frame.
///
/// Unknown attributes keep their octets, and known ones the octets a later revision appended (`tail`)
/// and reserved bits, so that encoding what was decoded gives the octets back.
package enum Attribute: Equatable, Sendable {
    case masterIndication(MasterIndication)
    case cluster(ClusterAttribute)
    case serviceDescriptor(ServiceDescriptor)
    case serviceDescriptorExtension(ServiceDescriptorExtension)
    case deviceCapability(DeviceCapability)
    /// NDP or NDPE.
    case ndp(NDP)
    case availability(Availability)
    case ndc(NDC)
    case ndl(NDL)
    case ndlQoS(NDLQoS)
    case unalignedSchedule(UnalignedSchedule)
    case elementContainer(ElementContainer)
    case cipherSuiteInformation(CipherSuiteInformation)
    case securityContextInformation(SecurityContextInformation)
    case sharedKeyDescriptor(SharedKeyDescriptor)
    case deviceCapabilityExtension(DeviceCapabilityExtension)
    case identityResolution(IdentityResolution)
    case pairingBootstrapping(PairingBootstrapping)
    case vendorSpecific(VendorSpecific)
    case unknown(AttributeID, [UInt8])

    /// Decodes a body whose bounds are `body`'s.
    package init(_ id: AttributeID, from body: inout ByteReader) throws(WireError) {
        switch id {
        case .masterIndication: self = .masterIndication(try MasterIndication(from: &body))
        case .cluster: self = .cluster(try ClusterAttribute(from: &body))
        case .serviceDescriptor: self = .serviceDescriptor(try ServiceDescriptor(from: &body))
        case .serviceDescriptorExtension:
            self = .serviceDescriptorExtension(try ServiceDescriptorExtension(from: &body))
        case .deviceCapability: self = .deviceCapability(try DeviceCapability(from: &body))
        case .ndp: self = .ndp(try NDP(from: &body, isExtension: false))
        case .ndpExtension: self = .ndp(try NDP(from: &body, isExtension: true))
        case .availability: self = .availability(try Availability(from: &body))
        case .ndc: self = .ndc(try NDC(from: &body))
        case .ndl: self = .ndl(try NDL(from: &body))
        case .ndlQoS: self = .ndlQoS(try NDLQoS(from: &body))
        case .unalignedSchedule: self = .unalignedSchedule(try UnalignedSchedule(from: &body))
        case .elementContainer: self = .elementContainer(try ElementContainer(from: &body))
        case .cipherSuiteInformation: self = .cipherSuiteInformation(try CipherSuiteInformation(from: &body))
        case .securityContextInformation:
            self = .securityContextInformation(try SecurityContextInformation(from: &body))
        case .sharedKeyDescriptor: self = .sharedKeyDescriptor(try SharedKeyDescriptor(from: &body))
        case .deviceCapabilityExtension: self = .deviceCapabilityExtension(try DeviceCapabilityExtension(from: &body))
        case .identityResolution: self = .identityResolution(try IdentityResolution(from: &body))
        case .pairingBootstrapping: self = .pairingBootstrapping(try PairingBootstrapping(from: &body))
        case .vendorSpecific: self = .vendorSpecific(try VendorSpecific(from: &body))
        default: self = .unknown(id, body.rest())
        }
    }

    package var id: AttributeID {
        switch self {
        case .masterIndication: .masterIndication
        case .cluster: .cluster
        case .serviceDescriptor: .serviceDescriptor
        case .serviceDescriptorExtension: .serviceDescriptorExtension
        case .deviceCapability: .deviceCapability
        case .ndp(let value): value.attributeID
        case .availability: .availability
        case .ndc: .ndc
        case .ndl: .ndl
        case .ndlQoS: .ndlQoS
        case .unalignedSchedule: .unalignedSchedule
        case .elementContainer: .elementContainer
        case .cipherSuiteInformation: .cipherSuiteInformation
        case .securityContextInformation: .securityContextInformation
        case .sharedKeyDescriptor: .sharedKeyDescriptor
        case .deviceCapabilityExtension: .deviceCapabilityExtension
        case .identityResolution: .identityResolution
        case .pairingBootstrapping: .pairingBootstrapping
        case .vendorSpecific: .vendorSpecific
        case .unknown(let id, _): id
        }
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(id.rawValue)
        writer.lengthPrefixed16 { encodeBody(into: &$0) }
    }

    /// ID, length and body.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }

    private func encodeBody(into writer: inout ByteWriter) {
        switch self {
        case .masterIndication(let value): value.encode(into: &writer)
        case .cluster(let value): value.encode(into: &writer)
        case .serviceDescriptor(let value): value.encode(into: &writer)
        case .serviceDescriptorExtension(let value): value.encode(into: &writer)
        case .deviceCapability(let value): value.encode(into: &writer)
        case .ndp(let value): value.encode(into: &writer)
        case .availability(let value): value.encode(into: &writer)
        case .ndc(let value): value.encode(into: &writer)
        case .ndl(let value): value.encode(into: &writer)
        case .ndlQoS(let value): value.encode(into: &writer)
        case .unalignedSchedule(let value): value.encode(into: &writer)
        case .elementContainer(let value): value.encode(into: &writer)
        case .cipherSuiteInformation(let value): value.encode(into: &writer)
        case .securityContextInformation(let value): value.encode(into: &writer)
        case .sharedKeyDescriptor(let value): value.encode(into: &writer)
        case .deviceCapabilityExtension(let value): value.encode(into: &writer)
        case .identityResolution(let value): value.encode(into: &writer)
        case .pairingBootstrapping(let value): value.encode(into: &writer)
        case .vendorSpecific(let value): value.encode(into: &writer)
        case .unknown(_, let body): writer.octets(body)
        }
    }
}
