package import Octets

/// Service Descriptor attribute, SDA: one publish, subscribe or follow-up (Wi-Fi Aware v4.0; hostap nan_de.c).
package struct ServiceDescriptor: WireCodable {
    package enum Kind: UInt8, Equatable, Sendable, CaseIterable {
        case publish = 0
        case subscribe = 1
        case followUp = 2
    }

    package let serviceID: ServiceID
    /// The sender's instance; zero is no instance and refused.
    package let instanceID: InstanceID
    /// The instance this answers, `.none` when it answers nobody.
    package let requestorInstanceID: InstanceID
    package let kind: Kind
    package let isRangeLimited: Bool
    package let bindingBitmap: UInt16?
    package let matchingFilter: MatchingFilter?
    package let serviceResponseFilter: ServiceResponseFilter?
    /// At most 255 octets; longer ones go into the SDEA, where hostap and iPhones look first.
    package let serviceInfo: [UInt8]?
    /// Control bit 7, reserved.
    package let isReservedBitSet: Bool
    package let tail: [UInt8]

    package init(
        serviceID: ServiceID, instanceID: InstanceID, requestorInstanceID: InstanceID = .none, kind: Kind,
        isRangeLimited: Bool = false, bindingBitmap: UInt16? = nil, matchingFilter: MatchingFilter? = nil,
        serviceResponseFilter: ServiceResponseFilter? = nil, serviceInfo: [UInt8]? = nil
    ) {
        precondition(serviceInfo.map { $0.count <= 255 } ?? true, "an SDA's service info has an 8-bit length")
        self.serviceID = serviceID
        self.instanceID = instanceID
        self.requestorInstanceID = requestorInstanceID
        self.kind = kind
        self.isRangeLimited = isRangeLimited
        self.bindingBitmap = bindingBitmap
        self.matchingFilter = matchingFilter
        self.serviceResponseFilter = serviceResponseFilter
        self.serviceInfo = serviceInfo
        isReservedBitSet = false
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        serviceID = try ServiceID(from: &reader)
        let at = reader.offset
        instanceID = InstanceID(try reader.u8("SDA instance ID"))
        guard instanceID != .none else { throw .invalid(field: "SDA instance ID", offset: at, value: 0) }
        requestorInstanceID = InstanceID(try reader.u8("SDA requestor instance ID"))
        let control = try reader.u8("SDA control")
        guard let kind = Kind(rawValue: control & 0x03) else {
            throw .invalid(field: "SDA service control type", offset: at + 2, value: UInt64(control & 0x03))
        }
        self.kind = kind
        isRangeLimited = control & 0x20 != 0
        isReservedBitSet = control & 0x80 != 0
        bindingBitmap = control & 0x40 != 0 ? try reader.u16("SDA binding bitmap") : nil
        if control & 0x04 != 0 {
            let count = Int(try reader.u8("SDA matching filter length"))
            matchingFilter = MatchingFilter(try reader.octets(count, "SDA matching filter"))
        } else {
            matchingFilter = nil
        }
        if control & 0x08 != 0 {
            let count = Int(try reader.u8("SDA service response filter length"))
            serviceResponseFilter = ServiceResponseFilter(try reader.octets(count, "SDA service response filter"))
        } else {
            serviceResponseFilter = nil
        }
        if control & 0x10 != 0 {
            let count = Int(try reader.u8("SDA service info length"))
            serviceInfo = try reader.octets(count, "SDA service info")
        } else {
            serviceInfo = nil
        }
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        serviceID.encode(into: &writer)
        writer.u8(instanceID.rawValue)
        writer.u8(requestorInstanceID.rawValue)
        writer.u8(control)
        if let bindingBitmap { writer.u16(bindingBitmap) }
        if let matchingFilter { writer.lengthPrefixed8 { $0.octets(matchingFilter.octets) } }
        if let serviceResponseFilter { writer.lengthPrefixed8 { $0.octets(serviceResponseFilter.octets) } }
        if let serviceInfo { writer.lengthPrefixed8 { $0.octets(serviceInfo) } }
        writer.octets(tail)
    }

    private var control: UInt8 {
        var control = kind.rawValue
        if matchingFilter != nil { control |= 0x04 }
        if serviceResponseFilter != nil { control |= 0x08 }
        if serviceInfo != nil { control |= 0x10 }
        if isRangeLimited { control |= 0x20 }
        if bindingBitmap != nil { control |= 0x40 }
        if isReservedBitSet { control |= 0x80 }
        return control
    }
}
