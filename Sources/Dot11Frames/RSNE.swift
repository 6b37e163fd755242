package import Octets

/// RSN element body (802.11-2020, 9.4.2.24), in the form PASN uses: everything up to the AKM list is required.
///
/// MICs hash the octets as received: keep the `Element` beside this view.
package struct RSNE: WireCodable {
    /// Suites or PMKIDs in one list; a PASN frame has one of each.
    package static let maximumListCount = 16

    package let version: UInt16
    package let groupCipher: CipherSuite
    package let pairwiseCiphers: [CipherSuite]
    package let akmSuites: [AKMSuite]
    package let capabilities: UInt16?
    /// Nil when the element ends before the count, empty when the count is zero.
    package let pmkids: [[UInt8]]?
    package let groupManagementCipher: CipherSuite?
    /// Octets that a later revision appended.
    package let tail: [UInt8]

    /// MFPR and MFPC: management frame protection required and possible.
    package static let managementFrameProtection: UInt16 = 0x00C0

    /// What both sides of NAN pairing send, with a PMKID where the exchange has one.
    package init(pairwiseCipher: CipherSuite, akm: AKMSuite, pmkid: [UInt8]? = nil) {
        precondition(pmkid.map { $0.count == 16 } ?? true, "a PMKID has 16 octets")
        version = 1
        groupCipher = .groupTrafficNotAllowed
        pairwiseCiphers = [pairwiseCipher]
        akmSuites = [akm]
        capabilities = Self.managementFrameProtection
        pmkids = pmkid.map { [$0] } ?? []
        groupManagementCipher = .groupTrafficNotAllowed
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        version = try reader.u16("RSNE version")
        groupCipher = CipherSuite(rawValue: try reader.u32BE("RSNE group cipher"))
        let pairwiseCount = try Self.count(&reader, "RSNE pairwise count")
        var pairwise: [CipherSuite] = []
        for _ in 0..<pairwiseCount {
            pairwise.append(CipherSuite(rawValue: try reader.u32BE("RSNE pairwise cipher")))
        }
        pairwiseCiphers = pairwise
        let akmCount = try Self.count(&reader, "RSNE AKM count")
        var akms: [AKMSuite] = []
        for _ in 0..<akmCount { akms.append(AKMSuite(rawValue: try reader.u32BE("RSNE AKM"))) }
        akmSuites = akms
        capabilities = reader.remaining > 0 ? try reader.u16("RSNE capabilities") : nil
        if reader.remaining > 0 {
            let pmkidCount = try Self.count(&reader, "RSNE PMKID count")
            var list: [[UInt8]] = []
            for _ in 0..<pmkidCount { list.append(try reader.octets(16, "RSNE PMKID")) }
            pmkids = list
        } else {
            pmkids = nil
        }
        groupManagementCipher =
            reader.remaining > 0 ? CipherSuite(rawValue: try reader.u32BE("RSNE group management cipher")) : nil
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u16(version)
        writer.u32BE(groupCipher.rawValue)
        writer.u16(UInt16(pairwiseCiphers.count))
        for suite in pairwiseCiphers { writer.u32BE(suite.rawValue) }
        writer.u16(UInt16(akmSuites.count))
        for suite in akmSuites { writer.u32BE(suite.rawValue) }
        if let capabilities { writer.u16(capabilities) }
        if let pmkids {
            writer.u16(UInt16(pmkids.count))
            for pmkid in pmkids { writer.octets(pmkid) }
        }
        if let groupManagementCipher { writer.u32BE(groupManagementCipher.rawValue) }
        writer.octets(tail)
    }

    package var element: Element { Element(.rsn, encoded) }

    private static func count(_ reader: inout ByteReader, _ field: StaticString) throws(WireError) -> Int {
        let at = reader.offset
        let count = Int(try reader.u16(field))
        guard count <= maximumListCount else {
            throw .excessive(field: "\(field)", offset: at, limit: maximumListCount)
        }
        return count
    }
}

/// RSN Extension element body (802.11-2020, 9.4.2.241): one octet from an iPhone, two from hostap.
package struct RSNXE: WireCodable {
    package let octets: [UInt8]

    package init(_ octets: [UInt8]) {
        precondition(1...16 ~= octets.count, "an RSNXE states its length in four bits")
        self.octets = octets
    }

    /// The two octets that hostap sends: field length 2, hash-to-element as given.
    package init(saeHashToElement: Bool) { octets = [saeHashToElement ? 0x21 : 0x01, 0x00] }

    package init(from reader: inout ByteReader) throws(WireError) {
        let at = reader.offset
        let first = try reader.u8("RSNXE capabilities")
        octets = [first] + reader.rest()
        // Bits 0…3 are the length minus one; more octets than that are a later revision's.
        guard octets.count > Int(first & 0x0F) else {
            throw .invalid(field: "RSNXE length", offset: at, value: UInt64(first & 0x0F))
        }
    }

    package func encode(into writer: inout ByteWriter) { writer.octets(octets) }

    package var saeHashToElement: Bool { octets[0] & 0x20 != 0 }
    package var element: Element { Element(.rsnx, octets) }
}
