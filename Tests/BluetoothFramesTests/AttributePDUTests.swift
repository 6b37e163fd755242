import BluetoothFrames
import Octets
import Testing

/// PDUs of the exchanges that BlueZ's unit/test-gatt.c plays after the Bluetooth SIG's GATT test suite, and by hand from
/// Core 5.4, Vol 3, Part F, 3.4 where those have none.
@Suite("ATT PDUs")
struct AttributePDUTests {
    private static func octets(_ text: String) -> [UInt8] { [UInt8](hex: text) ?? [] }

    @Test(
        "PDUs are the published octets both ways",
        arguments: [
            ("020002", AttributePDU.exchangeMTURequest(512)),
            ("030002", .exchangeMTUResponse(512)),
            ("10 0100 ffff 0028", .readByGroupTypeRequest(.all, BluetoothUUID(0x2800))),
            (
                "11 06 0100 0400 0118",
                .readByGroupTypeResponse([.init(range: HandleRange(1, 4), value: [0x01, 0x18])])
            ),
            ("01 10 0900 0a", .errorResponse(request: 0x10, handle: 9, .attributeNotFound)),
            ("08 0100 0400 0328", .readByTypeRequest(HandleRange(1, 4), BluetoothUUID(0x2803))),
            (
                "09 07 0200 02 0300 002a",
                .readByTypeResponse([.init(handle: 2, value: [0x02, 0x03, 0x00, 0x00, 0x2A])])
            ),
            ("04 0400 0400", .findInformationRequest(HandleRange(4, 4))),
            (
                "05 01 0400 0129",
                .findInformationResponse([.init(handle: 4, type: BluetoothUUID(0x2901))])
            ),
            ("06 0100 ffff 0028 0118", .findByTypeValueRequest(.all, type: 0x2800, value: [0x01, 0x18])),
            ("07 0100 0700", .findByTypeValueResponse([HandleRange(1, 7)])),
            ("0a 0300", .readRequest(3)),
            ("0b 010203", .readResponse([1, 2, 3])),
            ("0c 0300 1600", .readBlobRequest(3, offset: 22)),
            ("0d 0405", .readBlobResponse([4, 5])),
            ("0e 0300 0600", .readMultipleRequest([3, 6])),
            ("12 0700 010203", .writeRequest(7, [1, 2, 3])),
            ("13", .writeResponse),
            ("52 0700 01", .writeCommand(7, [1])),
            ("16 0700 0300 0405", .prepareWriteRequest(7, offset: 3, [4, 5])),
            ("17 0700 0300 0405", .prepareWriteResponse(7, offset: 3, [4, 5])),
            ("18 01", .executeWriteRequest(isCommitted: true)),
            ("19", .executeWriteResponse),
            ("1b 0300 010203", .notification(3, [1, 2, 3])),
            ("1d 0300 010203", .indication(3, [1, 2, 3])),
            ("1e", .confirmation),
        ])
    func published(_ text: String, _ pdu: AttributePDU) throws {
        let read = try AttributePDU(octets: Self.octets(text))
        #expect(read == pdu)
        #expect(pdu.octets == Self.octets(text))
    }

    @Test(
        "what does not keep the form is refused",
        arguments: [
            "", "02", "0217", "02000200", "04", "04 0100 ff", "05 03 0100 0028", "05 01 0100", "05 01",
            "08 0100 ffff", "08 0100 ffff 002800", "09 01 00", "09 07 0200", "0a", "0a 010203", "0c 0100 01", "0e 0100",
            "0e 0100 02", "10 0100 ffff 00", "11 03 0100", "12", "12 01", "16 0100 01", "18", "18 02", "18 0000",
            "1b 01",
            "07", "07 0100", "1e00", "1300",
        ])
    func malformed(_ text: String) {
        #expect(throws: WireError.self) { try AttributePDU(octets: Self.octets(text)) }
    }

    @Test("a PDU that is not known is kept by its opcode, which says whether an answer is due")
    func unknown() throws {
        for opcode: UInt8 in [0x20, 0x22, 0xD2, 0xFF, 0x00] {
            let read = try AttributePDU(octets: [opcode, 1, 2, 3])
            #expect(read == .other(opcode))
        }
        #expect(AttributePDU.isRequest(0x20))
        #expect(!AttributePDU.isRequest(0xD2) && !AttributePDU.isRequest(0x52))
        #expect(!AttributePDU.isRequest(0x1E) && !AttributePDU.isRequest(0x1B))
    }

    @Test("any octets are read or refused, and what is read is written the same")
    func anything() {
        var entropy = Entropy.seeded(8)
        for _ in 0..<50_000 {
            let octets = entropy.octets(Int.random(in: 0...32, using: &entropy)).enumerated().map {
                $0.offset == 0 ? $0.element & 0x5F : $0.element
            }
            guard let pdu = try? AttributePDU(octets: octets) else { continue }
            if case .other = pdu { continue }
            #expect(pdu.octets == octets)
        }
    }
}
