package import Octets

/// A bond's long term key without its octets, which follow it (mgmt-api.txt, "Load Long Term Keys").
package struct LongTermKey: Hashable, Sendable, WireCodable {
    /// How it came about.
    package struct Kind: Hashable, Sendable {
        package let rawValue: UInt8
        package init(_ rawValue: UInt8) { self.rawValue = rawValue }

        /// By Secure Connections, with something that a person saw and typed.
        package static let authenticatedSecureConnections = Self(3)
    }

    /// Whose it is, by the address that stays.
    package var address: BluetoothAddress
    package var kind: Kind
    /// A central's; of Secure Connections it is neither's.
    package var isCentral: Bool
    /// Octets of it that count, 7 to 16.
    package var size: UInt8
    /// Both 0 with Secure Connections.
    package var diversifier: UInt16
    package var random: UInt64

    package static let keyLength = 16
    /// With the key.
    package static let entryLength = 36

    package init(
        address: BluetoothAddress, kind: Kind, isCentral: Bool = false, size: UInt8 = 16, diversifier: UInt16 = 0,
        random: UInt64 = 0
    ) {
        self.address = address
        self.kind = kind
        self.isCentral = isCentral
        self.size = size
        self.diversifier = diversifier
        self.random = random
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        address = try BluetoothAddress(from: &reader)
        kind = Kind(try reader.u8("key type"))
        isCentral = try reader.u8("central") != 0
        size = try reader.u8("encryption size")
        diversifier = try reader.u16("encrypted diversifier")
        random = try reader.u64("random number")
    }

    package func encode(into writer: inout ByteWriter) {
        address.encode(into: &writer)
        writer.u8(kind.rawValue)
        writer.u8(isCentral ? 1 : 0)
        writer.u8(size)
        writer.u16(diversifier)
        writer.u64(random)
    }
}

/// An identity resolving key: an address with its type, then the key (mgmt-api.txt, "Load Identity Resolving Keys").
package enum IdentityKey {
    package static let keyLength = 16
    /// With the address.
    package static let entryLength = 23
}

/// What pairing can show and ask (mgmt-api.txt, "Set IO Capability").
package enum IOCapability {
    package static let displayOnly: UInt8 = 0
    package static let keyboardOnly: UInt8 = 2
    package static let none: UInt8 = 3
}
