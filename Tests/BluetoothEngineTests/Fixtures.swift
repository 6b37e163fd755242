import BluetoothEngine
import BluetoothFrames
import Cryptography
import Octets
import Ports
import Testing

func bytes(_ text: String) -> [UInt8] { [UInt8](hex: text) ?? [] }

func at(_ milliseconds: Int64) -> MonotonicInstant { MonotonicInstant(nanoseconds: milliseconds * 1_000_000) }

let advertisement = Advertisement(
    service: BluetoothUUID(0xFD5A), manufacturer: .init(company: 0xFFFF, data: [0x01, 0x02]), name: "Drone",
    interval: 244)

let description = BluetoothDescription(
    name: "Drone", manufacturer: "Acme", model: "D1", serialNumber: "SN-0001", firmware: "1.2.3",
    nanServices: ["_drone-service._udp", "_camera-stream._udp"])

func configuration(_ change: (inout BluetoothPeripheral.Configuration) -> Void = { _ in })
    -> BluetoothPeripheral.Configuration
{
    var configuration = BluetoothPeripheral.Configuration(advertisement: advertisement, description: description)
    change(&configuration)
    return configuration
}

/// The machine with what it sends to the kernel written down, and the kernel's answers put in its mouth.
struct Bench {
    var peripheral: BluetoothPeripheral
    var now = at(0)

    init(_ configuration: BluetoothPeripheral.Configuration = configuration()) {
        peripheral = BluetoothPeripheral(configuration)
    }

    /// What follows from an event: packets to the kernel as text, other effects left out.
    mutating func sent(_ event: BluetoothPeripheral.Event) -> [String] {
        peripheral.handle(event, now: now).compactMap { effect in
            guard case .port(.managementSend(let octets, let key)) = effect else { return nil }
            return octets.hex + (key == nil ? "" : "+key")
        }
    }

    mutating func all(_ event: BluetoothPeripheral.Event) -> [BluetoothPeripheral.Effect] {
        peripheral.handle(event, now: now)
    }

    mutating func kernel(_ text: String) -> [String] { sent(.port(.managementReceived(bytes(text)))) }

    /// The same with a secret; every effect.
    mutating func kernel(_ text: String, secret: String) -> [BluetoothPeripheral.Effect] {
        all(.port(.managementReceived(bytes(text), key: SecretKey(copying: bytes(secret)))))
    }

    /// An answer of Read Controller Information; the address is its public one.
    static func information(supported: UInt32, current: UInt32, address: String = "0df0ad8b0a00") -> String {
        var writer = ByteWriter()
        writer.octets(bytes("0100 0000 1b01 0400 00" + address + "09 0f00"))
        writer.u32(supported)
        writer.u32(current)
        writer.octets([UInt8](repeating: 0, count: 263))
        return writer.bytes.hex
    }

    static let features = "0100 0000 0b00 3d00 00 01400100 1f 1f 05 00"

    /// Through to the advertisement on the air, of a controller that is powered already.
    mutating func advertise() {
        _ = sent(.command(.start))
        _ = sent(.command(.advertise(true)))
        _ = sent(.port(.managementOpened))
        _ = kernel("0100 ffff 0700 0300 00 0100 0000")
        _ = kernel(Self.information(supported: 0xBEFF, current: 0x0201))
        _ = kernel(Self.features)
        _ = kernel("0100 0000 0700 5400 00 05 7f 1f 1f")
        _ = kernel("0100 0000 0400 5500 00 05")
    }

    /// What a controller that is ready says its advertisements come from.
    var shownAddress: BluetoothAddress? {
        if case .ready(let controller) = peripheral.controllerState { controller.address } else { nil }
    }

    let link = BluetoothLinkID(1)

    mutating func connect() {
        let peer = BluetoothAddress(.random, bits: 0x4000_0000_0001)
        _ = all(.port(.attConnected(link, peer: peer, mtu: 23)))
    }

    /// What a PDU is answered with, as text.
    mutating func ask(_ text: String) -> [String] {
        all(.port(.attReceived(link, bytes(text)))).compactMap { effect in
            guard case .port(.attSend(link, let octets)) = effect else { return nil }
            return octets.hex
        }
    }
}
