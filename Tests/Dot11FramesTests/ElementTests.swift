import Dot11Frames
import Octets
import Testing

func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex)) }

@Suite("802.11 elements") struct ElementTests {
    @Test("management header: fields, kind and the kernel's Protected bit")
    func header() throws {
        let octets = try bytes("d0400000 420000000100 420000000000 506f9a01d8cd b000")
        let header = try ManagementHeader(octets: octets, "header")
        #expect(header.frameControl.kind == .action && header.frameControl.isProtected)
        #expect(header.destination == MACAddress(bits: 0x4200_0000_0100))
        #expect(header.source == MACAddress(bits: 0x4200_0000_0000))
        #expect(header.bssid == MACAddress(bits: 0x506F_9A01_D8CD))
        #expect(header.sequenceControl == 0x00B0)
        #expect(header.encoded == octets)
        #expect(header.frameControl.protected(false) == .action)
        for length in 0..<24 {
            #expect(throws: WireError.self) { try ManagementHeader(octets: Array(octets.prefix(length)), "header") }
        }
    }

    @Test("unknown elements survive, and a list that ends inside one throws")
    func unknown() throws {
        let octets = try bytes("07 02 beef ff 03 63 0102 00 00")
        let elements = try Element.decodeAll(octets)
        #expect(elements.map(\.id) == [ElementID(7), ElementID(ext: 0x63), ElementID(0)])
        #expect(elements.encoded == octets)
        #expect(throws: WireError.truncated(field: "element length", offset: 1, needed: 1, available: 0)) {
            try Element.decodeAll([7])
        }
        #expect(throws: WireError.truncated(field: "element ID extension", offset: 2, needed: 1, available: 0)) {
            try Element.decodeAll([255, 0])
        }
        #expect(throws: WireError.excessive(field: "elements", offset: 128, limit: 64)) {
            try Element.decodeAll(Array(repeating: 0, count: 2 * 65))
        }
    }

    @Test(
        "what exceeds one element continues in fragments and joins again",
        arguments: [0, 253, 254, 255, 509, 510, 1000])
    func fragments(_ length: Int) {
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        for id in [ElementID.vendor, .wrappedData] {
            let elements = Element.fragments(id, body) + [Element(.mic, [1])]
            #expect(
                Element.defragmented(elements)
                    == [DefragmentedElement(id, body), DefragmentedElement(.mic, [1])])
        }
    }

    @Test("a fragment joins only behind a full element, and never beyond the limit")
    func fragmentRules() {
        let full = Element(.vendor, Array(repeating: 1, count: 255))
        let fragment = Element(.fragment, Array(repeating: 2, count: 255))
        let short = Element(.fragment, [3])
        #expect(Element.defragmented([fragment, Element(.mic, [1]), short]) == [DefragmentedElement(.mic, [1])])
        #expect(Element.defragmented([full, short, short])[0].body.count == 256)
        let many = Element.defragmented([full] + Array(repeating: fragment, count: 20))
        #expect(many.count == 1)
        #expect(many[0].body.count <= Element.maximumDefragmentedLength)
    }

    @Test("RSNE as both sides send it")
    func rsne() throws {
        let plain = try bytes("301a0100000fac070100000fac040100000fac08c0000000000fac07")
        #expect(RSNE(pairwiseCipher: .ccmp128, akm: .sae).element.encoded == plain)
        let pmkid = try bytes("a174ecd1697ce7ff3d10fe7f36e014a8")
        let keyed = RSNE(pairwiseCipher: .gcmp256, akm: .pasn, pmkid: pmkid)
        #expect(keyed.element.encoded.hex.hasPrefix("302a0100000fac070100000fac090100000fac15c0000100a174"))
        let decoded = try RSNE(octets: keyed.encoded, "RSNE")
        #expect(decoded == keyed)
        #expect(decoded.pmkids == [pmkid] && decoded.akmSuites == [.pasn])
    }

    @Test("an RSNE may end after its AKMs, and after any field behind them")
    func shortRSNE() throws {
        let whole = RSNE(pairwiseCipher: .ccmp128, akm: .sae).encoded
        let ends = [18, 20, 22, 26]
        #expect(whole.count == 26)
        for length in 0...whole.count {
            let prefix = Array(whole.prefix(length))
            let decoded = try? RSNE(octets: prefix, "RSNE")
            #expect((decoded != nil) == ends.contains(length), "length \(length)")
            if let decoded { #expect(decoded.encoded == prefix) }
        }
        var many = whole
        many[6] = 17
        #expect(throws: WireError.excessive(field: "RSNE pairwise count", offset: 6, limit: 16)) {
            try RSNE(octets: many, "RSNE")
        }
    }

    @Test("RSNXE of one octet and of two")
    func rsnxe() throws {
        #expect(RSNXE(saeHashToElement: true).element.encoded == [0xF4, 0x02, 0x21, 0x00])
        #expect(RSNXE(saeHashToElement: false).element.encoded == [0xF4, 0x02, 0x01, 0x00])
        #expect(try RSNXE(octets: [0x20], "RSNXE").saeHashToElement)
        #expect(throws: WireError.invalid(field: "RSNXE length", offset: 0, value: 1)) {
            try RSNXE(octets: [0x21], "RSNXE")
        }
        #expect(throws: WireError.self) { try RSNXE(octets: [], "RSNXE") }
    }

    @Test("PASN parameters: with and without a key, with a comeback")
    func pasnParameters() throws {
        #expect(PASNParameters(wrappedDataFormat: .sae).element.encoded == [0xFF, 0x03, 0x64, 0x00, 0x03])
        let key = PASNParameters.PublicKey(group: .p256, point: [0x02] + Array(repeating: 0xAB, count: 32))
        let parameters = PASNParameters(wrappedDataFormat: .sae, publicKey: key)
        #expect(parameters.element.encoded.hex.hasPrefix("ff2764020313002102abab"))
        #expect(try PASNParameters(octets: parameters.encoded, "PASN") == parameters)
        let later = PASNParameters(
            wrappedDataFormat: .none, publicKey: key, comeback: .init(afterTimeUnits: 10, cookie: [1, 2]))
        #expect(try PASNParameters(octets: later.encoded, "PASN") == later)
        #expect(SupportedGroups([.p384]).element.encoded == [0xFF, 0x03, 0xA1, 0x14, 0x00])
        #expect(throws: WireError.excessive(field: "supported groups", offset: 64, limit: 32)) {
            try SupportedGroups(octets: Array(repeating: 0, count: 66), "groups")
        }
    }

    @Test("SAE bodies with a wrong algorithm, sequence, group or length are refused")
    func sae() throws {
        let scalar = Array(repeating: UInt8(7), count: 32)
        let commit = SAECommit(group: .p256, scalar: scalar, elementX: scalar, elementY: scalar)
        #expect(commit.encoded.count == 104)
        #expect(commit.encoded.hex.hasPrefix("030001007e001300"))
        let breaks: [(Int, UInt8, String)] = [
            (0, 2, "invalid/SAE algorithm"), (2, 2, "invalid/SAE transaction sequence"), (6, 21, "invalid/SAE group"),
            (6, 20, "truncated/SAE element y"),
        ]
        for (at, value, key) in breaks {
            var octets = commit.encoded
            octets[at] = value
            do {
                _ = try SAECommit(octets: octets, "commit")
                Issue.record("decoded")
            } catch {
                #expect(error.key == key)
            }
        }
        #expect(throws: WireError.self) { try SAECommit(octets: commit.encoded + [0], "commit") }
        let confirm = SAEConfirm(sendConfirm: 1, confirm: scalar)
        #expect(confirm.encoded.hex.hasPrefix("0300020000000100"))
        #expect(throws: WireError.invalid(field: "SAE confirm length", offset: 8, value: 31)) {
            try SAEConfirm(octets: Array(confirm.encoded.dropLast()), "confirm")
        }
        let both = SAECommitAndConfirm(commit: commit, confirm: confirm)
        #expect(both.encoded.hex.hasPrefix("680003000100"))
        for length in 0..<both.encoded.count {
            #expect(throws: WireError.self) {
                try SAECommitAndConfirm(octets: Array(both.encoded.prefix(length)), "both")
            }
        }
    }
}
