package import Octets

/// Key information bits of an RSNA key descriptor (802.11-2020, Figure 12-33).
package struct KeyInformation: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let pairwise = Self(rawValue: 1 << 3)
    package static let install = Self(rawValue: 1 << 6)
    package static let acknowledge = Self(rawValue: 1 << 7)
    package static let mic = Self(rawValue: 1 << 8)
    package static let secure = Self(rawValue: 1 << 9)
    package static let request = Self(rawValue: 1 << 11)
    package static let encryptedKeyData = Self(rawValue: 1 << 12)

    /// Key descriptor version; 0, "defined by the AKM", is the only one NAN has.
    package var version: UInt8 { UInt8(rawValue & 0x07) }
}

/// RSNA key descriptor as NAN's Shared Key Descriptor attribute carries it; big-endian throughout (802.11-2020, 12.7.2).
///
/// The MIC has 16, 24 or no octets, which the descriptor itself does not say.
package struct KeyDescriptor: Equatable, Sendable {
    /// The RSN key descriptor type.
    package static let rsn: UInt8 = 2
    /// Octets in front of the MIC.
    package static let fixedLength = 77
    /// MIC lengths that exist, longest use first.
    package static let micLengths = [16, 24, 0]

    package var type: UInt8
    package var information: KeyInformation
    package var keyLength: UInt16
    package var replayCounter: UInt64
    /// 32 octets.
    package var nonce: [UInt8]
    /// 16 octets, zero in NAN.
    package var iv: [UInt8]
    /// Receive sequence counter of a GTK in the key data, 8 octets of which 6 count.
    package var rsc: [UInt8]
    /// 8 octets, zero in NAN.
    package var keyID: [UInt8]
    package var mic: [UInt8]
    package var keyData: [UInt8]

    package init(
        information: KeyInformation, keyLength: UInt16 = 0, replayCounter: UInt64,
        nonce: [UInt8] = Array(repeating: 0, count: 32), rsc: [UInt8] = Array(repeating: 0, count: 8),
        micLength: Int, keyData: [UInt8] = []
    ) {
        precondition(nonce.count == 32 && rsc.count == 8, "a key descriptor's nonce and RSC have fixed lengths")
        precondition(Self.micLengths.contains(micLength), "no such MIC length")
        precondition(keyData.count <= Int(UInt16.max), "key data has a 16-bit length")
        type = Self.rsn
        self.information = information
        self.keyLength = keyLength
        self.replayCounter = replayCounter
        self.nonce = nonce
        iv = Array(repeating: 0, count: 16)
        self.rsc = rsc
        keyID = Array(repeating: 0, count: 8)
        mic = Array(repeating: 0, count: micLength)
        self.keyData = keyData
    }

    /// Decodes with the MIC length of the negotiated cipher suite; nil takes the one length that fits.
    package init(from reader: inout ByteReader, micLength: Int?) throws(WireError) {
        type = try reader.u8("key descriptor type")
        information = KeyInformation(rawValue: try reader.u16BE("key information"))
        keyLength = try reader.u16BE("key length")
        replayCounter = try reader.u64BE("key replay counter")
        nonce = try reader.octets(32, "key nonce")
        iv = try reader.octets(16, "key IV")
        rsc = try reader.octets(8, "key RSC")
        keyID = try reader.octets(8, "key ID")
        let length: Int
        if let micLength { length = micLength } else { length = try Self.inferMICLength(reader, information) }
        mic = try reader.octets(length, "key MIC")
        let count = Int(try reader.u16BE("key data length"))
        keyData = try reader.octets(count, "key data")
        try reader.finish("key descriptor")
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(type)
        writer.u16BE(information.rawValue)
        writer.u16BE(keyLength)
        writer.u64BE(replayCounter)
        writer.octets(nonce)
        writer.octets(iv)
        writer.octets(rsc)
        writer.octets(keyID)
        writer.octets(mic)
        writer.u16BE(UInt16(keyData.count))
        writer.octets(keyData)
    }

    /// Finds the MIC length whose key data length then agrees with what is left.
    ///
    /// Key data without a MIC bit is what a NIK exchange looks like, so that form is tried first there.
    private static func inferMICLength(
        _ reader: ByteReader, _ information: KeyInformation
    ) throws(WireError) -> Int {
        let isUnsigned = information.contains(.encryptedKeyData) && !information.contains(.mic)
        for length in isUnsigned ? [0, 16, 24] : micLengths {
            guard let high = reader.peek(length), let low = reader.peek(length + 1) else { continue }
            if reader.remaining - length - 2 == Int(high) << 8 | Int(low) { return length }
        }
        throw .invalid(field: "key data length", offset: reader.offset, value: UInt64(reader.remaining))
    }
}
