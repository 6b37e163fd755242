import BluetoothFrames
import Octets
import Testing

/// Octets by hand from BlueZ's doc/mgmt-api.txt, packet by packet; nothing here is made by the code under test.
@Suite("Bluetooth management packets")
struct ManagementTests {
    private static func octets(_ text: String) -> [UInt8] { [UInt8](hex: text) ?? [] }

    @Test(
        "commands are the documented octets, and are read back as the kernel would read them",
        arguments: [
            (ManagementCommand.readControllerList, "0300 0000 0000"),
            (.readControllerInformation, "0400 0000 0000"),
            (.setPowered(true), "0500 0000 0100 01"),
            (.setBondable(false), "0900 0000 0100 00"),
            (.setLowEnergy(true), "0d00 0000 0100 01"),
            (.setStaticAddress(BluetoothAddress(.random, bits: 0xC102_0304_0506)), "2b00 0000 0600 060504 0302c1"),
            (.setIOCapability(0), "1800 0000 0100 00"),
            (.disconnect(BluetoothAddress(.public, bits: 0x0102_0304_0506)), "1400 0000 0700 060504030201 01"),
            (.setSimplePairing(true), "0b00 0000 0100 01"),
            (.setSecureConnections(2), "2d00 0000 0100 02"),
            (.unpairDevice(BluetoothAddress(.public, bits: 0x0102_0304_0506)), "1b00 0000 0800 060504030201 01 01"),
            (.pairDevice(BluetoothAddress(.random, bits: 0x0102_0304_0506), 2), "1900 0000 0800 060504030201 02 02"),
            (
                .passkeyReply(BluetoothAddress(.public, bits: 0x0102_0304_0506), Sensitive(123_456)),
                "1e00 0000 0b00 060504030201 01 40e20100"
            ),
            (.refusePasskey(BluetoothAddress(.public, bits: 0x0102_0304_0506)), "1f00 0000 0700 060504030201 01"),
            (.refuseConfirmation(BluetoothAddress(.random, bits: 0x0102_0304_0506)), "1d00 0000 0700 060504030201 02"),
            (.startDiscovery(6), "2300 0000 0100 06"),
            (.stopDiscovery(6), "2400 0000 0100 06"),
            (.readAdvertisingFeatures, "3d00 0000 0000"),
            (
                .addAdvertising(
                    AdvertisingInstance(
                        number: 1, flags: .connectable, data: [2, 1, 6], scanResponse: [3, 9, 0x41, 0x42])),
                "3e00 0000 1200 01 01000000 0000 0000 03 04 020106 03094142"
            ),
            (.removeAdvertising(1), "3f00 0000 0100 01"),
            (.setDefaultAdvertisingInterval(0x20), "4c00 0000 0a00 0a00 02 2000 0b00 02 2000"),
            (
                .addAdvertisingParameters(1, [.connectable, .usesInterval, .hasScanResponse], interval: 0xF4),
                "5400 0000 1200 01 01400100 0000 0000 f4000000 f4000000 7f"
            ),
            (
                .addAdvertisingData(2, data: [2, 1, 6], scanResponse: []),
                "5500 0000 0600 02 03 00 020106"
            ),
        ])
    func commands(_ command: ManagementCommand, _ text: String) throws {
        let packet = command.packet(index: 0)
        #expect(packet == Self.octets(text))
        let read = try ManagementCommand(ManagementPacket(octets: packet))
        #expect(read == command)
    }

    @Test("the packet that sets privacy counts a key that it does not carry")
    func privacy() throws {
        let packet = ManagementCommand.setPrivacy(true).packet(index: 1)
        #expect(packet == Self.octets("2f00 0100 1100 01"))
        #expect(throws: WireError.self) { try ManagementPacket(octets: packet) }
        let read = try ManagementCommand(ManagementPacket(octets: packet, keyLength: 16))
        #expect(read == .setPrivacy(true))
    }

    @Test("packets that load keys count keys that they do not carry, and whose they are")
    func loading() throws {
        let longTermKeys = ManagementCommand.loadLongTermKeys(2).packet(index: 0)
        #expect(longTermKeys == Self.octets("1300 0000 4a00 0200"))
        let identityKeys = ManagementCommand.loadIdentityKeys(3).packet(index: 0)
        #expect(identityKeys == Self.octets("3000 0000 4700 0300"))
        #expect(ManagementCommand.loadLongTermKeys(0).packet(index: 0) == Self.octets("1300 0000 0200 0000"))
        let read = try ManagementCommand(ManagementPacket(octets: longTermKeys, keyLength: 72))
        #expect(read == .loadLongTermKeys(2))
    }

    @Test("an entry of Load Long Term Keys is the documented octets, up to the key")
    func entry() throws {
        let key = LongTermKey(
            address: BluetoothAddress(.public, bits: 0x0102_0304_0506), kind: .authenticatedSecureConnections)
        let text = "060504030201 01 03 00 10 0000 0000000000000000"
        #expect(key.encoded == Self.octets(text))
        #expect(key.encoded.count + LongTermKey.keyLength == LongTermKey.entryLength)
        let read = try LongTermKey(octets: Self.octets("060504030201 02 01 01 07 3412 8877665544332211"), "key")
        #expect(read.isCentral && read.size == 7 && read.kind == LongTermKey.Kind(1))
        #expect(read.diversifier == 0x1234 && read.random == 0x1122_3344_5566_7788)
    }

    @Test(
        "events with a secret are read from the documented octets before it",
        arguments: [
            (
                "1700 0000 0c00 060504030201 01", 5,
                ManagementEvent.passkey(BluetoothAddress(.public, bits: 0x0102_0304_0506))
            ),
            (
                "0a00 0000 2500 01 060504030201 02 03 00 10 0000 0000000000000000", 16,
                .newLongTermKey(
                    LongTermKey(
                        address: BluetoothAddress(.random, bits: 0x0102_0304_0506),
                        kind: .authenticatedSecureConnections), isKept: true)
            ),
            (
                "1800 0000 1e00 01 665544332241 060504030201 01", 16,
                .newIdentityKey(
                    BluetoothAddress(.public, bits: 0x0102_0304_0506),
                    random: BluetoothAddress(.random, bits: 0x4122_3344_5566))
            ),
        ])
    func secrets(_ text: String, _ keyLength: Int, _ event: ManagementEvent) throws {
        let octets = Self.octets(text)
        #expect(ManagementEvent.keyLength(ofCode: UInt16(octets[0])) == keyLength)
        let read = try ManagementEvent(ManagementPacket(octets: octets, keyLength: keyLength))
        #expect(read == event)
        #expect(event.packet(index: 0) == octets)
    }

    @Test(
        "events are read from the documented octets",
        arguments: [
            ("0100 0000 0700 0500 00 01020000", ManagementEvent.commandComplete(0x0005, .success, [1, 2, 0, 0])),
            ("0200 ffff 0300 3300 01", .commandStatus(0x0033, .unknownCommand)),
            ("0300 0000 0100 05", .controllerError(5)),
            ("0400 0000 0000", .indexAdded),
            ("0500 0000 0000", .indexRemoved),
            ("0600 0000 0400 01020000", .newSettings([.powered, .lowEnergy])),
            (
                "0b00 0000 0d00 060504030201 02 00000000 0000",
                .connected(BluetoothAddress(.random, bits: 0x0102_0304_0506))
            ),
            (
                "0c00 0000 0800 060504030201 01 03",
                .disconnected(BluetoothAddress(.public, bits: 0x0102_0304_0506), reason: 3)
            ),
            ("1300 0000 0200 06 01", .discovering(true)),
            (
                "0f00 0000 0c00 060504030201 01 01 00000000",
                .confirmationWanted(BluetoothAddress(.public, bits: 0x0102_0304_0506))
            ),
            ("1000 0000 0700 060504030201 02", .passkeyWanted(BluetoothAddress(.random, bits: 0x0102_0304_0506))),
            (
                "1100 0000 0800 060504030201 01 05",
                .authenticationFailed(BluetoothAddress(.public, bits: 0x0102_0304_0506), .authenticationFailed)
            ),
            ("1600 0000 0700 060504030201 01", .unpaired(BluetoothAddress(.public, bits: 0x0102_0304_0506))),
            ("2300 0000 0100 01", .advertisingAdded(1)),
            ("2400 0000 0100 01", .advertisingRemoved(1)),
            ("2500 0000 0300 ffffff", .other(0x25)),
        ])
    func events(_ text: String, _ event: ManagementEvent) throws {
        let read = try ManagementEvent(ManagementPacket(octets: Self.octets(text)))
        #expect(read == event)
    }

    // The advertisement is an iBeacon as Apple's "Proximity Beacon Specification" has it.
    @Test("a device found has its address, signal and data")
    func found() throws {
        let beacon = "0201061aff4c000215e2c56db5dffb48d2b060d0f5a71096e000000000c5"
        let packet = try ManagementPacket(
            octets: Self.octets("1200 0000 2c00 010203040506 02 c5 00000000 1e00" + beacon))
        let event = try ManagementEvent(packet)
        guard case .found(let device) = event else {
            Issue.record("not found: \(event)")
            return
        }
        #expect(device.address == BluetoothAddress(.random, bits: 0x0605_0403_0201))
        #expect(device.signal == -59)
        let data = AdvertisingData(octets: device.data)
        #expect(data.flags == 0x06)
        #expect(data.manufacturer?.company == 0x004C)
        #expect(data.manufacturer?.data.count == 23)
        #expect(data.octets == Self.octets(beacon))
    }

    @Test("a controller's information is read up to its names")
    func information() throws {
        let names = String(repeating: "00", count: 3 + 249 + 11)
        let read = try ControllerInformation(
            octets: Self.octets("0df0ad8b0a00 09 0f00 ffbe0100 800a0000" + names), "information")
        #expect(read.address.description == "00:0a:8b:ad:f0:0d")
        #expect(read.version == 9 && read.manufacturer == 15)
        #expect(read.supported.isSuperset(of: [.powered, .lowEnergy, .privacy, .staticAddress, .bondable]))
        #expect(read.current == [.classic, .lowEnergy, .secureConnections])
        #expect(throws: WireError.self) {
            try ControllerInformation(octets: Self.octets("0df0ad8b0a00 09 0f00 ffbe0100 800a0000"), "information")
        }
    }

    @Test("a controller list and advertising features are read, and a list that never ends is refused")
    func lists() throws {
        let list = try ControllerList(octets: Self.octets("0200 0000 0100"), "list")
        #expect(list.indices == [0, 1])
        #expect(throws: WireError.excessive(field: "controller count", offset: 0, limit: 64)) {
            try ControllerList(octets: Self.octets("ffff"), "list")
        }
        let features = try AdvertisingFeatures(octets: Self.octets("ff030000 1f 1f 05 01 03"), "features")
        #expect(features.longestData == 31 && features.instanceLimit == 5 && features.instances == [3])
        #expect(features.flags.contains(.secondary1M) && !features.flags.contains(.usesInterval))
    }

    @Test(
        "a packet whose length is not what came is refused",
        arguments: ["", "0400", "0400 0000 0100", "0400 0000 0000 00"])
    func lengths(_ text: String) {
        #expect(throws: WireError.self) { try ManagementPacket(octets: Self.octets(text)) }
    }

    @Test("an event cut off anywhere before its end is refused or shorter, and never traps")
    func truncated() throws {
        let text = "060504030201 02 c5 00000000 0300 020106"
        let whole = Self.octets(text)
        for length in 0..<whole.count {
            let packet = ManagementPacket(code: 0x12, index: 0, parameters: Array(whole.prefix(length)))
            #expect(throws: WireError.self) { try ManagementEvent(packet) }
        }
    }

    @Test("any octets are read or refused, as event and as command")
    func anything() {
        var entropy = Entropy.seeded(4)
        for _ in 0..<20_000 {
            let code = UInt16.random(in: 0...0x60, using: &entropy)
            let parameters = entropy.octets(Int.random(in: 0...40, using: &entropy))
            let packet = ManagementPacket(code: code, index: 0, parameters: parameters)
            if let event = try? ManagementEvent(packet), case .found(let device) = event {
                _ = AdvertisingData(octets: device.data)
            }
            if let command = try? ManagementCommand(packet) { _ = command.packet(index: 0) }
        }
    }
}
