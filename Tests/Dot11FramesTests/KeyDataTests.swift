import Dot11Frames
import Octets
import Testing

@Suite("Key descriptors and key data") struct KeyDataTests {
    /// hostap module test: IGTK 4, BIGTK 6 and GTK 1 with their padding.
    private static let groupKeys = """
        dd1c000fac090400000000000000101112131415161718191a1b1c1d1e1f
        dd1c000fac0e0600000000000000202122232425262728292a2b2c2d2e2f
        dd16000fac010100303132333435363738393a3b3c3d3e3f
        dd000000
        """

    private static func key(_ first: UInt8) -> Sensitive<[UInt8]> { Sensitive(Array(first..<first + 16)) }
    private static let zero = Array(repeating: UInt8(0), count: 6)

    @Test("group keys of the module test, padded to a multiple of 8")
    func groupKeys() throws {
        let elements: [KeyDataElement] = [
            .igtk(.init(keyID: 4, packetNumber: Self.zero, key: Self.key(0x10))),
            .bigtk(.init(keyID: 6, packetNumber: Self.zero, key: Self.key(0x20))),
            .gtk(.init(keyID: 1, key: Self.key(0x30))),
        ]
        let octets = try bytes(Self.groupKeys)
        #expect(KeyDataElement.encodePadded(elements) == octets)
        #expect(try KeyDataElement.decodeAll(octets) == elements)
    }

    @Test("NIK and lifetime as captured")
    func nik() throws {
        let octets = try bytes("dd15506f9a2400b0b1b2b3b4b5b6b7b8b9babbbcbdbebfdd0a506f9a2508000000a8c0dd00000000")
        let elements: [KeyDataElement] = [
            .nik(.init(key: Self.key(0xB0))), .lifetime(.init(keys: .nik, seconds: 43200)),
        ]
        #expect(try KeyDataElement.decodeAll(octets) == elements)
        #expect(KeyDataElement.encodePadded(elements) == octets)
    }

    @Test("padding: none at a multiple of 8, a lone DD for one octet missing", arguments: 0..<8)
    func padding(_ extra: Int) throws {
        let element = KeyDataElement.unknown(.wifiAlliance, type: 0x77, Array(repeating: 1, count: 2 + extra))
        let padded = KeyDataElement.encodePadded([element])
        #expect(padded.count % 8 == 0)
        #expect(padded.count - (8 + extra) == (8 - extra) % 8)
        if extra == 7 { #expect(padded.last == 0xDD) }
        #expect(try KeyDataElement.decodeAll(padded) == [element])
    }

    @Test("a key shows in no description")
    func redacted() {
        let element = KeyDataElement.nik(.init(key: Self.key(0xB0)))
        #expect(!"\(element)".contains("177"))
        #expect("\(element)".contains("<redacted>"))
    }

    @Test("cut, overlong and endless key data")
    func malformed() throws {
        #expect(throws: WireError.self) { try KeyDataElement.decodeAll(bytes("dd0a506f9a2508000000a8")) }
        #expect(throws: WireError.trailing(field: "key lifetime KDE", offset: 12, count: 1)) {
            try KeyDataElement.decodeAll(bytes("dd0b506f9a2508000000a8c001"))
        }
        #expect(throws: WireError.self) { try KeyDataElement.decodeAll(bytes("dd02506f")) }
        let many = Array((0..<17).map { _ in [UInt8(1), 0] }.joined())
        #expect(throws: WireError.excessive(field: "KDEs", offset: 32, limit: 16)) {
            try KeyDataElement.decodeAll(many)
        }
        #expect(try KeyDataElement.decodeAll([]) == [])
        #expect(try KeyDataElement.decodeAll([0xDD]) == [])
    }

    @Test(
        "the MIC's length follows from the rest, and is checked when it is given", arguments: KeyDescriptor.micLengths)
    func micLength(_ length: Int) throws {
        let information: KeyInformation = length == 0 ? [.pairwise, .encryptedKeyData] : [.pairwise, .mic]
        var descriptor = KeyDescriptor(
            information: information, replayCounter: 0x0102_0304_0506_0708, micLength: length,
            keyData: Array(repeating: 9, count: 24))
        descriptor.mic = Array(repeating: 0xA5, count: length)
        var writer = ByteWriter()
        descriptor.encode(into: &writer)
        #expect(writer.bytes.count == KeyDescriptor.fixedLength + length + 2 + 24)
        var reader = ByteReader(writer.bytes)
        #expect(try KeyDescriptor(from: &reader, micLength: nil) == descriptor)
        reader = ByteReader(writer.bytes)
        #expect(try KeyDescriptor(from: &reader, micLength: length) == descriptor)
        for wrong in KeyDescriptor.micLengths where wrong != length {
            #expect(throws: WireError.self) {
                var reader = ByteReader(writer.bytes)
                _ = try KeyDescriptor(from: &reader, micLength: wrong)
            }
        }
        for prefix in 0..<writer.bytes.count {
            #expect(throws: WireError.self) {
                var reader = ByteReader(Array(writer.bytes.prefix(prefix)))
                _ = try KeyDescriptor(from: &reader, micLength: nil)
            }
        }
    }
}
