import AccessoryCore
import BluetoothEngine
import BluetoothFrames
import Cryptography
import Identity
import NANEngine
import NANSecurity
import Octets
import PhoneCore
import Ports
import SimulatedMedium
import Testing

/// An accessory that wants bonds, a central that types what it reads or something else, and phones on NAN beside it.
@Suite("Bonding over Bluetooth, on the display that pairing has")
struct BondingScenarios {
    private let neighbourhood = Neighbourhood(seed: 7)

    /// Read Request of the accessory state, and its two answers.
    private static let (read, value, refusal) = ("0a1700", "0b01", "010a170005")

    private func accessory(
        window: PairingPolicy.Window = .always, lockOutCount: Int = 10, stored: StoredState? = nil
    ) throws -> Station<Accessory> {
        let drone = try AccessoryIdentity.drone(window: window, lockOutCount: lockOutCount)
        let identity = try AccessoryIdentity(
            vendorName: drone.vendorName, modelName: drone.modelName, pairingName: drone.pairingName,
            serialNumber: drone.serialNumber, services: drone.services, pairing: drone.pairing,
            bluetooth: BluetoothDeclaration(service: "FD5A", bonding: .passkey))
        var configuration = Accessory.Configuration(
            identity: identity, device: NANDevice.Configuration(schedule: LocalSchedule(.realtime)))
        configuration.bluetooth = BluetoothSetup(firmware: "1.0")
        var controller = VirtualController.Configuration()
        controller.address = BluetoothAddress(.public, bits: 0xA1)
        let station = neighbourhood.addAccessory(configuration, stored: stored, controller: controller)
        station.command(.start)
        return station
    }

    private func address(_ station: Station<Accessory>) throws -> BluetoothAddress {
        for case .bluetooth(.controller(.ready(let controller))) in station.reports.reversed() {
            if let address = controller.address { return address }
        }
        return try #require(nil as BluetoothAddress?)
    }

    /// A central with a link, once the accessory is on the air.
    private func central(at station: Station<Accessory>) throws -> Central {
        neighbourhood.run(for: .seconds(5))
        let central = neighbourhood.addCentral()
        central.powerOn()
        try connect(central, station)
        return central
    }

    private func connect(_ central: Central, _ station: Station<Accessory>) throws {
        central.connect(try address(station))
        #expect(neighbourhood.run(for: .seconds(5)) { central.link != nil })
        neighbourhood.run(for: .milliseconds(50))
    }

    private func answer(_ central: Central, _ text: String) -> String? {
        let count = central.answers.count
        central.ask(text)
        neighbourhood.run(for: .seconds(1)) { central.answers.count > count }
        return central.answers.count > count ? central.answers.last?.hex : nil
    }

    private static func number(_ pin: PIN) throws -> UInt32 {
        try #require(UInt32(String(decoding: pin.withDigits { Array($0) }, as: UTF8.self)))
    }

    private func pair(_ central: Central, _ station: Station<Accessory>, wrong: Bool = false) throws {
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        #expect(neighbourhood.run(for: .seconds(2)) { central.wantsPasskey && station.pin != nil })
        let pin = try #require(station.pin)
        let typed = wrong ? try #require(pin.wrong) : pin
        central.send(.passkeyReply(try address(station), Sensitive(try Self.number(typed))))
        neighbourhood.run(for: .seconds(1)) { wrong && central.hasFailed }
    }

    @Test("a central that types the passkey from the display is bonded, durably, and reads what was refused before")
    func bonds() throws {
        let station = try accessory()
        let central = try central(at: station)
        #expect(answer(central, Self.read) == Self.refusal)
        try pair(central, station)
        #expect(central.security == .secureConnections && answer(central, Self.read) == Self.value)
        #expect(station.shown.contains(.paired) && station.pin == nil)
        let saved = station.stored.compactMap { if case .saveBond(let record, _) = $0 { record } else { nil } }
        #expect(saved.count == 1 && station.root.snapshot(now: neighbourhood.now).peers.map(\.id) == saved.map(\.id))
        // The guess was on disk before the passkey was shown, and is taken back.
        let attempts = station.stored.compactMap { if case .setAttempts(let record, _) = $0 { record } else { nil } }
        #expect(attempts.map(\.failures) == [1, 0])
        // Nothing that was traced has the passkey or a key in it.
        let key = try #require(saved.first).keys.longTermKey.withOctets { Array($0) }.hex
        #expect(!station.log.contains { $0.contains(key) })
    }

    @Test("after a restart its key opens the state without a passkey, and forgetting closes it again")
    func restartAndForget() throws {
        var stored = StoredState.fresh(.seeded(5))
        let first = try accessory(stored: stored)
        let central = try central(at: first)
        try pair(central, first)
        for case .saveBond(let record, _) in first.stored { stored.bonds.append(record) }
        first.command(.shutDown)
        neighbourhood.run(for: .seconds(5))
        #expect(central.link == nil)

        // Another controller with the same address, so that only the loaded keys can open it.
        let second = try accessory(stored: stored)
        neighbourhood.run(for: .seconds(5))
        try connect(central, second)
        #expect(central.security == .secureConnections && answer(central, Self.read) == Self.value)
        #expect(second.pin == nil && !central.wantsPasskey)

        let id = try #require(stored.bonds.first?.id)
        second.command(.forget(id))
        neighbourhood.run(for: .seconds(1))
        #expect(central.link == nil && second.reports.contains(.forgotten([id])))
        #expect(second.stored.contains { if case .removeAll = $0 { true } else { false } })
        try connect(central, second)
        neighbourhood.run(for: .seconds(1))
        // What it encrypts with is nobody's any more: it is sent away, or reads nothing.
        #expect(central.security == .none && answer(central, Self.read) != Self.value)
    }

    @Test("a wrong passkey is a guess: it is shown as failed, leaves the display, and the next one waits")
    func wrong() throws {
        let station = try accessory()
        let central = try central(at: station)
        try pair(central, station, wrong: true)
        #expect(central.hasFailed && station.pin == nil && station.shown.last == .failed)
        #expect(!station.stored.contains { if case .saveBond = $0 { true } else { false } })
        // Within the second that the first wrong guess costs.
        let shown = station.shown.count
        for _ in 0..<2 {
            central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
            neighbourhood.run(for: .milliseconds(100))
        }
        #expect(station.pin == nil && station.shown.count == shown)
        #expect(answer(central, Self.read) == Self.refusal)
        neighbourhood.run(for: .seconds(10))
        #expect(station.shown.last == .ready)
    }

    @Test("wrong passkeys in a row lock pairing, as wrong PINs do") func locks() throws {
        let station = try accessory(lockOutCount: 3)
        let central = try central(at: station)
        for _ in 0..<3 {
            try pair(central, station, wrong: true)
            neighbourhood.run(for: .seconds(20))
            if central.link == nil { try connect(central, station) }
        }
        #expect(station.reports.contains(.locked) && station.shown.last == .locked)
        let shown = station.shown.count
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        neighbourhood.run(for: .seconds(2))
        #expect(station.shown.count == shown && station.pin == nil)
    }

    @Test("with the window closed nobody new bonds, and its closing takes the passkey away") func window() throws {
        let station = try accessory(window: .command)
        let central = try central(at: station)
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        neighbourhood.run(for: .seconds(1))
        #expect(central.hasFailed && !central.wantsPasskey && station.shown.allSatisfy { $0 == .blank })
        station.command(.openPairingWindow(nil))
        neighbourhood.run(for: .seconds(1))
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        #expect(neighbourhood.run(for: .seconds(2)) { station.pin != nil })
        station.command(.closePairingWindow)
        neighbourhood.run(for: .seconds(10))
        #expect(station.pin == nil && station.shown.last == .blank)
        #expect(answer(central, Self.read) == Self.refusal)
    }

    @Test("a passkey that nobody types leaves the display when the kernel gives up") func untyped() throws {
        let station = try accessory()
        let central = try central(at: station)
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        #expect(neighbourhood.run(for: .seconds(2)) { station.pin != nil })
        #expect(neighbourhood.run(for: .seconds(31)) { station.pin == nil })
        neighbourhood.run(for: .milliseconds(100))
        #expect(central.link == nil)
    }

    @Test("a passkey that the display cannot show ends the attempt at once") func deadDisplay() throws {
        let station = try accessory()
        let central = try central(at: station)
        station.displayFails = true
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        #expect(neighbourhood.run(for: .seconds(2)) { central.hasFailed })
        #expect(station.reports.contains(.bondingFailed("the display cannot show the passkey")))
        #expect(answer(central, Self.read) == Self.refusal)
    }

    @Test("a central that is forgotten while the disk still writes its key is not let in by the disk's answer")
    func forgottenEarly() throws {
        let station = try accessory()
        let central = try central(at: station)
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        #expect(neighbourhood.run(for: .seconds(2)) { central.wantsPasskey && station.pin != nil })
        station.storeWaits = true
        central.send(.passkeyReply(try address(station), Sensitive(try Self.number(#require(station.pin)))))
        neighbourhood.run(for: .seconds(1))
        station.command(.forgetAll)
        station.storeWaits = false
        neighbourhood.run(for: .seconds(10))
        #expect(station.root.snapshot(now: neighbourhood.now).peers.isEmpty && station.shown.last == .ready)
        if central.link == nil { try connect(central, station) }
        #expect(answer(central, Self.read) != Self.value)
    }

    @Test("neither is shown under the other's attempt: a passkey waits for a PIN, and a PIN for a passkey")
    func oneDisplay() throws {
        let station = try accessory()
        let central = try central(at: station)
        let phone = neighbourhood.addPhone(.phone())
        phone.command(.start)
        #expect(neighbourhood.run(for: .seconds(10)) { phone.accessory != nil })
        phone.command(.pair(try #require(phone.accessory)))
        #expect(neighbourhood.run(for: .seconds(20)) { station.pin != nil && phone.pinsAskedFor == 1 })
        let pin = station.pin
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        neighbourhood.run(for: .seconds(2))
        #expect(station.pin == pin && central.hasFailed)
        phone.command(.enterPIN(try #require(pin)))
        #expect(neighbourhood.run(for: .seconds(30)) { phone.isConnected })
        neighbourhood.run(for: .seconds(5))

        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        #expect(neighbourhood.run(for: .seconds(2)) { station.pin != nil })
        let passkey = station.pin
        let other = neighbourhood.addPhone(.phone("Phone B"))
        other.command(.start)
        #expect(neighbourhood.run(for: .seconds(10)) { other.accessory != nil })
        other.command(.pair(try #require(other.accessory)))
        neighbourhood.run(for: .seconds(5))
        #expect(station.pin == passkey && other.pinsAskedFor == 0)
    }

    @Test("a guess that cannot be counted is not given, and a bond that cannot be kept is none") func full() throws {
        let station = try accessory()
        let central = try central(at: station)
        station.storeFails = true
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        neighbourhood.run(for: .seconds(2))
        #expect(central.hasFailed && station.pin == nil)
        #expect(!station.shown.contains { if case .pin = $0 { true } else { false } })
        station.storeFails = false
        central.send(.pairDevice(try address(station), IOCapability.keyboardOnly))
        #expect(neighbourhood.run(for: .seconds(5)) { station.pin != nil })
        let passkey = try Self.number(try #require(station.pin))
        station.storeFails = true
        central.send(.passkeyReply(try address(station), Sensitive(passkey)))
        neighbourhood.run(for: .seconds(2))
        #expect(central.link == nil && station.shown.last == .failed)
        #expect(station.root.snapshot(now: neighbourhood.now).peers.isEmpty)
    }
}
