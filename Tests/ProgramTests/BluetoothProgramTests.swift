import Glibc
import LinuxRuntime
import Testing
import Varlink

@Suite("awared and aware-factory over simulated Bluetooth", .serialized) struct BluetoothProgramTests {
    /// The accessory service's, which is advertised where the identity names neither service nor company.
    private static let service = "6D2B0000-51C7-4E2A-9E7B-3F1C0A9D5B11"

    @Test("a phone hears the board, reads its serial number, and status shows that it advertises") func heard() throws {
        let accessory = try Accessory()
        let program = try accessory.run(["--bluetooth", "simulated"])
        try program.waitForLog("bluetooth: advertising")
        let phone = try Program(
            "aware-factory",
            [
                "phone", "--list", "--json", "--service", "_test-board._udp", "--wait", "3", "--bluetooth", "simulated",
                "--service-uuid", Self.service, "--air", accessory.folder.file("air"), "--state",
                accessory.folder.file("phone"),
            ])
        let exit = try phone.end()
        #expect(exit == .exited(0), "\(phone.output)\(phone.log)")
        let lines = phone.output.split(separator: "\n")
        #expect(lines.contains { $0.contains("\"event\":\"discovered\"") })
        #expect(
            lines.contains {
                $0.contains("\"event\":\"heard_over_bluetooth\"") && $0.contains("\"name\":\"Test Board\"")
            })
        #expect(lines.contains { $0.contains("\"event\":\"inspected\"") && $0.contains("\"serial_number\":\"T-1\"") })
        let status = try accessory.status()
        #expect(status.bluetooth?.isAdvertising == true)
        #expect(status.bluetooth?.trouble == nil)
        #expect(status.nanIsAsleep == false)
        program.process.send(signal: SIGTERM)
        let end = try program.end()
        #expect(end == .exited(0))
        #expect(accessory.folder.contents("air").isEmpty, "sockets are left behind")
    }

    @Test("a serial number that nobody has is not found, and nobody else is paired") func otherSerial() throws {
        let accessory = try Accessory()
        let program = try accessory.run(["--bluetooth", "simulated"])
        let phone = try accessory.phone(
            "phone", ["--wait", "3", "--bluetooth", "simulated", "--service-uuid", Self.service, "--serial", "T-2"])
        let exit = try phone.end()
        #expect(exit == .exited(75), "\(phone.output)\(phone.log)")
        #expect(phone.output.contains("no accessory with serial number T-2 was found over Bluetooth LE"))
        program.process.send(signal: SIGTERM)
        _ = try program.end()
    }

    @Test("without Bluetooth there is none in status, and an identity that would sleep for ever is refused")
    func without() throws {
        let accessory = try Accessory()
        let program = try accessory.run()
        let status = try accessory.status()
        #expect(status.bluetooth == nil)
        program.process.send(signal: SIGTERM)
        _ = try program.end()
        let text = Accessory.identity(window: "always", pairingName: "B")
        let sleeping =
            text.prefix { $0 != "{" } + "{ \"nan\": {\"sleep\": \"until-ble\"}," + text.drop { $0 != "{" }.dropFirst()
        try accessory.folder.write(String(sleeping), to: "identity.json")
        let refused = try accessory.start()
        let exit = try refused.end()
        #expect(exit == .exited(78))
        #expect(refused.log.contains("nan.sleep: until-ble: accepted is never"))
    }
}
