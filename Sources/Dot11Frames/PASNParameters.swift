package import Octets

/// PASN Parameters element body (802.11az-2022, 9.4.2.303): control, wrapped data format, public key.
package struct PASNParameters: WireCodable {
    /// What the Wrapped Data element of the same frame holds.
    package struct WrappedDataFormat: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let none = Self(rawValue: 0)
        package static let sae = Self(rawValue: 3)
    }

    /// Asks the initiator to return later; nothing in NAN pairing sends it.
    package struct Comeback: Equatable, Sendable {
        package let afterTimeUnits: UInt16
        package let cookie: [UInt8]

        package init(afterTimeUnits: UInt16, cookie: [UInt8]) {
            precondition(cookie.count <= 255, "a comeback cookie has an 8-bit length")
            self.afterTimeUnits = afterTimeUnits
            self.cookie = cookie
        }
    }

    /// An ephemeral public key: a point in the octet form of SEC 1, compressed in everything seen.
    package struct PublicKey: Equatable, Sendable {
        package let group: FiniteCyclicGroup
        package let point: [UInt8]

        package init(group: FiniteCyclicGroup, point: [UInt8]) {
            precondition(point.count <= 255, "a PASN public key has an 8-bit length")
            self.group = group
            self.point = point
        }
    }

    package let wrappedDataFormat: WrappedDataFormat
    package let comeback: Comeback?
    /// Present in frames 1 and 2.
    package let publicKey: PublicKey?
    /// Control bits other than the two that say which of the above are present.
    package let reservedControl: UInt8
    package let tail: [UInt8]

    package init(wrappedDataFormat: WrappedDataFormat, publicKey: PublicKey? = nil, comeback: Comeback? = nil) {
        self.wrappedDataFormat = wrappedDataFormat
        self.publicKey = publicKey
        self.comeback = comeback
        reservedControl = 0
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        let control = try reader.u8("PASN control")
        wrappedDataFormat = WrappedDataFormat(rawValue: try reader.u8("PASN wrapped data format"))
        if control & 0x01 != 0 {
            let after = try reader.u16("PASN comeback after")
            let count = Int(try reader.u8("PASN cookie length"))
            comeback = Comeback(afterTimeUnits: after, cookie: try reader.octets(count, "PASN cookie"))
        } else {
            comeback = nil
        }
        if control & 0x02 != 0 {
            let group = FiniteCyclicGroup(rawValue: try reader.u16("PASN group"))
            let count = Int(try reader.u8("PASN public key length"))
            publicKey = PublicKey(group: group, point: try reader.octets(count, "PASN public key"))
        } else {
            publicKey = nil
        }
        reservedControl = control & ~0x03
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(reservedControl | (comeback == nil ? 0 : 0x01) | (publicKey == nil ? 0 : 0x02))
        writer.u8(wrappedDataFormat.rawValue)
        if let comeback {
            writer.u16(comeback.afterTimeUnits)
            writer.lengthPrefixed8 { $0.octets(comeback.cookie) }
        }
        if let publicKey {
            writer.u16(publicKey.group.rawValue)
            writer.lengthPrefixed8 { $0.octets(publicKey.point) }
        }
        writer.octets(tail)
    }

    package var element: Element { Element(.pasnParameters, encoded) }
}

/// Supported Groups element body of PASN frame 2: the groups the responder would take.
package struct SupportedGroups: WireCodable {
    /// Groups kept; the registry's usable elliptic curves are fewer.
    package static let maximumCount = 32

    package let groups: [FiniteCyclicGroup]

    package init(_ groups: [FiniteCyclicGroup]) {
        precondition(groups.count <= Self.maximumCount, "more groups than exist")
        self.groups = groups
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var list: [FiniteCyclicGroup] = []
        while reader.remaining > 0 {
            guard list.count < Self.maximumCount else {
                throw .excessive(field: "supported groups", offset: reader.offset, limit: Self.maximumCount)
            }
            list.append(FiniteCyclicGroup(rawValue: try reader.u16("supported group")))
        }
        groups = list
    }

    package func encode(into writer: inout ByteWriter) { for group in groups { writer.u16(group.rawValue) } }

    package var element: Element { Element(.supportedGroups, encoded) }
}
