import BluetoothEngine
import BluetoothFrames
import FactoryLine
import LinuxRuntime
import NANFrames
import Octets
import PhoneCore
import Ports
import Testing

@Suite("The phone's errand over Bluetooth") struct PhoneBluetoothTests {
    private let now = MonotonicInstant.milliseconds(1000)
    private let first = BluetoothAddress(.public, bits: 1)
    private let second = BluetoothAddress(.public, bits: 2)

    private func sighting(_ address: BluetoothAddress, _ state: BeaconState = [.pairingWindowOpen]) -> BluetoothSighting
    {
        BluetoothSighting(address: address, signal: nil, name: "Falcon", state: state, octets: [])
    }

    private func inspection(_ serial: String, _ state: BeaconState = []) -> BluetoothInspection {
        var inspection = BluetoothInspection()
        inspection.serialNumber = serial
        inspection.manufacturer = "Example Air"
        inspection.model = "Falcon 2"
        inspection.state = state
        return inspection
    }

    private func errand(serial: String? = nil) -> PhoneErrand {
        var configuration = PhoneErrand.Configuration()
        configuration.filter.serialNumber = serial
        return PhoneErrand(configuration, pairings: [])
    }

    @Test("each accessory is asked once, one after the other") func asks() {
        var errand = errand()
        _ = errand.handle(.start, now: now)
        let one = errand.handle(.phone(.bluetooth(.found(sighting(first)))), now: now)
        #expect(one == [.tell(.heardOverBluetooth(sighting(first))), .phone(.inspect(first))])
        let two = errand.handle(.phone(.bluetooth(.found(sighting(second)))), now: now)
        #expect(two == [.tell(.heardOverBluetooth(sighting(second)))])
        let told = errand.handle(.phone(.bluetooth(.inspected(first, inspection("A")))), now: now)
        #expect(told == [.tell(.inspected(inspection("A"))), .phone(.leave(first))])
        #expect(errand.handle(.phone(.bluetooth(.left(first))), now: now) == [.phone(.inspect(second))])
        let failed = errand.handle(.phone(.bluetooth(.inspectionFailed(second, "no answer"))), now: now)
        #expect(failed == [.tell(.bluetoothFailed("no answer"))])
        let again = errand.handle(.phone(.bluetooth(.found(sighting(first, [])))), now: now)
        #expect(again == [.tell(.heardOverBluetooth(sighting(first, [])))])
    }

    @Test("with a serial number nobody is paired before it has been read, and then by the names it came with")
    func serial() {
        var errand = errand(serial: "B")
        _ = errand.handle(.start, now: now)
        let accessory = DiscoveredAccessory.sample()
        _ = errand.handle(.phone(.joined(.number(1))), now: now)
        #expect(errand.handle(.phone(.discovered(accessory)), now: now) == [])
        _ = errand.handle(.phone(.bluetooth(.found(sighting(first)))), now: now)
        let other = errand.handle(.phone(.bluetooth(.inspected(first, inspection("A")))), now: now)
        #expect(other.last == .phone(.leave(first)))
        _ = errand.handle(.phone(.bluetooth(.left(first))), now: now)
        _ = errand.handle(.phone(.bluetooth(.found(sighting(second)))), now: now)
        let wanted = errand.handle(.phone(.bluetooth(.inspected(second, inspection("B")))), now: now)
        #expect(wanted.last == .phone(.pair(accessory.nmi)))
    }

    @Test("one that sleeps is woken before it is left") func wakes() {
        var errand = errand()
        _ = errand.handle(.start, now: now)
        _ = errand.handle(.phone(.bluetooth(.found(sighting(first, [.asleep])))), now: now)
        let told = errand.handle(.phone(.bluetooth(.inspected(first, inspection("A", [.asleep])))), now: now)
        #expect(told.last == .phone(.wake(first)))
        #expect(errand.handle(.phone(.bluetooth(.woken(first, nil))), now: now) == [.phone(.leave(first))])
    }

    @Test("one that wants a bond is known to sleep by what it advertises, and that it was not woken is told")
    func notWoken() {
        var errand = errand()
        _ = errand.handle(.start, now: now)
        _ = errand.handle(.phone(.bluetooth(.found(sighting(first, [.asleep])))), now: now)
        var silent = inspection("A")
        silent.state = nil
        let asked = errand.handle(.phone(.bluetooth(.inspected(first, silent))), now: now)
        #expect(asked.last == .phone(.wake(first)))
        let refused = errand.handle(.phone(.bluetooth(.woken(first, .insufficientAuthentication))), now: now)
        #expect(
            refused == [
                .tell(
                    .bluetoothFailed(
                        "it sleeps, and only a bonded device wakes it, which this phone cannot be: awarectl pair wakes it, "
                            + "or its button")), .phone(.leave(first)),
            ])
    }

    @Test("the command line's Bluetooth is checked as a whole") func options() throws {
        let plan = try PhonePlan("--bluetooth", "simulated", "--air", "/a", "--company", "004c", "--serial", "S1")
        #expect(plan.bluetooth == .simulated(airFolder: "/a"))
        #expect(plan.company == 0x004C && plan.serviceUUID == nil && plan.filter.serialNumber == "S1")
        #expect(throws: UsageError.self) { try PhonePlan("--serial", "S1") }
        #expect(throws: UsageError.self) { try PhonePlan("--bluetooth", "real") }
        #expect(throws: UsageError.self) { try PhonePlan("--bluetooth", "adapter", "--service-uuid", "FD5") }
        #expect(throws: UsageError.self) { try PhonePlan("--bluetooth", "adapter", "--company", "76") }
    }
}
