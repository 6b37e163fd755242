internal import Dot11Frames
package import Octets

/// First octet of an action frame body: whether the kernel protects the frame.
package enum ActionCategory: UInt8, Equatable, Sendable {
    case publicAction = 0x04
    /// Protected Dual of Public Action.
    case protectedDual = 0x09
}

/// NAN Service Discovery Frame body, SDF: publish, subscribe, follow-up (Wi-Fi Aware v4.0; reference 1.3).
package struct SDF: Equatable, Sendable {
    package var category: ActionCategory
    package var attributes: AttributeList

    package init(category: ActionCategory = .publicAction, _ attributes: AttributeList) {
        self.category = category
        self.attributes = attributes
    }
}

/// NAN Action Frame body, NAF: data path and schedule negotiation (Wi-Fi Aware v4.0; reference 1.4).
package struct NAF: Equatable, Sendable {
    package struct Subtype: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let rangingRequest = Self(rawValue: 1)
        package static let rangingResponse = Self(rawValue: 2)
        package static let rangingTermination = Self(rawValue: 3)
        package static let rangingReport = Self(rawValue: 4)
        /// M1.
        package static let dataPathRequest = Self(rawValue: 5)
        /// M2.
        package static let dataPathResponse = Self(rawValue: 6)
        /// M3.
        package static let dataPathConfirm = Self(rawValue: 7)
        /// M4.
        package static let dataPathKeyInstallment = Self(rawValue: 8)
        package static let dataPathTermination = Self(rawValue: 9)
        package static let scheduleRequest = Self(rawValue: 10)
        package static let scheduleResponse = Self(rawValue: 11)
        package static let scheduleConfirm = Self(rawValue: 12)
        package static let scheduleUpdateNotification = Self(rawValue: 13)

        /// Whether the frame may come protected: data path frames alone may.
        package var isDataPath: Bool { 5...9 ~= rawValue }
    }

    /// Octets of the body in front of the first attribute.
    package static let attributesOffset = 7

    package var category: ActionCategory
    package var subtype: Subtype
    package var attributes: AttributeList

    package init(category: ActionCategory = .publicAction, _ subtype: Subtype, _ attributes: AttributeList) {
        self.category = category
        self.subtype = subtype
        self.attributes = attributes
    }

    /// The body from the category octet on.
    package var encoded: [UInt8] { NANFrame.action(self).encoded }
}

/// An action frame body of NAN.
package enum NANFrame: Equatable, Sendable {
    case serviceDiscovery(SDF)
    case action(NAF)

    /// Octets a body may have: the most 802.11 puts into a management frame.
    package static let maximumLength = 2304

    private static let vendorSpecificAction: UInt8 = 0x09
    private static let sdfType: UInt8 = 0x13
    private static let nafType: UInt8 = 0x18

    /// Decodes a body from its category octet on; throws at anything that does not decode.
    package static func decode(_ body: [UInt8]) throws(WireError) -> NANFrame {
        let (frame, errors) = try decodeTolerantly(body)
        if let error = errors.first { throw error }
        return frame
    }

    /// The same for the air: attributes that do not decode are left out and reported.
    ///
    /// What cannot be walked from attribute to attribute throws, and with it the frame is lost.
    package static func decodeTolerantly(_ body: [UInt8]) throws(WireError) -> (NANFrame, [WireError]) {
        guard body.count <= maximumLength else {
            throw .excessive(field: "NAN frame", offset: maximumLength, limit: maximumLength)
        }
        var reader = ByteReader(body)
        let rawCategory = try reader.u8("action category")
        guard let category = ActionCategory(rawValue: rawCategory) else {
            throw .invalid(field: "action category", offset: 0, value: UInt64(rawCategory))
        }
        let action = try reader.u8("public action")
        guard action == vendorSpecificAction else {
            throw .invalid(field: "public action", offset: 1, value: UInt64(action))
        }
        let oui = try OUI(from: &reader)
        guard oui == .wifiAlliance else { throw .invalid(field: "NAN OUI", offset: 2, value: UInt64(oui.bits)) }
        let type = try reader.u8("NAN OUI type")
        switch type {
        case sdfType:
            let (attributes, errors) = try AttributeList.decodeTolerantly(&reader)
            return (.serviceDiscovery(SDF(category: category, attributes)), errors)
        case nafType:
            let subtype = NAF.Subtype(rawValue: try reader.u8("NAF subtype"))
            let (attributes, errors) = try AttributeList.decodeTolerantly(&reader)
            return (.action(NAF(category: category, subtype, attributes)), errors)
        default: throw .invalid(field: "NAN OUI type", offset: 5, value: UInt64(type))
        }
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(category.rawValue)
        writer.u8(Self.vendorSpecificAction)
        OUI.wifiAlliance.encode(into: &writer)
        switch self {
        case .serviceDiscovery: writer.u8(Self.sdfType)
        case .action(let naf):
            writer.u8(Self.nafType)
            writer.u8(naf.subtype.rawValue)
        }
        attributes.encode(into: &writer)
    }

    package var encoded: [UInt8] {
        var writer = ByteWriter()
        encode(into: &writer)
        return writer.bytes
    }

    package var category: ActionCategory {
        switch self {
        case .serviceDiscovery(let sdf): sdf.category
        case .action(let naf): naf.category
        }
    }

    package var attributes: AttributeList {
        switch self {
        case .serviceDiscovery(let sdf): sdf.attributes
        case .action(let naf): naf.attributes
        }
    }
}

extension SDF {
    /// The body from the category octet on.
    package var encoded: [UInt8] { NANFrame.serviceDiscovery(self).encoded }
}
