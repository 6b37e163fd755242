internal import BluetoothFrames
internal import LinuxRuntime
internal import Ports

/// The services as objects on the bus, in the form in which bluetoothd takes them (org.bluez.GattService1).
struct BluetoothObjects {
    static let root = "/aware/gatt"

    /// Bits of a characteristic's properties and bluetoothd's words for them.
    private static let flags: [(bit: UInt8, word: String)] = [
        (0x02, "read"), (0x04, "write-without-response"), (0x08, "write"), (0x10, "notify"), (0x20, "indicate"),
    ]

    let managedObjects: BusValue
    private let characteristics: [String: BluetoothCharacteristic]
    private let paths: [UInt16: String]

    init(services: [BluetoothService]) {
        var objects: [BusEntry] = []
        var characteristics: [String: BluetoothCharacteristic] = [:]
        var paths: [UInt16: String] = [:]
        for service in services {
            let servicePath = "\(Self.root)/service\(Self.digits(service.handle))"
            objects.append(
                Self.object(
                    servicePath, "org.bluez.GattService1",
                    [("UUID", .string(Self.text(service.uuid))), ("Primary", .bool(true))]))
            for characteristic in service.characteristics {
                let path = "\(servicePath)/char\(Self.digits(characteristic.valueHandle))"
                let words = Self.flags.filter { characteristic.properties & $0.bit != 0 }
                objects.append(
                    Self.object(
                        path, "org.bluez.GattCharacteristic1",
                        [
                            ("UUID", .string(Self.text(characteristic.uuid))), ("Service", .path(servicePath)),
                            ("Flags", .array(of: "s", words.map { .string($0.word) })),
                        ]))
                characteristics[path] = characteristic
                paths[characteristic.valueHandle] = path
            }
        }
        managedObjects = .dictionary(key: "o", value: "a{sa{sv}}", objects)
        self.characteristics = characteristics
        self.paths = paths
    }

    func characteristic(at path: String) -> BluetoothCharacteristic? { characteristics[path] }
    func path(ofValue handle: UInt16) -> String? { paths[handle] }

    /// The address in a path like /org/bluez/hci0/dev_C0_C1_C2_C3_C4_C5, zero when there is none.
    ///
    /// Which kind it is the path does not say.
    static func address(ofDevice path: String) -> BluetoothAddress {
        let none = BluetoothAddress(.public, bits: 0)
        guard let name = path.split(separator: "/").last, name.hasPrefix("dev_") else { return none }
        let parts = name.dropFirst(4).split(separator: "_")
        guard parts.count == 6 else { return none }
        var bits: UInt64 = 0
        for part in parts {
            guard part.utf8.count == 2, let octet = UInt8(part, radix: 16) else { return none }
            bits = bits << 8 | UInt64(octet)
        }
        return BluetoothAddress(.public, bits: bits)
    }

    private static func object(_ path: String, _ interface: String, _ properties: [(String, BusValue)]) -> BusEntry {
        BusEntry(
            .path(path),
            .dictionary(key: "s", value: "a{sv}", [BusEntry(.string(interface), .properties(properties))]))
    }

    /// bluetoothd wants the long form of every UUID, or the four digits; in small letters.
    private static func text(_ uuid: BluetoothUUID) -> String { uuid.description.lowercased() }

    private static func digits(_ handle: UInt16) -> String {
        let text = String(handle, radix: 16)
        return String(repeating: "0", count: 4 - text.utf8.count) + text
    }
}
