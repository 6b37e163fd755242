package import Octets

/// A command to the kernel's Bluetooth management, of those that are used here (mgmt-api.txt).
package enum ManagementCommand: Equatable, Sendable {
    case readControllerList
    case readControllerInformation
    case setPowered(Bool)
    case setBondable(Bool)
    case setLowEnergy(Bool)
    /// While powered off.
    case setStaticAddress(BluetoothAddress)
    /// While powered off; followed by the identity resolving key, most significant octet last.
    case setPrivacy(Bool)
    /// What pairing can show and ask; `DisplayOnly` is 0, `NoInputNoOutput` 3.
    case setIOCapability(UInt8)
    /// BR/EDR's, without which it refuses Secure Connections.
    case setSimplePairing(Bool)
    /// 0 off, 1 on, 2 no other pairing than by it.
    case setSecureConnections(UInt8)
    /// In place of those loaded before; followed by so many entries of `LongTermKey.entryLength`.
    case loadLongTermKeys(UInt16)
    /// In place of those loaded before; followed by so many entries of `IdentityKey.entryLength`.
    case loadIdentityKeys(UInt16)
    /// Has the kernel forget its keys, and ends its link.
    case unpairDevice(BluetoothAddress)
    /// The central's side: begins a pairing on a link that is up, with that IO capability.
    case pairDevice(BluetoothAddress, UInt8)
    /// The central's side: what its user has typed.
    case passkeyReply(BluetoothAddress, Sensitive<UInt32>)
    /// Ends a pairing by passkey, on either side.
    case refusePasskey(BluetoothAddress)
    /// Ends a pairing in which nobody types anything.
    case refuseConfirmation(BluetoothAddress)
    case disconnect(BluetoothAddress)
    /// Bit 1 LE public, bit 2 LE random.
    case startDiscovery(UInt8)
    case stopDiscovery(UInt8)
    case readAdvertisingFeatures
    case addAdvertising(AdvertisingInstance)
    /// 0 removes all.
    case removeAdvertising(UInt8)
    /// The interval of instances that do not say theirs, in 0.625 ms.
    case setDefaultAdvertisingInterval(UInt16)
    case addAdvertisingParameters(UInt8, AdvertisingFlags, interval: UInt32)
    case addAdvertisingData(UInt8, data: [UInt8], scanResponse: [UInt8])

    /// Which command an answer is about.
    package enum Code: UInt16, Hashable, Sendable {
        case readControllerList = 0x0003
        case readControllerInformation = 0x0004
        case setPowered = 0x0005
        case setBondable = 0x0009
        case setSimplePairing = 0x000B
        case setLowEnergy = 0x000D
        case loadLongTermKeys = 0x0013
        case disconnect = 0x0014
        case setIOCapability = 0x0018
        case pairDevice = 0x0019
        case unpairDevice = 0x001B
        case refuseConfirmation = 0x001D
        case passkeyReply = 0x001E
        case refusePasskey = 0x001F
        case startDiscovery = 0x0023
        case stopDiscovery = 0x0024
        case setStaticAddress = 0x002B
        case setSecureConnections = 0x002D
        case setPrivacy = 0x002F
        case loadIdentityKeys = 0x0030
        case readAdvertisingFeatures = 0x003D
        case addAdvertising = 0x003E
        case removeAdvertising = 0x003F
        case setDefaultConfiguration = 0x004C
        case addAdvertisingParameters = 0x0054
        case addAdvertisingData = 0x0055
    }

    package var code: Code {
        switch self {
        case .readControllerList: .readControllerList
        case .readControllerInformation: .readControllerInformation
        case .setPowered: .setPowered
        case .setBondable: .setBondable
        case .setLowEnergy: .setLowEnergy
        case .setStaticAddress: .setStaticAddress
        case .setPrivacy: .setPrivacy
        case .setIOCapability: .setIOCapability
        case .setSimplePairing: .setSimplePairing
        case .setSecureConnections: .setSecureConnections
        case .loadLongTermKeys: .loadLongTermKeys
        case .loadIdentityKeys: .loadIdentityKeys
        case .unpairDevice: .unpairDevice
        case .pairDevice: .pairDevice
        case .passkeyReply: .passkeyReply
        case .refusePasskey: .refusePasskey
        case .refuseConfirmation: .refuseConfirmation
        case .disconnect: .disconnect
        case .startDiscovery: .startDiscovery
        case .stopDiscovery: .stopDiscovery
        case .readAdvertisingFeatures: .readAdvertisingFeatures
        case .addAdvertising: .addAdvertising
        case .removeAdvertising: .removeAdvertising
        case .setDefaultAdvertisingInterval: .setDefaultConfiguration
        case .addAdvertisingParameters: .addAdvertisingParameters
        case .addAdvertisingData: .addAdvertisingData
        }
    }

    /// Octets of the key, or of the keys with whose they are, that end the packet and travel beside it.
    package var keyLength: Int {
        switch self {
        case .setPrivacy: 16
        case .loadLongTermKeys(let count): Int(count) * LongTermKey.entryLength
        case .loadIdentityKeys(let count): Int(count) * IdentityKey.entryLength
        default: 0
        }
    }

    /// The whole packet but for its key.
    package func packet(index: UInt16) -> [UInt8] {
        ManagementPacket(code: code.rawValue, index: index, parameters: parameters).octets(keyLength: keyLength)
    }

    /// Octets of data and of a scan response in one instance: extended advertising's most, which 8 bits count.
    private static func bounded(_ data: [UInt8]) -> [UInt8] { Array(data.prefix(251)) }

    private var parameters: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .readControllerList, .readControllerInformation, .readAdvertisingFeatures: break
        case .setPowered(let isOn), .setBondable(let isOn), .setLowEnergy(let isOn), .setPrivacy(let isOn),
            .setSimplePairing(let isOn):
            writer.u8(isOn ? 1 : 0)
        case .setStaticAddress(let address): writer.octets(address.encoded.prefix(6))
        case .disconnect(let address), .refusePasskey(let address), .refuseConfirmation(let address):
            address.encode(into: &writer)
        case .loadLongTermKeys(let count), .loadIdentityKeys(let count): writer.u16(count)
        case .unpairDevice(let address):
            address.encode(into: &writer)
            writer.u8(1)  // ends its link, too
        case .pairDevice(let address, let capability):
            address.encode(into: &writer)
            writer.u8(capability)
        case .passkeyReply(let address, let passkey):
            address.encode(into: &writer)
            writer.u32(passkey.value)
        case .setIOCapability(let octet), .setSecureConnections(let octet), .startDiscovery(let octet),
            .stopDiscovery(let octet), .removeAdvertising(let octet):
            writer.u8(octet)
        case .addAdvertising(let instance):
            writer.u8(instance.number)
            writer.u32(instance.flags.rawValue)
            writer.u32(0)  // duration and timeout: the only one, for ever
            Self.write(instance.data, instance.scanResponse, into: &writer)
        case .setDefaultAdvertisingInterval(let units):
            for parameter: UInt16 in [0x000A, 0x000B] {  // the least and the most, for legacy advertising
                writer.u16(parameter)
                writer.u8(2)
                writer.u16(units)
            }
        case .addAdvertisingParameters(let instance, let flags, let interval):
            writer.u8(instance)
            writer.u32(flags.rawValue)
            writer.u32(0)
            writer.u32(interval)
            writer.u32(interval)
            writer.u8(0x7F)  // no preference
        case .addAdvertisingData(let instance, let data, let scanResponse):
            writer.u8(instance)
            Self.write(data, scanResponse, into: &writer)
        }
        return writer.bytes
    }

    private static func write(_ data: [UInt8], _ scanResponse: [UInt8], into writer: inout ByteWriter) {
        let parts = [bounded(data), bounded(scanResponse)]
        for part in parts { writer.u8(UInt8(clamping: part.count)) }
        for part in parts { writer.octets(part) }
    }
}

/// What one advertisement says, and how.
package struct AdvertisingInstance: Equatable, Sendable {
    /// From 1; the kernel says how many there are.
    package var number: UInt8
    package var flags: AdvertisingFlags
    package var data: [UInt8]
    package var scanResponse: [UInt8]

    package init(number: UInt8, flags: AdvertisingFlags, data: [UInt8], scanResponse: [UInt8]) {
        self.number = number
        self.flags = flags
        self.data = data
        self.scanResponse = scanResponse
    }
}

/// How an instance is advertised (mgmt-api.txt, "Add Extended Advertising Parameters").
package struct AdvertisingFlags: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let connectable = Self(rawValue: 1 << 0)
    package static let secondary1M = Self(rawValue: 1 << 7)
    package static let usesInterval = Self(rawValue: 1 << 14)
    package static let hasScanResponse = Self(rawValue: 1 << 16)
}
