internal import LinuxRuntime
internal import Ports

/// A call of org.bluez.GattCharacteristic1 as the ATT PDU that a central would have sent.
struct BluetoothDaemonRequest {
    /// Core 5.4, Vol 3, Part F, 3.2.9.
    private static let longestValue = 512

    /// bluetoothd's object for the central, empty when it names none.
    private(set) var device = ""
    /// Nil when there is nothing to ask.
    private(set) var pdu: [UInt8]?
    private(set) var refusal: BusError?

    /// Nil when there is no such method.
    init?(_ call: BusCall, _ characteristic: BluetoothCharacteristic) {
        self.init(call.member, call.arguments, characteristic)
    }

    init?(_ member: String, _ arguments: [BusValue], _ characteristic: BluetoothCharacteristic) {
        switch member {
        case "ReadValue":
            let options = arguments.first ?? .other
            device = options["device"]?.text ?? ""
            let offset = Self.offset(options)
            pdu =
                offset == 0
                ? [0x0A] + Self.octets(characteristic.valueHandle)
                : [0x0C] + Self.octets(characteristic.valueHandle) + Self.octets(offset)
        case "WriteValue":
            guard arguments.count == 2, case .octets(let value) = arguments[0] else { return nil }
            let options = arguments[1]
            device = options["device"]?.text ?? ""
            guard Self.offset(options) == 0 else {
                refusal = BluetoothDaemonCentral.error(code: 0x07)
                return
            }
            guard value.count <= Self.longestValue else {
                refusal = BluetoothDaemonCentral.error(code: 0x0D)
                return
            }
            // Whether it may be prepared; the write itself follows.
            if options["prepare-authorize"] == .bool(true) { return }
            let opcode: UInt8 = options["type"]?.text == "command" ? 0x52 : 0x12
            pdu = [opcode] + Self.octets(characteristic.valueHandle) + value
        case "StartNotify", "StopNotify":
            guard let handle = characteristic.configurationHandle else {
                refusal = BluetoothDaemonCentral.error(code: 0x06)
                return
            }
            // Notifications where there are any, else indications (Vol 3, Part G, 3.3.3.3).
            let wanted: UInt16 = characteristic.properties & 0x10 != 0 ? 1 : 2
            pdu = [0x12] + Self.octets(handle) + Self.octets(member == "StartNotify" ? wanted : 0)
        case "Confirm": break
        default: return nil
        }
    }

    private static func offset(_ options: BusValue) -> UInt16 {
        if case .u16(let offset)? = options["offset"] { offset } else { 0 }
    }

    private static func octets(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
}
