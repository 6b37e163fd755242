import BluetoothFrames
import Identity
import Provisioning
import Testing

@Suite("The identity's bluetooth and nan blocks") struct BluetoothIdentityTests {
    private func parse(_ block: String) throws(ProvisioningError) -> AccessoryIdentity {
        let text = """
            {
              "schema-version": 1, "vendor-name": "V", "model-name": "M", "pairing-name": "P", "serial-number": "S",
              "services": [{"name": "_a._udp", "port": 1, "handler": {"control": {"local-udp": "127.0.0.1:9"}}}],
              \(block)
            }
            """
        return try IdentityFile.parse(Array(text.utf8), file: "i.json")
    }

    private func refusal(_ block: String) -> ProvisioningError? {
        do throws(ProvisioningError) {
            _ = try parse(block)
            return nil
        } catch { return error }
    }

    @Test("a product is what the file says") func product() throws {
        let bluetooth = try parse(
            """
            "bluetooth": {
              "service-uuid": "FD5A", "company-identifier": "004C", "product-data": "0a0B", "name": "Falcon",
              "firmware-revision": "2.1", "interval-milliseconds": "1022.5", "privacy": "resolvable"
            }
            """
        ).bluetooth
        #expect(bluetooth.service == BluetoothUUID(0xFD5A))
        #expect(bluetooth.manufacturer == AdvertisingData.Manufacturer(company: 0x004C, data: [0x0A, 0x0B]))
        #expect(bluetooth.name == "Falcon" && bluetooth.firmwareRevision == "2.1")
        #expect(bluetooth.interval.units == 1636)
        #expect(bluetooth.privacy == .resolvable)
    }

    @Test("each recommended interval is so many times 0.625 ms", arguments: BluetoothDeclaration.Interval.allCases)
    func intervals(_ interval: BluetoothDeclaration.Interval) throws {
        let milliseconds = try #require(Double(interval.rawValue))
        #expect(abs(Double(interval.units) * 0.625 - milliseconds) < 0.625)
    }

    @Test("what fits to the octet is taken, one more is refused with the budget part by part") func budget() throws {
        let uuid = "A3C87500-8ED3-4BDF-8A39-A01BEBEDE295"
        // 3 + 18 + 4 + 5 + 1 = 31
        _ = try parse(
            "\"bluetooth\": {\"service-uuid\": \"\(uuid)\", \"company-identifier\": \"FFFF\", \"product-data\": \"0102030405\"}"
        )
        let long = try #require(
            refusal(
                "\"bluetooth\": {\"service-uuid\": \"\(uuid)\", \"company-identifier\": \"FFFF\", \"product-data\": \"010203040506\"}"
            ))
        #expect(long.field == "bluetooth.product-data" && long.line == 4)
        #expect(long.found == "the advertisement takes 32 octets (flags 3, service UUID 18, manufacturer data 11)")
        #expect(
            long.accepted
                == "31 octets in all: shorten product-data by 1 to 5, or use a service-uuid of 16 bits, which takes 14 less"
        )
        // 3 + 4 + 4 + 19 + 1 = 31
        let data = String(repeating: "00", count: 19)
        _ = try parse(
            "\"bluetooth\": {\"service-uuid\": \"FD5A\", \"company-identifier\": \"FFFF\", \"product-data\": \"\(data)\"}"
        )
        let short = try #require(
            refusal(
                "\"bluetooth\": {\"service-uuid\": \"FD5A\", \"company-identifier\": \"FFFF\", \"product-data\": \"\(data)00\"}"
            ))
        #expect(short.found == "the advertisement takes 32 octets (flags 3, service UUID 4, manufacturer data 25)")
        #expect(short.accepted == "31 octets in all: shorten product-data by 1 to 19")
    }

    @Test(
        "what is no such value is refused by name",
        arguments: [
            ("\"service-uuid\": \"XD5A\"", "bluetooth.service-uuid"),
            ("\"service-uuid\": \"FD5A0\"", "bluetooth.service-uuid"),
            ("\"company-identifier\": \"76\"", "bluetooth.company-identifier"),
            ("\"company-identifier\": \"+04C\"", "bluetooth.company-identifier"),
            ("\"product-data\": \"00\"", "bluetooth.product-data"),
            ("\"company-identifier\": \"FFFF\", \"product-data\": \"0\"", "bluetooth.product-data"),
            ("\"company-identifier\": \"FFFF\", \"product-data\": \"0 0\"", "bluetooth.product-data"),
            ("\"name\": \"\"", "bluetooth.name"),
            ("\"name\": \"A name that is longer than 29.\"", "bluetooth.name"),
            ("\"interval-milliseconds\": \"100\"", "bluetooth.interval-milliseconds"),
            ("\"interval-milliseconds\": 760", "bluetooth.interval-milliseconds"),
            ("\"privacy\": \"none\"", "bluetooth.privacy"), ("\"passkey\": \"x\"", "bluetooth.passkey"),
        ])
    func refused(_ member: String, _ field: String) throws {
        let error = try #require(refusal("\"bluetooth\": {\(member)}"))
        #expect(error.field == field)
    }

    @Test("sleep is never, or until a phone asks over Bluetooth") func sleepPolicy() throws {
        let policy = try parse("\"nan\": {\"sleep\": \"until-ble\", \"sleep-after-seconds\": 10}").sleep
        #expect(policy.sleep == .untilBLE && policy.after == .seconds(10))
        #expect(refusal("\"nan\": {\"sleep\": \"always\"}")?.field == "nan.sleep")
        #expect(refusal("\"nan\": {\"sleep-after-seconds\": 9}")?.field == "nan.sleep-after-seconds")
    }
}
