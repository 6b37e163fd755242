import BluetoothFrames
import LinuxRuntime
import Ports
import Testing

@testable import BluetoothAdapter

private final class Asker: BusAsker {
    var answers: [[BusValue]] = []
    var refusals: [BusError] = []
    func answer(_ values: [BusValue]) { answers.append(values) }
    func refuse(_ error: BusError) { refusals.append(error) }
}

/// The names and signatures are those of BlueZ's own documentation (org.bluez.GattCharacteristic.rst).
@Suite("Attributes through bluetoothd") struct BluetoothDaemonTests {
    private let window = BluetoothCharacteristic(
        uuid: BluetoothUUID(0xFF12), properties: 0x1A, valueHandle: 0x0005, configurationHandle: 0x0006)
    private let device = BusEntry(.string("device"), .variant(.path("/org/bluez/hci0/dev_C0_C1_C2_C3_C4_C5")))

    private func options(_ entries: [BusEntry]) -> BusValue { .dictionary(key: "s", value: "v", [device] + entries) }
    private func option(_ name: String, _ value: BusValue) -> BusEntry { BusEntry(.string(name), .variant(value)) }

    @Test("reading asks for the value, and for the rest of a long one by its offset") func reading() throws {
        let first = try #require(BluetoothDaemonRequest("ReadValue", [options([])], window))
        #expect(first.pdu == [0x0A, 0x05, 0x00])
        #expect(first.device == "/org/bluez/hci0/dev_C0_C1_C2_C3_C4_C5")
        let rest = try #require(
            BluetoothDaemonRequest("ReadValue", [options([option("offset", .u16(0x0102))])], window))
        #expect(rest.pdu == [0x0C, 0x05, 0x00, 0x02, 0x01])
    }

    @Test("writing is a request, a command where the central sent one, and never in parts") func writing() throws {
        let request = try #require(
            BluetoothDaemonRequest(
                "WriteValue", [.octets([1, 2]), options([option("type", .string("request"))])], window))
        #expect(request.pdu == [0x12, 0x05, 0x00, 1, 2])
        let command = try #require(
            BluetoothDaemonRequest("WriteValue", [.octets([1]), options([option("type", .string("command"))])], window))
        #expect(command.pdu == [0x52, 0x05, 0x00, 1])
        let part = try #require(
            BluetoothDaemonRequest("WriteValue", [.octets([1]), options([option("offset", .u16(1))])], window))
        #expect(part.pdu == nil)
        #expect(part.refusal?.name == "org.bluez.Error.InvalidOffset")
        let long = [UInt8](repeating: 0, count: 513)
        let tooLong = try #require(BluetoothDaemonRequest("WriteValue", [.octets(long), options([])], window))
        #expect(tooLong.refusal?.name == "org.bluez.Error.InvalidValueLength")
        #expect(BluetoothDaemonRequest("WriteValue", [.string("no octets"), options([])], window) == nil)
    }

    @Test("subscriptions are writes to the configuration, and need one") func subscriptions() throws {
        #expect(BluetoothDaemonRequest("StartNotify", [], window)?.pdu == [0x12, 0x06, 0x00, 0x01, 0x00])
        #expect(BluetoothDaemonRequest("StopNotify", [], window)?.pdu == [0x12, 0x06, 0x00, 0x00, 0x00])
        var indicated = window
        indicated.properties = 0x20
        #expect(BluetoothDaemonRequest("StartNotify", [], indicated)?.pdu == [0x12, 0x06, 0x00, 0x02, 0x00])
        var silent = window
        silent.configurationHandle = nil
        #expect(BluetoothDaemonRequest("StartNotify", [], silent)?.refusal?.name == "org.bluez.Error.NotSupported")
        #expect(BluetoothDaemonRequest("Explode", [], window) == nil)
    }

    @Test("a central asks one thing at a time, and answers go to who asked") func oneAtATime() {
        let central = BluetoothDaemonCentral(id: BluetoothLinkID(1))
        let first = Asker()
        let second = Asker()
        #expect(central.take(first, [0x0A, 5, 0]) == [0x0A, 5, 0])
        #expect(central.take(second, [0x12, 5, 0, 1]) == nil)
        #expect(central.answered([0x0B, 0x61]) == [0x12, 5, 0, 1])
        #expect(first.answers == [[.octets([0x61])]])
        #expect(central.answered([0x01, 0x12, 5, 0, 0x03]) == nil)
        #expect(second.refusals.map(\.name) == ["org.bluez.Error.NotPermitted"])
        #expect(central.answered([0x13]) == nil)
    }

    @Test("a command is answered at once and waits for nobody") func command() {
        let central = BluetoothDaemonCentral(id: BluetoothLinkID(1))
        let reader = Asker()
        let writer = Asker()
        #expect(central.take(reader, [0x0A, 5, 0]) != nil)
        #expect(central.take(writer, [0x52, 5, 0, 1]) == [0x52, 5, 0, 1])
        #expect(writer.answers == [[]])
        #expect(reader.answers.isEmpty)
    }

    @Test("what waits is bounded, and refused when the central leaves") func bounds() {
        let central = BluetoothDaemonCentral(id: BluetoothLinkID(1))
        let askers = (0..<34).map { _ in Asker() }
        for asker in askers { _ = central.take(asker, [0x0A, 5, 0]) }
        #expect(askers[33].refusals.map(\.name) == ["org.bluez.Error.InProgress"])
        #expect(askers[32].refusals.isEmpty)
        central.end()
        #expect(askers.allSatisfy { $0.refusals.count == 1 })
    }

    @Test("the objects are BlueZ's: a service, its characteristics, their words") func objects() throws {
        let service = BluetoothService(uuid: BluetoothUUID(0x180A), handle: 0x0010, characteristics: [window])
        let objects = BluetoothObjects(services: [service])
        #expect(objects.managedObjects.signature == "a{oa{sa{sv}}}")
        let paths = objects.managedObjects.entries.map(\.key)
        #expect(paths == [.path("/aware/gatt/service0010"), .path("/aware/gatt/service0010/char0005")])
        let properties = try #require(
            objects.managedObjects["/aware/gatt/service0010/char0005"]?["org.bluez.GattCharacteristic1"])
        #expect(properties["UUID"] == .string("ff12"))
        #expect(properties["Flags"] == .array(of: "s", ["read", "write", "notify"].map { .string($0) }))
        #expect(properties["Service"] == .path("/aware/gatt/service0010"))
        #expect(objects.path(ofValue: 5) == "/aware/gatt/service0010/char0005")
    }

    @Test("a device's address is read from its path, and nothing else is taken for one") func addresses() {
        #expect(
            BluetoothObjects.address(ofDevice: "/org/bluez/hci0/dev_C0_C1_C2_C3_C4_C5")
                == BluetoothAddress(.public, bits: 0xC0C1_C2C3_C4C5))
        for path in ["", "/org/bluez/hci0", "/org/bluez/hci0/dev_C0_C1", "/x/dev_G0_C1_C2_C3_C4_C5"] {
            #expect(BluetoothObjects.address(ofDevice: path) == BluetoothAddress(.public, bits: 0))
        }
    }

    @Test("an application's own error is told by its number") func errors() {
        #expect(BluetoothDaemonCentral.error(code: 0x80) == BusError(name: "org.bluez.Error.Failed", text: "0x80"))
    }
}
