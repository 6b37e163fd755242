import Dot11Frames
import NANFrames
import Octets
import Testing

@Suite("Refused frames") struct WireErrorTests {
    private static let sdf = "04 09 506f9a 13 "
    private static let naf = "04 09 506f9a 18 05 "

    @Test(
        "the error names case and field, and stands where the octet stands",
        arguments: [
            ("", "truncated/action category", 0), ("05 09 506f9a 13", "invalid/action category", 0),
            ("04 08 506f9a 13", "invalid/public action", 1), ("04 09 506f9b 13", "invalid/NAN OUI", 2),
            ("04 09 506f9a 19", "invalid/NAN OUI type", 5), ("04 09 506f9a 18", "truncated/NAF subtype", 6),
            (sdf + "2c0500", "trailing/attribute list", 6), (sdf + "2c050001", "truncated/attribute body", 9),
            (sdf + "2a0200 0003 2a0000", "trailing/attribute list", 11),
            (sdf + "03 0900 d6c884665613 00 00 01", "invalid/SDA instance ID", 15),
            (sdf + "03 0900 d6c884665613 01 00 03", "invalid/SDA service control type", 17),
            (sdf + "2c 0500 01 03 00 2000", "invalid/NPBA type and status", 10),
            (sdf + "2c 0500 01 11 00 2000", "invalid/NPBA type and status", 10),
            (sdf + "2b 0a00 00 0102030405060708 01", "truncated/NIRA tag", 18),
            (sdf + "2b 1200 00 0102030405060708 0102030405060708 01", "trailing/NIRA", 26),
            (naf + "10 0b00 01 05 00 520000000100 01 00", "invalid/NDP type", 11),
            (naf + "10 0b00 01 30 00 520000000100 01 00", "invalid/NDP status", 11),
            (naf + "14 0400 01 03 00 00", "invalid/NDL type", 11),
            (naf + "14 0400 01 30 00 00", "invalid/NDL status", 11),
            (naf + "12 0700 01 3100 0200 0100", "truncated/availability list control", 17),
            (naf + "12 0900 01 3100 0400 0110 00 00", "truncated/time bitmap length", 19),
            (naf + "12 0900 01 3100 0400 0100 00 ff", "trailing/availability entry", 18),
            (naf + "24 0200 01 02", "truncated/key information", 12),
        ])
    func names(_ hex: String, _ key: String, _ offset: Int) throws {
        let octets = try bytes(hex)
        do {
            _ = try NANFrame.decode(octets)
            Issue.record("decoded")
        } catch {
            #expect(error.key == key)
            #expect(self.offset(error.reason) == offset)
        }
    }

    @Test("an attribute that does not decode is reported with its ID and start, and the others stay")
    func tolerant() throws {
        let octets = try bytes(Self.sdf + "2a0200 0003  2c0500 0103002000  2a0100 00  f70000  150300 0c0300")
        let (frame, errors) = try NANFrame.decodeTolerantly(octets)
        #expect(frame.attributes.attributes.map(\.id.rawValue) == [0x2A, 0xF7, 0x15])
        #expect(
            errors == [
                .attribute(
                    id: 0x2C, offset: 11, .invalid(field: "NPBA type and status", offset: 15, value: 3)),
                .attribute(
                    id: 0x2A, offset: 19,
                    .truncated(field: "DCEA pairing capabilities", offset: 23, needed: 1, available: 0)),
            ])
        #expect(errors.map(\.attributeID) == [0x2C, 0x2A])
        #expect(throws: WireError.self) { try NANFrame.decode(octets) }
    }

    @Test("every list has a limit")
    func limits() throws {
        func list(_ id: UInt8, _ body: [UInt8]) -> [UInt8] {
            [id, UInt8(body.count & 0xFF), UInt8(body.count >> 8)] + body
        }
        func repeated(_ octets: [UInt8], _ count: Int) -> [UInt8] { Array((0..<count).map { _ in octets }.joined()) }
        let ndpe = try bytes("01 00 00 520000000100 01 00")
        let cases: [([UInt8], String)] = [
            (list(0x12, [1, 0, 0] + repeated([3, 0, 2, 0, 0], 65)), "excessive/availability entries"),
            (list(0x22, [0] + repeated([1, 1], 65)), "excessive/CSIA entries"),
            (list(0x23, repeated([0, 0, 1, 1], 65)), "excessive/SCIA entries"),
            (list(0x13, repeated([0], 7) + repeated([1, 0x18, 0, 0], 17)), "excessive/schedule entries"),
            (list(0x29, ndpe + repeated([9, 0, 0], 33)), "excessive/NDPE TLVs"),
            (list(0x1D, [0] + repeated([1, 0], 65)), "excessive/elements"),
            (repeated([0xF7, 1, 0, 0], 129), "excessive/attributes"),
        ]
        for (octets, key) in cases {
            do {
                _ = try AttributeList.decode(octets)
                Issue.record("decoded \(key)")
            } catch {
                #expect(error.key == key)
            }
        }
        do {
            _ = try NANFrame.decode(Array(repeating: 0, count: 2305))
            Issue.record("decoded")
        } catch {
            #expect(error.key == "excessive/NAN frame")
        }
        do {
            _ = try GenericServiceInfo(octets: repeated([9, 0, 0], 33), "GSP")
            Issue.record("decoded")
        } catch {
            #expect(error.key == "excessive/GSP TLVs")
        }
    }

    private func offset(_ error: WireError) -> Int {
        switch error {
        case .truncated(_, let offset, _, _), .invalid(_, let offset, _), .trailing(_, let offset, _),
            .excessive(_, let offset, _), .attribute(_, let offset, _):
            offset
        }
    }
}
