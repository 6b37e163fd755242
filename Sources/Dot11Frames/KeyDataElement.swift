package import Octets

/// One KDE of a key descriptor's key data (802.11-2020, 12.7.2; NIK and lifetime: Wi-Fi Aware v4.0).
///
/// Keys stand in `Sensitive`, so a printed KDE shows none.
package enum KeyDataElement: Equatable, Sendable {
    case gtk(GroupTemporalKey)
    case igtk(IntegrityGroupKey)
    case bigtk(IntegrityGroupKey)
    case nik(NANIdentityKey)
    case lifetime(KeyLifetime)
    case unknown(OUI, type: UInt8, [UInt8])
    /// An element that is no KDE, as EAPOL-Key frames may carry.
    case element(id: UInt8, [UInt8])

    /// A group key for data; ID 1 or 2.
    package struct GroupTemporalKey: Equatable, Sendable {
        /// Bits 0…1.
        package let keyID: UInt8
        /// Bit 2 set: the receiver must not transmit with it.
        package let transmitsNothing: Bool
        package let key: Sensitive<[UInt8]>
        /// Bits 3…7 and the octet behind, reserved.
        package let reserved: UInt16

        package init(keyID: UInt8, transmitsNothing: Bool = false, key: Sensitive<[UInt8]>) {
            precondition(keyID <= 3, "a GTK's key ID has two bits")
            self.init(keyID: keyID, transmitsNothing: transmitsNothing, key: key, reserved: 0)
        }

        fileprivate init(keyID: UInt8, transmitsNothing: Bool, key: Sensitive<[UInt8]>, reserved: UInt16) {
            self.keyID = keyID
            self.transmitsNothing = transmitsNothing
            self.key = key
            self.reserved = reserved
        }
    }

    /// An IGTK, ID 4 or 5, or a BIGTK, ID 6 or 7, with the number of the last packet it protected.
    package struct IntegrityGroupKey: Equatable, Sendable {
        package let keyID: UInt16
        /// 6 octets, least significant first.
        package let packetNumber: [UInt8]
        package let key: Sensitive<[UInt8]>

        package init(keyID: UInt16, packetNumber: [UInt8], key: Sensitive<[UInt8]>) {
            precondition(packetNumber.count == 6, "a packet number has 6 octets")
            self.keyID = keyID
            self.packetNumber = packetNumber
            self.key = key
        }
    }

    /// A NAN identity key, which resolves its owner's NIRA tags; cipher version 0 has 16 octets.
    package struct NANIdentityKey: Equatable, Sendable {
        package let cipherVersion: UInt8
        package let key: Sensitive<[UInt8]>

        package init(cipherVersion: UInt8 = 0, key: Sensitive<[UInt8]>) {
            self.cipherVersion = cipherVersion
            self.key = key
        }
    }

    /// How long the keys in the bitmap live.
    package struct KeyLifetime: Equatable, Sendable {
        package struct Keys: OptionSet, Hashable, Sendable {
            package let rawValue: UInt16
            package init(rawValue: UInt16) { self.rawValue = rawValue }
            package static let gtk = Self(rawValue: 1 << 0)
            package static let igtk = Self(rawValue: 1 << 1)
            package static let bigtk = Self(rawValue: 1 << 2)
            package static let nik = Self(rawValue: 1 << 3)
            package static let ndTK = Self(rawValue: 1 << 4)
            package static let nmTK = Self(rawValue: 1 << 5)
        }

        package let keys: Keys
        package let seconds: UInt32

        package init(keys: Keys, seconds: UInt32) {
            self.keys = keys
            self.seconds = seconds
        }
    }
}

extension KeyDataElement {
    /// KDEs kept from one key descriptor; a handshake has at most three.
    package static let maximumCount = 16

    private static let vendorID: UInt8 = 0xDD

    /// Reads unwrapped key data up to its padding, which starts with `DD 00` or a lone last `DD`.
    package static func decodeAll(_ keyData: [UInt8]) throws(WireError) -> [KeyDataElement] {
        var reader = ByteReader(keyData)
        var elements: [KeyDataElement] = []
        while reader.remaining > 0 {
            if reader.peek() == vendorID, reader.remaining == 1 || reader.peek(1) == 0 { return elements }
            guard elements.count < maximumCount else {
                throw .excessive(field: "KDEs", offset: reader.offset, limit: maximumCount)
            }
            elements.append(try KeyDataElement(from: &reader))
        }
        return elements
    }

    /// The KDEs and the padding that makes them a multiple of 8 octets, ready for AES key wrap.
    package static func encodePadded(_ elements: [KeyDataElement]) -> [UInt8] {
        var writer = ByteWriter()
        for element in elements { element.encode(into: &writer) }
        if writer.bytes.count % 8 != 0 { writer.u8(vendorID) }
        while writer.bytes.count % 8 != 0 { writer.u8(0) }
        return writer.bytes
    }
}

extension KeyDataElement: WireCodable {
    package init(from reader: inout ByteReader) throws(WireError) {
        let id = try reader.u8("KDE ID")
        var body = try reader.slice(Int(try reader.u8("KDE length")), "KDE body")
        guard id == Self.vendorID else {
            self = .element(id: id, body.rest())
            return
        }
        let oui = try OUI(from: &body)
        let type = try body.u8("KDE data type")
        switch (oui, type) {
        case (.ieee80211, 0x01): self = .gtk(try GroupTemporalKey(from: &body))
        case (.ieee80211, 0x09): self = .igtk(try IntegrityGroupKey(from: &body))
        case (.ieee80211, 0x0E): self = .bigtk(try IntegrityGroupKey(from: &body))
        case (.wifiAlliance, 0x24):
            let version = try body.u8("NIK cipher version")
            self = .nik(NANIdentityKey(cipherVersion: version, key: Sensitive(body.rest())))
        case (.wifiAlliance, 0x25):
            let keys = KeyLifetime.Keys(rawValue: try body.u16("key lifetime bitmap"))
            self = .lifetime(KeyLifetime(keys: keys, seconds: try body.u32BE("key lifetime")))
            try body.finish("key lifetime KDE")
        default: self = .unknown(oui, type: type, body.rest())
        }
    }

    package func encode(into writer: inout ByteWriter) {
        switch self {
        case .gtk(let key):
            Self.encode(.ieee80211, 0x01, into: &writer) { key.encode(into: &$0) }
        case .igtk(let key):
            Self.encode(.ieee80211, 0x09, into: &writer) { key.encode(into: &$0) }
        case .bigtk(let key):
            Self.encode(.ieee80211, 0x0E, into: &writer) { key.encode(into: &$0) }
        case .nik(let nik):
            Self.encode(.wifiAlliance, 0x24, into: &writer) {
                $0.u8(nik.cipherVersion)
                $0.octets(nik.key.value)
            }
        case .lifetime(let lifetime):
            Self.encode(.wifiAlliance, 0x25, into: &writer) {
                $0.u16(lifetime.keys.rawValue)
                $0.u32BE(lifetime.seconds)
            }
        case .unknown(let oui, let type, let body):
            Self.encode(oui, type, into: &writer) { $0.octets(body) }
        case .element(let id, let body):
            writer.u8(id)
            writer.lengthPrefixed8 { $0.octets(body) }
        }
    }

    private static func encode(
        _ oui: OUI, _ type: UInt8, into writer: inout ByteWriter, _ body: (inout ByteWriter) -> Void
    ) {
        writer.u8(vendorID)
        writer.lengthPrefixed8 {
            oui.encode(into: &$0)
            $0.u8(type)
            body(&$0)
        }
    }
}

extension KeyDataElement.GroupTemporalKey {
    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        let first = try reader.u8("GTK key ID")
        let second = try reader.u8("GTK reserved octet")
        self.init(
            keyID: first & 0x03, transmitsNothing: first & 0x04 != 0, key: Sensitive(reader.rest()),
            reserved: UInt16(first & 0xF8) | UInt16(second) << 8)
    }

    fileprivate func encode(into writer: inout ByteWriter) {
        writer.u8(keyID | (transmitsNothing ? 0x04 : 0) | UInt8(truncatingIfNeeded: reserved))
        writer.u8(UInt8(truncatingIfNeeded: reserved >> 8))
        writer.octets(key.value)
    }
}

extension KeyDataElement.IntegrityGroupKey {
    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        keyID = try reader.u16("group key ID")
        packetNumber = try reader.octets(6, "group key packet number")
        key = Sensitive(reader.rest())
    }

    fileprivate func encode(into writer: inout ByteWriter) {
        writer.u16(keyID)
        writer.octets(packetNumber)
        writer.octets(key.value)
    }
}
