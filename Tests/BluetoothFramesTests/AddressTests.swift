import BluetoothFrames
import Octets
import Testing

@Suite("Bluetooth addresses and UUIDs")
struct AddressTests {
    @Test("an address goes least significant octet first and is printed most significant first")
    func address() throws {
        let octets: [UInt8] = [0x06, 0x05, 0x04, 0x03, 0x02, 0xC1, 0x02]
        let address = try BluetoothAddress(octets: octets, "address")
        #expect(address.description == "c1:02:03:04:05:06")
        #expect(address.kind == .random && address.isStatic && !address.isResolvable)
        #expect(address.encoded == octets)
    }

    @Test("the two highest bits tell a random address's sort, and say nothing of a public one")
    func sorts() {
        #expect(BluetoothAddress(.random, bits: 0x7F_0000_0000_01).isResolvable)
        #expect(!BluetoothAddress(.public, bits: 0x7F_0000_0000_01).isResolvable)
        #expect(!BluetoothAddress(.random, bits: 0x3F_0000_0000_01).isResolvable)
        #expect(!BluetoothAddress(.public, bits: 0xC0_0000_0000_01).isStatic)
    }

    @Test("an address type that the kernel does not have is refused")
    func unknownType() {
        #expect(throws: WireError.invalid(field: "address type", offset: 6, value: 3)) {
            try BluetoothAddress(octets: [0, 0, 0, 0, 0, 0, 3], "address")
        }
    }

    // Core 5.4, Vol 3, Part B, 2.5.1: the base UUID, and how a 16-bit one is made long.
    @Test("a 16-bit UUID equals its long form on the Bluetooth base")
    func base() throws {
        let long = try #require(BluetoothUUID(text: "0000180a-0000-1000-8000-00805f9b34fb"))
        #expect(long == BluetoothUUID(0x180A))
        #expect(long.short == 0x180A)
        #expect(long.octets == [0x0A, 0x18])
        #expect(long.description == "180A")
    }

    @Test("a 128-bit UUID goes least significant octet first and is printed in capitals")
    func long() throws {
        let uuid = try #require(BluetoothUUID(text: "00112233-4455-6677-8899-aabbccddeeff"))
        #expect(uuid.octets == (0...15).map { UInt8(0xFF - 0x11 * $0) })
        #expect(uuid.description == "00112233-4455-6677-8899-AABBCCDDEEFF")
        #expect(uuid.short == nil)
    }

    @Test(
        "what is no UUID is none",
        arguments: ["", "18", "180", "180AA", "-180", "+80A", "00112233-4455-6677-8899", "0011223344556677", "180G"])
    func noUUID(_ text: String) {
        #expect(BluetoothUUID(text: text) == nil)
    }
}
