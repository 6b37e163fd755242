import BluetoothFrames
import Octets
import Testing

@Suite("Advertising data")
struct AdvertisingDataTests {
    // By hand from the Core Specification Supplement, Part A, 1.1 to 1.4: types 01, 03, 07, 08, 09, FF.
    @Test("each part is length, type and value, in order")
    func parts() throws {
        let data = AdvertisingData(
            flags: 6, services: [BluetoothUUID(0xFD5A)],
            manufacturer: .init(company: 0xFFFF, data: [0x01, 0x02, 0x80]), name: "Drone")
        #expect(data.octets == [UInt8](hex: "020106 03035afd 06ffffff010280 060944726f6e65"))
        #expect(data.budget.map(\.octets) == [3, 4, 7, 7])
        #expect(data.length == data.octets.count)
        #expect(AdvertisingData(octets: data.octets) == data)
    }

    @Test("a 128-bit service takes 18 octets")
    func longService() throws {
        let uuid = try #require(BluetoothUUID(text: "A3C87500-8ED3-4BDF-8A39-A01BEBEDE295"))
        let data = AdvertisingData(services: [uuid])
        #expect(data.octets == [UInt8](hex: "1107 95e2edeb1ba0398adf4bd38e0075c8a3"))
        #expect(data.budget.map(\.description) == ["service UUID 18"])
    }

    @Test("a complete name is preferred to a shortened one, whichever comes first")
    func names() throws {
        let short = try #require([UInt8](hex: "0308 4142"))
        let long = try #require([UInt8](hex: "0509 41424344"))
        #expect(AdvertisingData(octets: short + long).name == "ABCD")
        #expect(AdvertisingData(octets: long + short).name == "ABCD")
        #expect(AdvertisingData(octets: short).nameIsComplete == false)
    }

    @Test("a part that runs past the end takes nothing from those before it")
    func cut() throws {
        let octets = try #require([UInt8](hex: "020106 09ff"))
        #expect(AdvertisingData(octets: octets) == AdvertisingData(flags: 6))
        let padded = try #require([UInt8](hex: "020106 00 0303aabb"))
        #expect(AdvertisingData(octets: padded) == AdvertisingData(flags: 6))
    }

    @Test("services are kept up to a bound")
    func bounded() {
        let octets = [UInt8](repeating: 0, count: 0) + [201, 0x03] + [UInt8](repeating: 7, count: 200)
        #expect(AdvertisingData(octets: octets).services.count == 16)
    }
}
