internal import BluetoothFrames
internal import Cryptography
internal import Octets

extension VirtualController {
    /// One command, as net/bluetooth/mgmt.c takes it.
    mutating func manage(_ packet: ManagementPacket, _ key: SecretKey?) {
        let command: ManagementCommand
        do throws(WireError) {
            guard let read = try ManagementCommand(packet) else { return refuse(packet, .unknownCommand) }
            command = read
        } catch { return refuse(packet, .invalidParameters) }
        if case .readControllerList = command {
            return complete(packet, ControllerList(indices: isPresent ? [0] : []).encoded)
        }
        guard isPresent, packet.index == 0 else { return refuse(packet, .invalidIndex) }
        switch command {
        case .readControllerList: break
        case .readControllerInformation:
            complete(
                packet,
                ControllerInformation(
                    address: publicAddress, version: 9, manufacturer: 0xFFFF,
                    supported: [
                        .powered, .connectable, .bondable, .lowEnergy, .secureConnections, .privacy, .staticAddress,
                    ],
                    current: settings
                ).encoded)
        case .setPowered(true):
            guard !isBlocked else { return refuse(packet, .blockedByRFKill) }
            settings.insert(.powered)
            takeAddress()
            if let number = instances.filter({ $0.value.isComplete }).keys.min() { advertise(number) }
            completeWithSettings(packet)
        case .setPowered(false):
            powerOff()
            completeWithSettings(packet)
        case .setLowEnergy(let isOn): set(.lowEnergy, isOn, packet)
        case .setBondable(let isOn): set(.bondable, isOn, packet)
        case .setPrivacy(let isOn):
            guard !settings.contains(.powered) else { return refuse(packet, .rejected) }
            set(.privacy, isOn, packet)
        case .setStaticAddress(let address):
            guard !settings.contains(.powered) else { return refuse(packet, .rejected) }
            staticAddress = address
            set(.staticAddress, true, packet)
        case .disconnect: complete(packet, [])
        case .startDiscovery(let types):
            guard isUsable else { return refuse(packet, .notPowered) }
            guard !isScanning else { return refuse(packet, .busy) }
            isScanning = true
            complete(packet, [types])
            tell(.discovering(true))
        case .stopDiscovery(let types):
            guard isScanning else { return refuse(packet, .rejected) }
            isScanning = false
            complete(packet, [types])
            tell(.discovering(false))
        default: if !manageBonding(packet, command, key) { manageAdvertising(packet, command) }
        }
    }

    private mutating func manageAdvertising(_ packet: ManagementPacket, _ command: ManagementCommand) {
        switch command {
        case .readAdvertisingFeatures:
            var flags: AdvertisingFlags = [.connectable]
            if configuration.hasAdvertisingParameters { flags.formUnion([.usesInterval, .hasScanResponse]) }
            complete(
                packet,
                AdvertisingFeatures(
                    flags: flags, longestData: 31, longestScanResponse: 31, instanceLimit: Self.instanceLimit,
                    instances: instances.keys.sorted()
                ).encoded)
        case .setDefaultAdvertisingInterval(let units):
            defaultInterval = UInt32(units)
            complete(packet, [])
        case .addAdvertising(let new):
            guard settings.contains(.lowEnergy) else { return refuse(packet, .rejected) }
            guard isInstance(new.number), Self.isValid(new.data), Self.isValid(new.scanResponse) else {
                return refuse(packet, .invalidParameters)
            }
            instances[new.number] = Instance(
                flags: new.flags, interval: defaultInterval, data: new.data, scanResponse: new.scanResponse,
                isComplete: true)
            if isUsable { advertise(new.number) }
            complete(packet, [new.number])
        case .addAdvertisingParameters(let number, let flags, let interval):
            guard configuration.hasAdvertisingParameters else { return refuse(packet, .unknownCommand) }
            guard settings.contains(.lowEnergy) else { return refuse(packet, .rejected) }
            guard isInstance(number), (32...0x4000).contains(interval) else {
                return refuse(packet, .invalidParameters)
            }
            // The advertisement as it was is gone: without its data there is none.
            if onAir?.number == number { onAir = nil }
            instances[number] = Instance(flags: flags, interval: interval)
            complete(packet, [number, 0x7F, 31, 31])
        case .addAdvertisingData(let number, let data, let scanResponse):
            guard isUsable else { return refuse(packet, .rejected) }
            guard var instance = instances[number], Self.isValid(data), Self.isValid(scanResponse) else {
                return refuse(packet, .invalidParameters)
            }
            instance.data = data
            instance.scanResponse = scanResponse
            instance.isComplete = true
            instances[number] = instance
            advertise(number)
            complete(packet, [number])
        case .removeAdvertising(let number):
            guard number == 0 || instances[number] != nil else { return refuse(packet, .invalidParameters) }
            if number == 0 { instances = [:] } else { instances[number] = nil }
            onAir = nil
            complete(packet, [number])
        default: refuse(packet, .unknownCommand)
        }
    }

    static let instanceLimit: UInt8 = 5

    private var isUsable: Bool { settings.isSuperset(of: [.powered, .lowEnergy]) }
    private func isInstance(_ number: UInt8) -> Bool { (1...Self.instanceLimit).contains(number) }

    /// Whole structures, 31 octets at most (tlv_data_is_valid).
    private static func isValid(_ data: [UInt8]) -> Bool {
        guard data.count <= AdvertisingData.legacyLimit else { return false }
        var index = 0
        while index < data.count {
            index += Int(data[index]) + 1
        }
        return index == data.count
    }

    private mutating func takeAddress() {
        if settings.contains(.privacy) {
            address = BluetoothAddress(.random, bits: entropy.next() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000)
        } else {
            address = staticAddress ?? publicAddress
        }
    }

    mutating func set(_ setting: ControllerSettings, _ isOn: Bool, _ packet: ManagementPacket) {
        if isOn { settings.insert(setting) } else { settings.remove(setting) }
        completeWithSettings(packet)
    }

    private mutating func completeWithSettings(_ packet: ManagementPacket) {
        var writer = ByteWriter()
        writer.u32(settings.rawValue)
        complete(packet, writer.bytes)
    }

    mutating func complete(_ packet: ManagementPacket, _ result: [UInt8]) {
        tell(.commandComplete(packet.code, .success, result), index: packet.index)
    }

    mutating func refuse(_ packet: ManagementPacket, _ status: ManagementStatus) {
        tell(.commandStatus(packet.code, status), index: packet.index)
    }
}
