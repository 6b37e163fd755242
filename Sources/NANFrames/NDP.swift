package import Octets

/// How a negotiation stands, in NDP and NDL attributes.
package enum NegotiationStatus: UInt8, Equatable, Sendable {
    case continued = 0
    case accepted = 1
    case rejected = 2
}

/// NDP attribute and NDP Extension attribute, NDPE: one message of a data path's life (Wi-Fi Aware v4.0).
///
/// The two share their fixed part and differ in what follows; `content` says which it is.
package struct NDP: Equatable, Sendable {
    package enum Kind: UInt8, Equatable, Sendable {
        case request = 0
        case response = 1
        case confirm = 2
        case securityInstall = 3
        case terminate = 4
    }

    package struct Control: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let confirmRequired = Self(rawValue: 1 << 0)
        package static let securityPresent = Self(rawValue: 1 << 2)
        /// Of an NDPE; in an NDP the bit says that service info follows.
        package static let gtkRequired = Self(rawValue: 1 << 5)

        fileprivate static let publishIDPresent = Self(rawValue: 1 << 3)
        fileprivate static let responderNDIPresent = Self(rawValue: 1 << 4)
        fileprivate static let serviceInfoPresent = Self(rawValue: 1 << 5)
    }

    package enum Content: Equatable, Sendable {
        /// An NDP attribute, with service info that has no structure of its own.
        case ndp(serviceInfo: [UInt8]?)
        /// An NDPE attribute.
        case ndpe([TLV])
    }

    package enum TLV: Equatable, Sendable {
        /// The lower half of the sender's link-local address.
        case interfaceIdentifier(InterfaceIdentifier)
        case serviceInfo(ServiceInfo)
        /// A type we do not know, or an interface identifier without 8 octets.
        case unknown(UInt8, [UInt8])
    }

    /// TLVs kept; two are known.
    package static let maximumTLVCount = 32

    /// Zero in the termination of an established data path.
    package let dialogToken: DialogToken
    package let kind: Kind
    package let status: NegotiationStatus
    package let reason: ReasonCode
    package let initiatorNDI: NDI
    package let ndpID: NDPID
    /// Without the bits that say what is present, which the fields below say.
    package let control: Control
    package let publishID: InstanceID?
    package let responderNDI: NDI?
    package let content: Content
    package let tail: [UInt8]

    package init(
        dialogToken: DialogToken, kind: Kind, status: NegotiationStatus, reason: ReasonCode = .none,
        initiatorNDI: NDI, ndpID: NDPID, control: Control = [], publishID: InstanceID? = nil,
        responderNDI: NDI? = nil, content: Content
    ) {
        self.dialogToken = dialogToken
        self.kind = kind
        self.status = status
        self.reason = reason
        self.initiatorNDI = initiatorNDI
        self.ndpID = ndpID
        var bits = control.subtracting([.publishIDPresent, .responderNDIPresent])
        switch content {
        case .ndp: bits.remove(.serviceInfoPresent)
        case .ndpe(let tlvs): precondition(tlvs.count <= Self.maximumTLVCount, "more TLVs than a receiver keeps")
        }
        self.control = bits
        self.publishID = publishID
        self.responderNDI = responderNDI
        self.content = content
        tail = []
    }

    package init(from reader: inout ByteReader, isExtension: Bool) throws(WireError) {
        dialogToken = DialogToken(try reader.u8("NDP dialog token"))
        let at = reader.offset
        let typeAndStatus = try reader.u8("NDP type and status")
        guard let kind = Kind(rawValue: typeAndStatus & 0x0F) else {
            throw .invalid(field: "NDP type", offset: at, value: UInt64(typeAndStatus & 0x0F))
        }
        guard let status = NegotiationStatus(rawValue: typeAndStatus >> 4) else {
            throw .invalid(field: "NDP status", offset: at, value: UInt64(typeAndStatus >> 4))
        }
        self.kind = kind
        self.status = status
        reason = ReasonCode(rawValue: try reader.u8("NDP reason"))
        initiatorNDI = NDI(try MACAddress(from: &reader))
        ndpID = NDPID(try reader.u8("NDP ID"))
        let bits = Control(rawValue: try reader.u8("NDP control"))
        publishID = bits.contains(.publishIDPresent) ? InstanceID(try reader.u8("NDP publish ID")) : nil
        responderNDI = bits.contains(.responderNDIPresent) ? NDI(try MACAddress(from: &reader)) : nil
        if isExtension {
            control = bits.subtracting([.publishIDPresent, .responderNDIPresent])
            content = .ndpe(try TLV.decodeAll(&reader))
            tail = []
        } else {
            control = bits.subtracting([.publishIDPresent, .responderNDIPresent, .serviceInfoPresent])
            content = .ndp(serviceInfo: bits.contains(.serviceInfoPresent) ? reader.rest() : nil)
            tail = reader.rest()
        }
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(dialogToken.rawValue)
        writer.u8(kind.rawValue | status.rawValue << 4)
        writer.u8(reason.rawValue)
        initiatorNDI.address.encode(into: &writer)
        writer.u8(ndpID.rawValue)
        var bits = control
        if publishID != nil { bits.insert(.publishIDPresent) }
        if responderNDI != nil { bits.insert(.responderNDIPresent) }
        if case .ndp(.some) = content { bits.insert(.serviceInfoPresent) }
        writer.u8(bits.rawValue)
        if let publishID { writer.u8(publishID.rawValue) }
        responderNDI?.address.encode(into: &writer)
        switch content {
        case .ndp(let serviceInfo): writer.octets(serviceInfo ?? [])
        case .ndpe(let tlvs):
            for tlv in tlvs { tlv.encode(into: &writer) }
        }
        writer.octets(tail)
    }

    package var attributeID: AttributeID {
        switch content {
        case .ndp: .ndp
        case .ndpe: .ndpExtension
        }
    }

    package var interfaceIdentifier: InterfaceIdentifier? {
        guard case .ndpe(let tlvs) = content else { return nil }
        for case .interfaceIdentifier(let identifier) in tlvs { return identifier }
        return nil
    }

    /// Service info of either form.
    package var serviceInfo: ServiceInfo? {
        switch content {
        case .ndp(let octets): return octets.map(ServiceInfo.init(octets:))
        case .ndpe(let tlvs):
            for case .serviceInfo(let info) in tlvs { return info }
            return nil
        }
    }
}

extension NDP.TLV {
    fileprivate static func decodeAll(_ reader: inout ByteReader) throws(WireError) -> [NDP.TLV] {
        var tlvs: [NDP.TLV] = []
        while reader.remaining > 0 {
            guard tlvs.count < NDP.maximumTLVCount else {
                throw .excessive(field: "NDPE TLVs", offset: reader.offset, limit: NDP.maximumTLVCount)
            }
            let type = try reader.u8("NDPE TLV type")
            var value = try reader.slice(Int(try reader.u16("NDPE TLV length")), "NDPE TLV value")
            switch type {
            case 0x00 where value.remaining == 8:
                tlvs.append(.interfaceIdentifier(try InterfaceIdentifier(from: &value)))
            case 0x01: tlvs.append(.serviceInfo(ServiceInfo(octets: value.rest())))
            default: tlvs.append(.unknown(type, value.rest()))
            }
        }
        return tlvs
    }

    fileprivate func encode(into writer: inout ByteWriter) {
        switch self {
        case .interfaceIdentifier(let identifier):
            writer.u8(0x00)
            writer.lengthPrefixed16 { identifier.encode(into: &$0) }
        case .serviceInfo(let info):
            writer.u8(0x01)
            writer.lengthPrefixed16 { $0.octets(info.octets) }
        case .unknown(let type, let value):
            writer.u8(type)
            writer.lengthPrefixed16 { $0.octets(value) }
        }
    }
}

/// IPv6 interface identifier: the lower 64 bits of a link-local address.
package struct InterfaceIdentifier: WireCodable, Hashable {
    package let bits: UInt64
    package init(bits: UInt64) { self.bits = bits }

    /// The one Linux derives from an interface's address: FF-FE in the middle, universal bit inverted (RFC 4291, A).
    package init(eui64 ndi: NDI) {
        let address = ndi.address.bits
        let upper = (address >> 24) << 40
        let lower = address & 0xFF_FFFF
        bits = (upper | 0xFF_FE00_0000 | lower) ^ 0x0200_0000_0000_0000
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        bits = try reader.u64BE("interface identifier")
    }

    package func encode(into writer: inout ByteWriter) { writer.u64BE(bits) }
}
