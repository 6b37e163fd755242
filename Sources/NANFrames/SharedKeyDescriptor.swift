package import Dot11Frames
package import Octets

/// Shared Key Descriptor attribute, SKDA: a key descriptor for one publish instance (Wi-Fi Aware v4.0).
///
/// How long the MIC is depends on the cipher suite, which the attribute does not say. Decoding takes
/// the length that fits; a random MIC can fit two, so a handshake decodes again with `decoded(micLength:)`.
package struct SharedKeyDescriptor: WireCodable {
    package let publishID: InstanceID
    package var descriptor: KeyDescriptor

    package init(publishID: InstanceID, _ descriptor: KeyDescriptor) {
        self.publishID = publishID
        self.descriptor = descriptor
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        publishID = InstanceID(try reader.u8("SKDA publish ID"))
        descriptor = try KeyDescriptor(from: &reader, micLength: nil)
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(publishID.rawValue)
        descriptor.encode(into: &writer)
    }

    /// The same octets read with the MIC length that the suite in use has.
    package func decoded(micLength: Int) throws(WireError) -> SharedKeyDescriptor {
        if descriptor.mic.count == micLength { return self }
        var reader = ByteReader(encoded)
        let id = InstanceID(try reader.u8("SKDA publish ID"))
        return SharedKeyDescriptor(publishID: id, try KeyDescriptor(from: &reader, micLength: micLength))
    }

    /// Where the MIC of the last SKDA stands in a NAF body, category included; nil without an SKDA that long.
    package static func micRange(inNAF body: [UInt8], micLength: Int) -> Range<Int>? {
        var found: Range<Int>?
        var offset = NAF.attributesOffset
        while offset + 3 <= body.count {
            let length = Int(body[offset + 1]) | Int(body[offset + 2]) << 8
            let start = offset + 3
            guard start + length <= body.count else { return nil }
            if body[offset] == AttributeID.sharedKeyDescriptor.rawValue {
                let mic = start + 1 + KeyDescriptor.fixedLength
                guard mic + micLength + 2 <= start + length else { return nil }
                found = mic..<mic + micLength
            }
            offset = start + length
        }
        return found
    }
}

/// NAN Identity Resolution attribute, NIRA: proof of a NIK to those who know it (Wi-Fi Aware v4.0).
package struct IdentityResolution: WireCodable {
    package let cipherVersion: UInt8
    package let nonce: [UInt8]
    package let tag: [UInt8]

    package init(cipherVersion: UInt8 = 0, nonce: [UInt8], tag: [UInt8]) {
        precondition(nonce.count == 8 && tag.count == 8, "a NIRA's nonce and tag have 8 octets each")
        self.cipherVersion = cipherVersion
        self.nonce = nonce
        self.tag = tag
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        cipherVersion = try reader.u8("NIRA cipher version")
        nonce = try reader.octets(8, "NIRA nonce")
        tag = try reader.octets(8, "NIRA tag")
        try reader.finish("NIRA")
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(cipherVersion)
        writer.octets(nonce)
        writer.octets(tag)
    }

    /// Nonce and tag together: the NPKID that names a cached pairing in an RSNE.
    package var npkid: [UInt8] { nonce + tag }
}
