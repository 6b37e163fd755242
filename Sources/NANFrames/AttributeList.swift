package import Octets

/// The attributes of one frame in their order, and the one or ones of each kind that count.
///
/// The properties follow hostap: SDEAs, capabilities, availabilities, NDCs, unaligned schedules and
/// element containers are collected, service descriptors as well; of all others the last one counts.
package struct AttributeList: Equatable, Sendable, ExpressibleByArrayLiteral {
    /// Attributes kept from one frame; the longest frames seen have twelve.
    package static let maximumCount = 128

    package private(set) var attributes: [Attribute]

    package init(_ attributes: [Attribute]) { self.attributes = attributes }
    package init(arrayLiteral elements: Attribute...) { attributes = elements }

    package mutating func append(_ attribute: Attribute) { attributes.append(attribute) }

    package func encode(into writer: inout ByteWriter) {
        for attribute in attributes { attribute.encode(into: &writer) }
    }

    package var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }
}

extension AttributeList {
    /// Throws at the first attribute that does not decode.
    package static func decode(_ octets: [UInt8]) throws(WireError) -> AttributeList {
        var reader = ByteReader(octets)
        return try decode(&reader)
    }

    package static func decode(_ reader: inout ByteReader) throws(WireError) -> AttributeList {
        let (list, errors) = try decodeTolerantly(&reader)
        if let error = errors.first { throw error }
        return list
    }

    /// Skips and reports attributes that do not decode; throws when the list itself cannot be walked.
    ///
    /// As in hostap a remainder too short for an attribute with a body fails the list, and so does an
    /// empty attribute at its very end.
    package static func decodeTolerantly(
        _ reader: inout ByteReader
    ) throws(WireError) -> (AttributeList, [WireError]) {
        var list: [Attribute] = []
        var errors: [WireError] = []
        var count = 0
        while reader.remaining > 0 {
            let offset = reader.offset
            guard reader.remaining >= 4 else {
                throw .trailing(field: "attribute list", offset: offset, count: reader.remaining)
            }
            guard count < maximumCount else {
                throw .excessive(field: "attributes", offset: offset, limit: maximumCount)
            }
            count += 1
            let id = AttributeID(rawValue: try reader.u8("attribute ID"))
            let length = Int(try reader.u16("attribute length"))
            var body = try reader.slice(length, "attribute body")
            do throws(WireError) {
                list.append(try Attribute(id, from: &body))
            } catch {
                errors.append(.attribute(id: id.rawValue, offset: offset, error))
            }
        }
        return (AttributeList(list), errors)
    }
}

extension AttributeList {
    package var serviceDescriptors: [ServiceDescriptor] {
        all { if case .serviceDescriptor(let v) = $0 { v } else { nil } }
    }

    package var serviceDescriptorExtensions: [ServiceDescriptorExtension] {
        all { if case .serviceDescriptorExtension(let v) = $0 { v } else { nil } }
    }

    package var deviceCapabilities: [DeviceCapability] {
        all { if case .deviceCapability(let v) = $0 { v } else { nil } }
    }
    package var availability: [Availability] { all { if case .availability(let v) = $0 { v } else { nil } } }
    package var ndcs: [NDC] { all { if case .ndc(let v) = $0 { v } else { nil } } }
    package var elementContainers: [ElementContainer] {
        all { if case .elementContainer(let v) = $0 { v } else { nil } }
    }

    /// The NDPE attribute, or the NDP attribute where there is none.
    package var ndp: NDP? { ndpe ?? last { if case .ndp(let v) = $0, v.attributeID == .ndp { v } else { nil } } }
    package var ndpe: NDP? { last { if case .ndp(let v) = $0, v.attributeID == .ndpExtension { v } else { nil } } }
    package var ndl: NDL? { last { if case .ndl(let v) = $0 { v } else { nil } } }
    package var ndlQoS: NDLQoS? { last { if case .ndlQoS(let v) = $0 { v } else { nil } } }

    package var cipherSuiteInformation: CipherSuiteInformation? {
        last { if case .cipherSuiteInformation(let v) = $0 { v } else { nil } }
    }

    package var securityContextInformation: SecurityContextInformation? {
        last { if case .securityContextInformation(let v) = $0 { v } else { nil } }
    }

    package var sharedKeyDescriptor: SharedKeyDescriptor? {
        last { if case .sharedKeyDescriptor(let v) = $0 { v } else { nil } }
    }

    package var deviceCapabilityExtension: DeviceCapabilityExtension? {
        last { if case .deviceCapabilityExtension(let v) = $0 { v } else { nil } }
    }

    package var identityResolution: IdentityResolution? {
        last { if case .identityResolution(let v) = $0 { v } else { nil } }
    }

    package var pairingBootstrapping: PairingBootstrapping? {
        last { if case .pairingBootstrapping(let v) = $0 { v } else { nil } }
    }

    /// The extension of one service descriptor.
    package func serviceDescriptorExtension(of descriptor: ServiceDescriptor) -> ServiceDescriptorExtension? {
        serviceDescriptorExtensions.first { $0.instanceID == descriptor.instanceID }
    }

    private func all<Value>(_ select: (Attribute) -> Value?) -> [Value] { attributes.compactMap(select) }

    private func last<Value>(_ select: (Attribute) -> Value?) -> Value? {
        for attribute in attributes.reversed() {
            if let value = select(attribute) { return value }
        }
        return nil
    }
}
