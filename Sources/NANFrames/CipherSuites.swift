package import Dot11Frames
package import Octets

/// A NAN cipher suite, CSID (Wi-Fi Aware v4.0); an open registry.
package struct CipherSuiteID: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let ncsSK128 = Self(rawValue: 1)
    package static let ncsSK256 = Self(rawValue: 2)
    package static let ncsPK2WDH128 = Self(rawValue: 3)
    package static let ncsPK2WDH256 = Self(rawValue: 4)
    package static let ncsGTKCCMP128 = Self(rawValue: 5)
    package static let ncsGTKGCMP256 = Self(rawValue: 6)
    package static let ncsPKPASN128 = Self(rawValue: 7)
    package static let ncsPKPASN256 = Self(rawValue: 8)

    /// A suite for the keys of a group, offered beside a pairwise one.
    package var isGroupSuite: Bool { self == .ncsGTKCCMP128 || self == .ncsGTKGCMP256 }

    /// The suite that runs the same cryptography with a key from elsewhere: what iPhones ask for once they are paired.
    package var sharedKeyEquivalent: Self {
        switch self {
        case .ncsPKPASN128: .ncsSK128
        case .ncsPKPASN256: .ncsSK256
        default: self
        }
    }

    /// SHA-384 and 24-octet MICs instead of SHA-256 and 16.
    package var is256Bit: Bool { self == .ncsSK256 || self == .ncsPKPASN256 }

    /// Octets of a MIC in a data path's key descriptors.
    package var micLength: Int { is256Bit ? 24 : 16 }

    /// What protects data frames; nil for a suite whose handshake we lack.
    package var dataCipher: CipherSuite? {
        switch self {
        case .ncsSK128, .ncsPKPASN128: .ccmp128
        case .ncsSK256, .ncsPKPASN256: .gcmp256
        default: nil
        }
    }
}

/// Cipher Suite Information attribute, CSIA: suites, each for one publish instance (Wi-Fi Aware v4.0).
package struct CipherSuiteInformation: WireCodable {
    /// What keys for group-addressed frames a device handles.
    package enum GroupKeySupport: UInt8, Equatable, Sendable {
        case none = 0
        /// GTK and IGTK.
        case gtkAndIGTK = 1
        /// GTK, IGTK and BIGTK.
        case gtkIGTKAndBIGTK = 2
        case reserved = 3
    }

    package struct Capabilities: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let none = Self(rawValue: 0)

        package init(groupKeySupport: GroupKeySupport) { rawValue = groupKeySupport.rawValue << 1 }

        package var has16NDTKSAReplayCounters: Bool { rawValue & 0x01 != 0 }
        package var groupKeySupport: GroupKeySupport { GroupKeySupport(rawValue: rawValue >> 1 & 0x03) ?? .reserved }
        package var has16GTKSAReplayCounters: Bool { rawValue & 0x08 != 0 }
        /// What protects group management frames: BIP-GMAC-256 when bit 4 is set, else BIP-CMAC-128.
        package var groupManagementCipher: CipherSuite { rawValue & 0x10 != 0 ? .bipGMAC256 : .bipCMAC128 }
    }

    package struct Entry: Hashable, Sendable {
        package let suite: CipherSuiteID
        /// In PASN frames hostap puts its own instance here, so a receiver must not insist on a value.
        package let publishID: InstanceID
        package init(_ suite: CipherSuiteID, publishID: InstanceID) {
            self.suite = suite
            self.publishID = publishID
        }
    }

    /// Suites kept: more instances times suites than a peer can have.
    package static let maximumCount = 64

    package let capabilities: Capabilities
    package let entries: [Entry]

    package init(capabilities: Capabilities = .none, _ entries: [Entry]) {
        precondition(entries.count <= Self.maximumCount, "more suites than a receiver keeps")
        self.capabilities = capabilities
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        capabilities = Capabilities(rawValue: try reader.u8("CSIA capabilities"))
        var list: [Entry] = []
        while reader.remaining > 0 {
            guard list.count < Self.maximumCount else {
                throw .excessive(field: "CSIA entries", offset: reader.offset, limit: Self.maximumCount)
            }
            let suite = CipherSuiteID(rawValue: try reader.u8("CSIA cipher suite"))
            list.append(Entry(suite, publishID: InstanceID(try reader.u8("CSIA publish ID"))))
        }
        entries = list
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(capabilities.rawValue)
        for entry in entries {
            writer.u8(entry.suite.rawValue)
            writer.u8(entry.publishID.rawValue)
        }
    }

    /// The one pairwise entry; nil when there is none or more than one, which a data path refuses.
    package var onlyPairwise: Entry? {
        let pairwise = entries.filter { !$0.suite.isGroupSuite }
        return pairwise.count == 1 ? pairwise[0] : nil
    }
}

/// Security Context Information attribute, SCIA: the keys a device has in mind, by identifier (Wi-Fi Aware v4.0).
package struct SecurityContextInformation: WireCodable {
    package struct Entry: Hashable, Sendable {
        /// An ND-PMKID, 16 octets.
        package static let ndPMKID: UInt8 = 1

        package let type: UInt8
        package let publishID: InstanceID
        package let identifier: [UInt8]

        package init(ndPMKID: [UInt8], publishID: InstanceID) {
            precondition(ndPMKID.count == 16, "an ND-PMKID has 16 octets")
            self.init(type: Self.ndPMKID, publishID: publishID, identifier: ndPMKID)
        }

        fileprivate init(type: UInt8, publishID: InstanceID, identifier: [UInt8]) {
            self.type = type
            self.publishID = publishID
            self.identifier = identifier
        }

        /// The ND-PMKID, nil for another type or length.
        package var pmkid: [UInt8]? { type == Self.ndPMKID && identifier.count == 16 ? identifier : nil }
    }

    /// Contexts kept: one per configured key and suite of a publisher.
    package static let maximumCount = 64

    package let entries: [Entry]

    package init(_ entries: [Entry]) {
        precondition(entries.count <= Self.maximumCount, "more contexts than a receiver keeps")
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var list: [Entry] = []
        while reader.remaining > 0 {
            guard list.count < Self.maximumCount else {
                throw .excessive(field: "SCIA entries", offset: reader.offset, limit: Self.maximumCount)
            }
            let count = Int(try reader.u16("SCIA identifier length"))
            let type = try reader.u8("SCIA identifier type")
            let publishID = InstanceID(try reader.u8("SCIA publish ID"))
            let identifier = try reader.octets(count, "SCIA identifier")
            list.append(Entry(type: type, publishID: publishID, identifier: identifier))
        }
        entries = list
    }

    package func encode(into writer: inout ByteWriter) {
        for entry in entries {
            writer.u16(UInt16(entry.identifier.count))
            writer.u8(entry.type)
            writer.u8(entry.publishID.rawValue)
            writer.octets(entry.identifier)
        }
    }
}
