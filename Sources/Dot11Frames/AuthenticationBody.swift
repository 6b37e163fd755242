package import Octets

/// Authentication algorithm numbers (802.11-2020, 9.4.1.1).
package struct AuthenticationAlgorithm: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let sae = Self(rawValue: 3)
    package static let pasn = Self(rawValue: 7)
}

/// Status codes of authentication frames (802.11-2020, Table 9-50).
package struct StatusCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    package static let success = Self(rawValue: 0)
    package static let unspecifiedFailure = Self(rawValue: 1)
    package static let unsupportedGroup = Self(rawValue: 77)
}

/// Body of an Authentication frame: three fixed fields and elements in the order they stand (802.11-2020, 9.3.3.11).
///
/// The elements are kept as received, fragments included, so encoding gives back the octets and
/// hashes can be taken over them.
package struct AuthenticationBody: WireCodable {
    package var algorithm: AuthenticationAlgorithm
    package var sequence: UInt16
    package var status: StatusCode
    package var elements: [Element]

    package init(
        algorithm: AuthenticationAlgorithm = .pasn, sequence: UInt16, status: StatusCode = .success,
        elements: [Element]
    ) {
        precondition(elements.count <= Element.maximumCount, "more elements than a receiver keeps")
        self.algorithm = algorithm
        self.sequence = sequence
        self.status = status
        self.elements = elements
    }

    /// Reads to the end: elements fill the rest of the frame.
    package init(from reader: inout ByteReader) throws(WireError) {
        algorithm = AuthenticationAlgorithm(rawValue: try reader.u16("authentication algorithm"))
        sequence = try reader.u16("authentication transaction sequence")
        status = StatusCode(rawValue: try reader.u16("authentication status"))
        elements = try Element.decodeAll(&reader)
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u16(algorithm.rawValue)
        writer.u16(sequence)
        writer.u16(status.rawValue)
        for element in elements { element.encode(into: &writer) }
    }

    /// The first element with that ID, as received: what RSNE and RSNXE are hashed as.
    package func raw(_ id: ElementID) -> Element? { elements.first { $0.id == id } }

    /// The first element with that ID, with its fragments joined.
    package func body(_ id: ElementID) -> [UInt8]? {
        Element.defragmented(elements).first { $0.id == id }?.body
    }

    /// The first vendor element of that organisation and type, without those four octets.
    package func vendorBody(_ oui: OUI, type: UInt8) -> [UInt8]? {
        for element in Element.defragmented(elements) where element.id == .vendor {
            if let vendor = try? VendorElement(octets: element.body, "vendor element"), vendor.oui == oui,
                vendor.type == type
            {
                return vendor.body
            }
        }
        return nil
    }

    package func rsne() throws(WireError) -> RSNE? { try decode(.rsn, "RSNE") }
    package func rsnxe() throws(WireError) -> RSNXE? { try decode(.rsnx, "RSNXE") }
    package func pasnParameters() throws(WireError) -> PASNParameters? {
        try decode(.pasnParameters, "PASN parameters")
    }
    package func supportedGroups() throws(WireError) -> SupportedGroups? {
        try decode(.supportedGroups, "supported groups")
    }
    package var wrappedData: [UInt8]? { body(.wrappedData) }
    package var mic: [UInt8]? { body(.mic) }

    private func decode<Value: WireCodable>(_ id: ElementID, _ field: StaticString) throws(WireError) -> Value? {
        guard let octets = body(id) else { return nil }
        do {
            return try Value(octets: octets, field)
        } catch {
            throw .attribute(id: id.rawValue, offset: 0, error)
        }
    }
}

/// Vendor specific element body: OUI, type, and what the vendor likes (802.11-2020, 9.4.2.25).
package struct VendorElement: WireCodable {
    package let oui: OUI
    package let type: UInt8
    package let body: [UInt8]

    package init(_ oui: OUI, type: UInt8, _ body: [UInt8]) {
        self.oui = oui
        self.type = type
        self.body = body
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        oui = try OUI(from: &reader)
        type = try reader.u8("vendor element type")
        body = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        oui.encode(into: &writer)
        writer.u8(type)
        writer.octets(body)
    }

    /// As elements: several when it is longer than one can carry.
    package var elements: [Element] { Element.fragments(.vendor, encoded) }
}
