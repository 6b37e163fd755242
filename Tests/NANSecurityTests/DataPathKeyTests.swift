import Cryptography
import NANFrames
import NANSecurity
import Octets
import Testing

@Suite("Keys of data paths") struct DataPathKeyTests {
    private let vectors: Vectors
    init() throws { vectors = try Vectors.load() }

    @Test("PTK and PMKID of hostap's module test", arguments: [SuiteStrength.bits128, .bits256])
    func module(_ strength: SuiteStrength) throws {
        let vector = try vectors["module"]
        let number = strength == .bits128 ? "1" : "2"
        let master = DataPathMasterKey(try vector.secret("pmk"))
        let keys = try DataPathKeys(
            master, initiator: vector.ndi("initiator"), responder: vector.ndi("responder"),
            initiatorNonce: vector.octets("inonce"), responderNonce: vector.octets("rnonce"), strength: strength)
        let (kck, kek) = (try vector.secret("KCK" + number), try vector.secret("KEK" + number))
        let tk = try vector.secret("TK" + number)
        #expect(keys.keyEncryptionKey == kek && keys.temporalKey == tk)
        // The KCK shows through the MIC it makes.
        let body = [UInt8](0..<50)
        let mic = strength.hash.authenticationCode(key: kck, body).prefix(strength.dataPathMICLength)
        #expect(keys.mic(body: body) == Array(mic) && mic.count == kck.count)
        let pmkid = try vector.octets("PMKID" + number)
        let identifier = try master.identifier(
            initiator: vector.nmi("initiator"), responder: vector.nmi("responder"),
            service: vector.octets("service_id"), strength: strength)
        #expect(identifier == pmkid)
        // The module test takes the PMK itself as KCK.
        let inonce = try vector.octets("inonce")
        let expected = try vector.octets("MIC\(number)_inonce")
        #expect(strength.hash.authenticationCode(key: master.key, inonce).prefix(expected.count) == expected[...])
    }

    @Test("authentication tokens of hostap's module test") func tokens() {
        let body = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
        let short = DataPathKeys.authenticationToken(firstBody: body, strength: .bits128)
        let long = DataPathKeys.authenticationToken(firstBody: body, strength: .bits256)
        #expect(short == [UInt8](hex: "248d6a61d20638b8e5c026930c3e6039"))
        #expect(long == [UInt8](hex: "3391fdddfc8dc7393707a65b1b470939"))
    }

    @Test("the PMKID of a publish frame is for all ones") func publishPMKID() throws {
        let master = DataPathMasterKey(try vectors["module"].secret("pmk"))
        let identifier = try master.identifier(
            initiator: NMI(MACAddress(bits: 0xFFFF_FFFF_FFFF)), responder: NMI(MACAddress(bits: 0x02AA_AAAA_AAAA)),
            service: #require([UInt8](hex: "48da63dcde19")), strength: .bits128)
        #expect(identifier == [UInt8](hex: "b458687efa60378ea0876d4aa8e69e09"))
    }

    @Test("ND-PMK from a passphrase, Appendix M.1 and hostap") func passphrases() throws {
        let list = try vectors["nd_pmk"].list
        #expect(list.count == 4)
        for vector in list {
            let csid = UInt8(try vector.number("csid"))
            let strength = try #require(SuiteStrength(csid: csid))
            let master = try DataPathMasterKey(
                passphrase: SecretKey(copying: Array(vector.text("passphrase").utf8)), csid: csid, strength: strength,
                service: vector.octets("service_id"), publisher: vector.nmi("nmi"))
            let expected = try vector.secret("nd_pmk")
            #expect(master.key == expected)
        }
    }

    /// The MIC starts 77 octets into the descriptor, which follows ID, length and publish ID: zeroes it.
    private func withoutMIC(_ body: [UInt8], at offset: Int, count: Int) -> [UInt8] {
        var body = body
        body.replaceSubrange(offset..<offset + count, with: [UInt8](repeating: 0, count: count))
        return body
    }

    private func micOffset(_ body: [UInt8]) throws -> Int {
        var offset = 7
        while offset + 3 <= body.count {
            if body[offset] == 0x24 { return offset + 3 + 1 + 77 }
            offset += 3 + Int(body[offset + 1]) + Int(body[offset + 2]) << 8
        }
        throw Vectors.Missing(key: "shared key descriptor")
    }

    private func check(
        _ vector: Vectors, frames: [String], keys: DataPathKeys, token expected: [UInt8]
    ) throws {
        let token = DataPathKeys.authenticationToken(
            firstBody: try vector.body(frames[0]), strength: keys.strength)
        #expect(token == expected)
        for (index, name) in frames.enumerated().dropFirst() {
            let body = try vector.body(name)
            let offset = try micOffset(body)
            let mic = Array(body[offset..<offset + 16])
            let blank = withoutMIC(body, at: offset, count: 16)
            let prefix = index == 2 ? token : []
            #expect(keys.verifies(mic: mic, token: prefix, body: blank), "\(name)")
            #expect(!keys.verifies(mic: mic, token: index == 2 ? [] : token, body: blank))
            #expect(!keys.verifies(mic: mic, token: prefix, body: body))
        }
    }

    @Test("the four messages of hostap's secure data path") func secureDataPath() throws {
        let vector = try vectors["ndp", "Four way NDP and two way NDL channel 149 with CCMP 128"]
        let master = DataPathMasterKey(try vector.secret("PMK"))
        let keys = try DataPathKeys(
            master, initiator: vector.ndi("initiator_ndi"), responder: vector.ndi("responder_ndi"),
            initiatorNonce: vector.octets("INonce"), responderNonce: vector.octets("RNonce"), strength: .bits128)
        let tk = try vector.secret("TK")
        #expect(keys.temporalKey == tk)
        try check(vector, frames: ["M1", "M2", "M3", "M4"], keys: keys, token: vector.octets("token"))
        let pmkid = try vector.octets("PMKID")
        let identifier = master.identifier(
            initiator: NMI(MACAddress(bits: 0x00BB_BBBB_BBBB)), responder: NMI(MACAddress(bits: 0x00AA_AAAA_AAAA)),
            service: [UInt8](repeating: 0xAA, count: 6), strength: .bits128)
        #expect(identifier == pmkid)
    }

    @Test("the live capture's first data path, group keys included") func live() throws {
        let vector = try vectors["live"]
        let master = DataPathMasterKey(try vector.secret("ND-PMK"))
        let keys = try DataPathKeys(
            master, initiator: NDI(MACAddress(bits: 0x5200_0000_0100)),
            responder: NDI(MACAddress(bits: 0x5200_0000_0000)), initiatorNonce: vector.octets("ndp_INonce"),
            responderNonce: vector.octets("ndp_RNonce"), strength: .bits128)
        let (tk, kek) = (try vector.secret("ndp_TK (ND-TK)"), try vector.secret("ndp_KEK"))
        #expect(keys.temporalKey == tk && keys.keyEncryptionKey == kek)
        try check(vector, frames: ["M1", "M2", "M3", "M4"], keys: keys, token: vector.octets("ndp_auth token"))
        let pmkid = try vector.octets("ndp_PMKID")
        let identifier = try master.identifier(
            initiator: NMI(MACAddress(bits: 0x4200_0000_0100)), responder: NMI(MACAddress(bits: 0x4200_0000_0000)),
            service: vectors["service_id"].octets("_cam._udp"), strength: .bits128)
        #expect(identifier == pmkid)
        for message in ["M3", "M4"] {
            let body = try vector.body(message)
            let start = try micOffset(body) + 16
            let count = Int(body[start]) << 8 | Int(body[start + 1])
            let read = try KeyData(unwrapping: Array(body[start + 2..<start + 2 + count]), with: keys.keyEncryptionKey)
            let expected = try KeyData(parsing: vector.secret("keydata_" + message))
            #expect(read == expected && read.elements.map(\.selector) == [.igtk])
        }
    }

    @Test("the live capture's second data path, after a verification") func second() throws {
        let vector = try vectors["live"]
        let keys = try DataPathKeys(
            DataPathMasterKey(vector.secret("verify_ND-PMK")), initiator: NDI(MACAddress(bits: 0x5200_0000_0100)),
            responder: NDI(MACAddress(bits: 0x5200_0000_0000)), initiatorNonce: vector.octets("ndp2_INonce"),
            responderNonce: vector.octets("ndp2_RNonce"), strength: .bits128)
        let ptk = try vector.secret("ndp2_PTK")
        #expect(keys.temporalKey == ptk.part(32..<48) && keys.keyEncryptionKey == ptk.part(16..<32))
        let token = DataPathKeys.authenticationToken(firstBody: try vector.body("ndp2_M1"), strength: .bits128)
        try check(vector, frames: ["ndp2_M1", "ndp2_M2", "ndp2_M3", "ndp2_M4"], keys: keys, token: token)
    }
}
