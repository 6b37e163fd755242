internal import LinuxRuntime
internal import Ports

/// A central behind bluetoothd, as a link: one request at a time goes to the engine, as ATT has it.
final class BluetoothDaemonCentral {
    /// bluetoothd has the bearer's own MTU; a value of 512 octets fits into one answer of ours.
    static let mtu = 517
    /// Calls that wait: bluetoothd itself asks one thing at a time for each central.
    private static let queueLimit = 32

    /// What a notification or an indication carries.
    struct Value {
        let handle: UInt16
        let octets: [UInt8]
        let wantsConfirmation: Bool

        /// Nil of other PDUs (Core 5.4, Vol 3, Part F, 3.4.7).
        init?(_ pdu: [UInt8]) {
            guard pdu.count >= 3, pdu[0] == 0x1B || pdu[0] == 0x1D else { return nil }
            handle = UInt16(pdu[1]) | UInt16(pdu[2]) << 8
            octets = Array(pdu[3...])
            wantsConfirmation = pdu[0] == 0x1D
        }
    }

    let id: BluetoothLinkID
    private var current: (any BusAsker)?
    private var waiting: [(call: any BusAsker, pdu: [UInt8])] = []

    init(id: BluetoothLinkID) { self.id = id }

    /// The PDU that goes to the engine now; nil when it waits, or was refused.
    func take(_ call: any BusAsker, _ pdu: [UInt8]) -> [UInt8]? {
        // A command has no answer.
        if pdu.first == 0x52 {
            call.answer([])
            return pdu
        }
        guard current != nil else {
            current = call
            return pdu
        }
        guard waiting.count < Self.queueLimit else {
            call.refuse(BusError(name: "org.bluez.Error.InProgress", text: "too much is asked at once"))
            return nil
        }
        waiting.append((call, pdu))
        return nil
    }

    /// Answers the call that waits for this PDU; returns the next that goes to the engine.
    func answered(_ pdu: [UInt8]) -> [UInt8]? {
        guard let call = current else { return nil }
        current = nil
        switch pdu.first {
        case 0x0B, 0x0D: call.answer([.octets(Array(pdu.dropFirst()))])
        case 0x13: call.answer([])
        default: call.refuse(Self.error(code: pdu.count == 5 && pdu[0] == 0x01 ? pdu[4] : 0x0E))
        }
        guard !waiting.isEmpty else { return nil }
        let next = waiting.removeFirst()
        current = next.call
        return next.pdu
    }

    func end() {
        current?.refuse(Self.error(code: 0x0E))
        for waiter in waiting { waiter.call.refuse(Self.error(code: 0x0E)) }
        current = nil
        waiting = []
    }

    /// How bluetoothd calls ATT's errors (org.bluez.GattCharacteristic.rst); an application's own is a number in the text.
    static func error(code: UInt8) -> BusError {
        switch code {
        case 0x02, 0x03: BusError(name: "org.bluez.Error.NotPermitted", text: "not permitted")
        case 0x05, 0x08, 0x0F: BusError(name: "org.bluez.Error.NotAuthorized", text: "not authorized")
        case 0x06: BusError(name: "org.bluez.Error.NotSupported", text: "not supported")
        case 0x07: BusError(name: "org.bluez.Error.InvalidOffset", text: "invalid offset")
        case 0x0D: BusError(name: "org.bluez.Error.InvalidValueLength", text: "invalid length")
        case 0x80...0x9F: BusError(name: "org.bluez.Error.Failed", text: "0x" + String(code, radix: 16))
        default: BusError(name: "org.bluez.Error.Failed", text: "failed")
        }
    }
}
