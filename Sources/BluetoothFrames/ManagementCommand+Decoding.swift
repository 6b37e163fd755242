package import Octets

extension ManagementCommand {
    /// Reads a command as the kernel does: for the simulated controller.
    ///
    /// Nil when the code is none of those used here.
    package init?(_ packet: ManagementPacket) throws(WireError) {
        guard let code = Code(rawValue: packet.code) else { return nil }
        var reader = ByteReader(packet.parameters)
        switch code {
        case .readControllerList: self = .readControllerList
        case .readControllerInformation: self = .readControllerInformation
        case .readAdvertisingFeatures: self = .readAdvertisingFeatures
        case .setPowered: self = .setPowered(try Self.flag(&reader))
        case .setBondable: self = .setBondable(try Self.flag(&reader))
        case .setLowEnergy: self = .setLowEnergy(try Self.flag(&reader))
        case .setPrivacy: self = .setPrivacy(try Self.flag(&reader))
        case .setIOCapability: self = .setIOCapability(try reader.u8("IO capability"))
        case .startDiscovery: self = .startDiscovery(try reader.u8("address types"))
        case .stopDiscovery: self = .stopDiscovery(try reader.u8("address types"))
        case .removeAdvertising: self = .removeAdvertising(try reader.u8("advertising instance"))
        case .setSimplePairing: self = .setSimplePairing(try Self.flag(&reader))
        case .setSecureConnections: self = .setSecureConnections(try reader.u8("secure connections"))
        case .loadLongTermKeys: self = .loadLongTermKeys(try reader.u16("key count"))
        case .loadIdentityKeys: self = .loadIdentityKeys(try reader.u16("key count"))
        case .unpairDevice:
            self = .unpairDevice(try BluetoothAddress(from: &reader))
            _ = try reader.u8("disconnect")
        case .pairDevice:
            let address = try BluetoothAddress(from: &reader)
            self = .pairDevice(address, try reader.u8("IO capability"))
        case .passkeyReply:
            let address = try BluetoothAddress(from: &reader)
            self = .passkeyReply(address, Sensitive(try reader.u32("passkey")))
        case .refusePasskey: self = .refusePasskey(try BluetoothAddress(from: &reader))
        case .refuseConfirmation: self = .refuseConfirmation(try BluetoothAddress(from: &reader))
        case .disconnect: self = .disconnect(try BluetoothAddress(from: &reader))
        case .setStaticAddress:
            var typed = ByteReader(try reader.octets(6, "static address") + [BluetoothAddress.Kind.random.rawValue])
            self = .setStaticAddress(try BluetoothAddress(from: &typed))
        case .addAdvertising:
            let number = try reader.u8("advertising instance")
            let flags = AdvertisingFlags(rawValue: try reader.u32("advertising flags"))
            _ = try reader.u32("duration and timeout")
            let (data, scanResponse) = try Self.parts(&reader)
            self = .addAdvertising(
                AdvertisingInstance(number: number, flags: flags, data: data, scanResponse: scanResponse))
        case .setDefaultConfiguration:
            var interval: UInt16 = 0
            while reader.remaining > 0 {
                let parameter = try reader.u16("parameter type")
                let value = try reader.octets(Int(try reader.u8("parameter length")), "parameter")
                if parameter == 0x000A, value.count == 2 { interval = UInt16(value[0]) | UInt16(value[1]) << 8 }
            }
            self = .setDefaultAdvertisingInterval(interval)
        case .addAdvertisingParameters:
            let number = try reader.u8("advertising instance")
            let flags = AdvertisingFlags(rawValue: try reader.u32("advertising flags"))
            _ = try reader.u32("duration and timeout")
            let interval = try reader.u32("least interval")
            _ = try reader.u32("most interval")
            _ = try reader.u8("transmit power")
            self = .addAdvertisingParameters(number, flags, interval: interval)
        case .addAdvertisingData:
            let number = try reader.u8("advertising instance")
            let (data, scanResponse) = try Self.parts(&reader)
            self = .addAdvertisingData(number, data: data, scanResponse: scanResponse)
        }
        try reader.finish("management command")
    }

    private static func flag(_ reader: inout ByteReader) throws(WireError) -> Bool {
        let at = reader.offset
        let value = try reader.u8("flag")
        guard value <= 1 else { throw .invalid(field: "flag", offset: at, value: UInt64(value)) }
        return value == 1
    }

    private static func parts(_ reader: inout ByteReader) throws(WireError) -> ([UInt8], [UInt8]) {
        let dataLength = Int(try reader.u8("advertising data length"))
        let responseLength = Int(try reader.u8("scan response length"))
        let data = try reader.octets(dataLength, "advertising data")
        return (data, try reader.octets(responseLength, "scan response"))
    }
}
