internal import Dot11Frames
package import Octets

/// Service info of an SDEA or NDPE: OUI, protocol type, payload (Wi-Fi Aware v4.0).
///
/// Other organisations' formats and malformed ones keep their octets and have no `payload`.
package struct ServiceInfo: Equatable, Sendable {
    /// What the payload is, when the OUI is the Wi-Fi Alliance's.
    package struct ProtocolType: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let bonjour = Self(rawValue: 1)
        package static let generic = Self(rawValue: 2)
        package static let matter = Self(rawValue: 3)
    }

    package let octets: [UInt8]

    package init(octets: [UInt8]) { self.octets = octets }

    package init(_ protocolType: ProtocolType, _ payload: [UInt8]) {
        var writer = ByteWriter(reserving: 4 + payload.count)
        OUI.wifiAlliance.encode(into: &writer)
        writer.u8(protocolType.rawValue)
        writer.octets(payload)
        octets = writer.bytes
    }

    package init(_ generic: GenericServiceInfo) { self.init(.generic, generic.encoded) }

    /// Nil unless the Wi-Fi Alliance's OUI is in front.
    package var protocolType: ProtocolType? {
        guard octets.count >= 4, Array(octets[0..<3]) == OUI.wifiAlliance.encoded else { return nil }
        return ProtocolType(rawValue: octets[3])
    }

    package var payload: [UInt8]? { protocolType.map { _ in Array(octets.dropFirst(4)) } }

    /// The payload of the generic service protocol, nil when it is another or does not parse.
    package var generic: GenericServiceInfo? {
        guard protocolType == .generic, let payload else { return nil }
        return try? GenericServiceInfo(octets: payload, "generic service info")
    }
}

/// Generic Service Protocol payload, GSP: port, transport protocol, names, as type-length-value.
///
/// Learnt from other stacks, because hostap carries it opaquely; unknown types are kept.
package struct GenericServiceInfo: WireCodable {
    package enum TLV: Equatable, Sendable {
        case port(UInt16)
        case transportProtocol(TransportProtocol)
        case instanceName([UInt8])
        case unknown(UInt8, [UInt8])
    }

    /// IP protocol number.
    package struct TransportProtocol: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let tcp = Self(rawValue: 6)
        package static let udp = Self(rawValue: 17)
    }

    /// TLVs kept; three are known.
    package static let maximumCount = 32

    package let tlvs: [TLV]

    package init(_ tlvs: [TLV]) {
        precondition(tlvs.count <= Self.maximumCount, "more TLVs than a receiver keeps")
        self.tlvs = tlvs
    }

    package init(port: UInt16, transportProtocol: TransportProtocol, instanceName: String? = nil) {
        self.init(
            [.port(port), .transportProtocol(transportProtocol)]
                + (instanceName.map { [.instanceName(Array($0.utf8))] } ?? []))
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var list: [TLV] = []
        while reader.remaining > 0 {
            guard list.count < Self.maximumCount else {
                throw .excessive(field: "GSP TLVs", offset: reader.offset, limit: Self.maximumCount)
            }
            let type = try reader.u8("GSP TLV type")
            var value = try reader.slice(Int(try reader.u16("GSP TLV length")), "GSP TLV value")
            list.append(TLV(type, value.rest()))
        }
        tlvs = list
    }

    package func encode(into writer: inout ByteWriter) {
        for tlv in tlvs {
            writer.u8(tlv.type)
            writer.lengthPrefixed16 { $0.octets(tlv.value) }
        }
    }

    package var port: UInt16? {
        for case .port(let port) in tlvs { return port }
        return nil
    }

    package var transportProtocol: TransportProtocol? {
        for case .transportProtocol(let number) in tlvs { return number }
        return nil
    }

    /// Nil when absent or not UTF-8.
    package var instanceName: String? {
        for case .instanceName(let octets) in tlvs { return String(validating: octets, as: UTF8.self) }
        return nil
    }
}

extension GenericServiceInfo.TLV {
    /// A known type with a length it cannot have stays unknown.
    fileprivate init(_ type: UInt8, _ value: [UInt8]) {
        switch (type, value.count) {
        case (0x00, 2): self = .port(UInt16(value[0]) | UInt16(value[1]) << 8)
        case (0x01, 1): self = .transportProtocol(.init(rawValue: value[0]))
        case (0x03, _): self = .instanceName(value)
        default: self = .unknown(type, value)
        }
    }

    fileprivate var type: UInt8 {
        switch self {
        case .port: 0x00
        case .transportProtocol: 0x01
        case .instanceName: 0x03
        case .unknown(let type, _): type
        }
    }

    fileprivate var value: [UInt8] {
        switch self {
        case .port(let port): [UInt8(truncatingIfNeeded: port), UInt8(truncatingIfNeeded: port >> 8)]
        case .transportProtocol(let number): [number.rawValue]
        case .instanceName(let octets), .unknown(_, let octets): octets
        }
    }
}
