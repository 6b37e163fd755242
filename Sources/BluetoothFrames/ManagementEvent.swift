package import Octets

/// An event of the kernel's Bluetooth management (mgmt-api.txt).
package enum ManagementEvent: Equatable, Sendable {
    /// A command is done; with what it returns, which is longer than nothing only where it succeeded.
    case commandComplete(UInt16, ManagementStatus, [UInt8])
    case commandStatus(UInt16, ManagementStatus)
    case controllerError(UInt8)
    case indexAdded
    case indexRemoved
    case newSettings(ControllerSettings)
    case connected(BluetoothAddress)
    case disconnected(BluetoothAddress, reason: UInt8)
    case found(FoundDevice)
    case discovering(Bool)
    /// To be shown, for the central's user types it; told again as digits are typed. The passkey, 4 octets, and how many
    /// digits that are, 1, travel beside the packet.
    case passkey(BluetoothAddress)
    /// The central's side: its user is to type what the peripheral shows.
    case passkeyWanted(BluetoothAddress)
    /// Pairing in which nobody types anything waits for our consent.
    case confirmationWanted(BluetoothAddress)
    case authenticationFailed(BluetoothAddress, ManagementStatus)
    case unpaired(BluetoothAddress)
    /// A bond's key, whose octets travel beside the packet; to be kept, or gone with the link.
    case newLongTermKey(LongTermKey, isKept: Bool)
    /// Whose the addresses are that this key, beside the packet, resolves; `random` is the one it had till now.
    case newIdentityKey(BluetoothAddress, random: BluetoothAddress)
    case advertisingAdded(UInt8)
    case advertisingRemoved(UInt8)
    case other(UInt16)

    private enum Code {
        static let commandComplete: UInt16 = 0x0001
        static let commandStatus: UInt16 = 0x0002
        static let controllerError: UInt16 = 0x0003
        static let indexAdded: UInt16 = 0x0004
        static let indexRemoved: UInt16 = 0x0005
        static let newSettings: UInt16 = 0x0006
        static let newLongTermKey: UInt16 = 0x000A
        static let connected: UInt16 = 0x000B
        static let disconnected: UInt16 = 0x000C
        static let authenticationFailed: UInt16 = 0x0011
        static let confirmationWanted: UInt16 = 0x000F
        static let passkeyWanted: UInt16 = 0x0010
        static let found: UInt16 = 0x0012
        static let discovering: UInt16 = 0x0013
        static let unpaired: UInt16 = 0x0016
        static let passkey: UInt16 = 0x0017
        static let newIdentityKey: UInt16 = 0x0018
        static let newLinkKey: UInt16 = 0x0009
        static let newSignatureKey: UInt16 = 0x0019
        static let advertisingAdded: UInt16 = 0x0023
        static let advertisingRemoved: UInt16 = 0x0024
    }

    /// Octets at the end of an event that are secret, and travel beside its packet.
    ///
    /// New Link Key ends in the key and the PIN's length, New Long Term Key, New Identity Resolving Key and New Signature
    /// Resolving Key in the key, Passkey Notify in the passkey and the number of digits typed.
    package static func keyLength(ofCode code: UInt16) -> Int {
        switch code {
        case Code.newLinkKey: 17
        case Code.newLongTermKey, Code.newIdentityKey, Code.newSignatureKey: 16
        case Code.passkey: 5
        default: 0
        }
    }

    /// What the kernel appends in later versions is left unread.
    package init(_ packet: ManagementPacket) throws(WireError) {
        var reader = ByteReader(packet.parameters)
        switch packet.code {
        case Code.commandComplete:
            let code = try reader.u16("command")
            self = .commandComplete(code, ManagementStatus(try reader.u8("status")), reader.rest())
        case Code.commandStatus:
            let code = try reader.u16("command")
            self = .commandStatus(code, ManagementStatus(try reader.u8("status")))
        case Code.controllerError: self = .controllerError(try reader.u8("error"))
        case Code.indexAdded: self = .indexAdded
        case Code.indexRemoved: self = .indexRemoved
        case Code.newSettings: self = .newSettings(ControllerSettings(rawValue: try reader.u32("settings")))
        case Code.newLongTermKey:
            let isKept = try reader.u8("store hint") != 0
            self = .newLongTermKey(try LongTermKey(from: &reader), isKept: isKept)
        case Code.newIdentityKey:
            _ = try reader.u8("store hint")
            var typed = ByteReader(try reader.octets(6, "random address") + [BluetoothAddress.Kind.random.rawValue])
            let random = try BluetoothAddress(from: &typed)
            self = .newIdentityKey(try BluetoothAddress(from: &reader), random: random)
        case Code.confirmationWanted: self = .confirmationWanted(try BluetoothAddress(from: &reader))
        case Code.passkeyWanted: self = .passkeyWanted(try BluetoothAddress(from: &reader))
        case Code.unpaired: self = .unpaired(try BluetoothAddress(from: &reader))
        case Code.connected: self = .connected(try BluetoothAddress(from: &reader))
        case Code.disconnected:
            let address = try BluetoothAddress(from: &reader)
            self = .disconnected(address, reason: try reader.u8("reason"))
        case Code.authenticationFailed:
            let address = try BluetoothAddress(from: &reader)
            self = .authenticationFailed(address, ManagementStatus(try reader.u8("status")))
        case Code.found: self = .found(try FoundDevice(from: &reader))
        case Code.discovering:
            _ = try reader.u8("address types")
            self = .discovering(try reader.u8("discovering") != 0)
        case Code.passkey: self = .passkey(try BluetoothAddress(from: &reader))
        case Code.advertisingAdded: self = .advertisingAdded(try reader.u8("advertising instance"))
        case Code.advertisingRemoved: self = .advertisingRemoved(try reader.u8("advertising instance"))
        default: self = .other(packet.code)
        }
    }

    /// As the kernel writes it, but for its key: for the simulated controller.
    package func packet(index: UInt16) -> [UInt8] {
        var writer = ByteWriter()
        let code = write(into: &writer)
        return ManagementPacket(code: code, index: index, parameters: writer.bytes)
            .octets(keyLength: Self.keyLength(ofCode: code))
    }

    private func write(into writer: inout ByteWriter) -> UInt16 {
        switch self {
        case .commandComplete(let command, let status, let result):
            writer.u16(command)
            writer.u8(status.rawValue)
            writer.octets(result)
            return Code.commandComplete
        case .commandStatus(let command, let status):
            writer.u16(command)
            writer.u8(status.rawValue)
            return Code.commandStatus
        case .controllerError(let error):
            writer.u8(error)
            return Code.controllerError
        case .indexAdded: return Code.indexAdded
        case .indexRemoved: return Code.indexRemoved
        case .newSettings(let settings):
            writer.u32(settings.rawValue)
            return Code.newSettings
        case .connected(let address):
            address.encode(into: &writer)
            writer.u32(0)  // flags
            writer.u16(0)  // no advertising data
            return Code.connected
        case .disconnected(let address, let reason):
            address.encode(into: &writer)
            writer.u8(reason)
            return Code.disconnected
        case .authenticationFailed(let address, let status):
            address.encode(into: &writer)
            writer.u8(status.rawValue)
            return Code.authenticationFailed
        case .found(let device):
            device.encode(into: &writer)
            return Code.found
        case .discovering(let isOn):
            writer.u8(0x06)
            writer.u8(isOn ? 1 : 0)
            return Code.discovering
        case .passkey(let address):
            address.encode(into: &writer)
            return Code.passkey
        case .passkeyWanted(let address):
            address.encode(into: &writer)
            return Code.passkeyWanted
        case .confirmationWanted(let address):
            address.encode(into: &writer)
            writer.u8(1)
            writer.u32(0)
            return Code.confirmationWanted
        case .unpaired(let address):
            address.encode(into: &writer)
            return Code.unpaired
        case .newLongTermKey(let key, let isKept):
            writer.u8(isKept ? 1 : 0)
            key.encode(into: &writer)
            return Code.newLongTermKey
        case .newIdentityKey(let address, let random):
            writer.u8(1)
            writer.octets(random.encoded.prefix(6))
            address.encode(into: &writer)
            return Code.newIdentityKey
        case .advertisingAdded(let instance):
            writer.u8(instance)
            return Code.advertisingAdded
        case .advertisingRemoved(let instance):
            writer.u8(instance)
            return Code.advertisingRemoved
        case .other(let code): return code
        }
    }
}

/// An advertiser that discovery heard.
package struct FoundDevice: Equatable, Sendable {
    package var address: BluetoothAddress
    /// dBm; nil when the controller does not know.
    package var signal: Int?
    /// Advertising data with the scan response appended, where there was one.
    package var data: [UInt8]

    package init(address: BluetoothAddress, signal: Int?, data: [UInt8]) {
        self.address = address
        self.signal = signal
        self.data = data
    }
}

extension FoundDevice: WireCodable {
    private static let noSignal: UInt8 = 127

    package init(from reader: inout ByteReader) throws(WireError) {
        address = try BluetoothAddress(from: &reader)
        let strength = try reader.u8("signal strength")
        signal = strength == Self.noSignal ? nil : Int(Int8(bitPattern: strength))
        _ = try reader.u32("flags")
        data = try reader.octets(Int(try reader.u16("data length")), "advertising data")
    }

    package func encode(into writer: inout ByteWriter) {
        address.encode(into: &writer)
        writer.u8(signal.map { UInt8(bitPattern: Int8(clamping: $0)) } ?? Self.noSignal)
        writer.u32(0)
        writer.lengthPrefixed16 { $0.octets(data.prefix(1024)) }
    }
}
