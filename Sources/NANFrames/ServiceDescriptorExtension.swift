package import Octets

/// Service Descriptor Extension attribute, SDEA: what the service asks of a data path, and its info (Wi-Fi Aware v4.0).
package struct ServiceDescriptorExtension: WireCodable {
    package struct Control: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        /// Further service discovery.
        package static let fsdRequired = Self(rawValue: 1 << 0)
        package static let fsdWithGAS = Self(rawValue: 1 << 1)
        package static let dataPathRequired = Self(rawValue: 1 << 2)
        package static let multicastDataPath = Self(rawValue: 1 << 3)
        package static let qosRequired = Self(rawValue: 1 << 5)
        package static let securityRequired = Self(rawValue: 1 << 6)
        package static let rangingRequired = Self(rawValue: 1 << 7)
        package static let gtkRequired = Self(rawValue: 1 << 10)

        fileprivate static let rangeLimitPresent = Self(rawValue: 1 << 8)
        fileprivate static let updateIndicatorPresent = Self(rawValue: 1 << 9)
    }

    package struct RangeLimit: Equatable, Sendable {
        package let ingress: UInt16
        package let egress: UInt16
        package init(ingress: UInt16, egress: UInt16) {
            self.ingress = ingress
            self.egress = egress
        }
    }

    /// Equals the instance of the SDA it extends.
    package let instanceID: InstanceID
    /// Without the bits that say what is present, which the fields below say.
    package let control: Control
    package let rangeLimit: RangeLimit?
    package let serviceUpdateIndicator: UInt8?
    package let serviceInfo: ServiceInfo?
    package let tail: [UInt8]

    package init(
        instanceID: InstanceID, control: Control = [], rangeLimit: RangeLimit? = nil,
        serviceUpdateIndicator: UInt8? = nil, serviceInfo: ServiceInfo? = nil
    ) {
        precondition(serviceInfo.map { $0.octets.count < 2048 } ?? true, "service info does not fit a frame")
        self.instanceID = instanceID
        self.control = control.subtracting([.rangeLimitPresent, .updateIndicatorPresent])
        self.rangeLimit = rangeLimit
        self.serviceUpdateIndicator = serviceUpdateIndicator
        self.serviceInfo = serviceInfo
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        instanceID = InstanceID(try reader.u8("SDEA instance ID"))
        let bits = Control(rawValue: try reader.u16("SDEA control"))
        control = bits.subtracting([.rangeLimitPresent, .updateIndicatorPresent])
        if bits.contains(.rangeLimitPresent) {
            let ingress = try reader.u16("SDEA ingress range limit")
            rangeLimit = RangeLimit(ingress: ingress, egress: try reader.u16("SDEA egress range limit"))
        } else {
            rangeLimit = nil
        }
        serviceUpdateIndicator =
            bits.contains(.updateIndicatorPresent) ? try reader.u8("SDEA service update indicator") : nil
        if reader.remaining > 0 {
            let count = Int(try reader.u16("SDEA service info length"))
            serviceInfo = ServiceInfo(octets: try reader.octets(count, "SDEA service info"))
        } else {
            serviceInfo = nil
        }
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        var bits = control
        if rangeLimit != nil { bits.insert(.rangeLimitPresent) }
        if serviceUpdateIndicator != nil { bits.insert(.updateIndicatorPresent) }
        writer.u8(instanceID.rawValue)
        writer.u16(bits.rawValue)
        if let rangeLimit {
            writer.u16(rangeLimit.ingress)
            writer.u16(rangeLimit.egress)
        }
        if let serviceUpdateIndicator { writer.u8(serviceUpdateIndicator) }
        if let serviceInfo { writer.lengthPrefixed16 { $0.octets(serviceInfo.octets) } }
        writer.octets(tail)
    }
}
