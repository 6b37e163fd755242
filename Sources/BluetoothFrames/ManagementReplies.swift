package import Octets

/// What a controller is able to do, or does (mgmt-api.txt, "Read Controller Information").
package struct ControllerSettings: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let powered = Self(rawValue: 1 << 0)
    package static let connectable = Self(rawValue: 1 << 1)
    package static let bondable = Self(rawValue: 1 << 4)
    package static let simplePairing = Self(rawValue: 1 << 6)
    package static let classic = Self(rawValue: 1 << 7)
    package static let lowEnergy = Self(rawValue: 1 << 9)
    package static let advertising = Self(rawValue: 1 << 10)
    package static let secureConnections = Self(rawValue: 1 << 11)
    package static let privacy = Self(rawValue: 1 << 13)
    package static let staticAddress = Self(rawValue: 1 << 15)
}

/// Read Controller Index List.
package struct ControllerList: WireCodable {
    /// More than a machine has; the list is the kernel's, so a longer one is a mistake.
    package static let limit = 64

    package var indices: [UInt16]

    package init(indices: [UInt16]) { self.indices = indices }

    package init(from reader: inout ByteReader) throws(WireError) {
        let at = reader.offset
        let count = Int(try reader.u16("controller count"))
        guard count <= Self.limit else {
            throw .excessive(field: "controller count", offset: at, limit: Self.limit)
        }
        indices = []
        for _ in 0..<count { indices.append(try reader.u16("controller index")) }
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u16(UInt16(clamping: indices.count))
        for index in indices { writer.u16(index) }
    }
}

/// Read Controller Information, without what BR/EDR is called by.
package struct ControllerInformation: WireCodable {
    /// The public address; all zero in a controller that has none.
    package var address: BluetoothAddress
    /// Core version as HCI numbers it: 9 is 5.0.
    package var version: UInt8
    package var manufacturer: UInt16
    package var supported: ControllerSettings
    package var current: ControllerSettings

    package init(
        address: BluetoothAddress, version: UInt8, manufacturer: UInt16, supported: ControllerSettings,
        current: ControllerSettings
    ) {
        self.address = address
        self.version = version
        self.manufacturer = manufacturer
        self.supported = supported
        self.current = current
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        var typed = ByteReader(try reader.octets(6, "controller address") + [BluetoothAddress.Kind.public.rawValue])
        address = try BluetoothAddress(from: &typed)
        version = try reader.u8("Bluetooth version")
        manufacturer = try reader.u16("manufacturer")
        supported = ControllerSettings(rawValue: try reader.u32("supported settings"))
        current = ControllerSettings(rawValue: try reader.u32("current settings"))
        _ = try reader.octets(3 + 249 + 11, "class and names")
    }

    package func encode(into writer: inout ByteWriter) {
        writer.octets(address.encoded.prefix(6))
        writer.u8(version)
        writer.u16(manufacturer)
        writer.u32(supported.rawValue)
        writer.u32(current.rawValue)
        writer.octets([UInt8](repeating: 0, count: 3 + 249 + 11))
    }
}

/// Read Advertising Features.
package struct AdvertisingFeatures: WireCodable {
    package var flags: AdvertisingFlags
    package var longestData: UInt8
    package var longestScanResponse: UInt8
    package var instanceLimit: UInt8
    /// Those in use, by whoever.
    package var instances: [UInt8]

    package init(
        flags: AdvertisingFlags, longestData: UInt8, longestScanResponse: UInt8, instanceLimit: UInt8,
        instances: [UInt8] = []
    ) {
        self.flags = flags
        self.longestData = longestData
        self.longestScanResponse = longestScanResponse
        self.instanceLimit = instanceLimit
        self.instances = instances
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        flags = AdvertisingFlags(rawValue: try reader.u32("advertising flags"))
        longestData = try reader.u8("longest advertising data")
        longestScanResponse = try reader.u8("longest scan response")
        instanceLimit = try reader.u8("advertising instances")
        instances = try reader.octets(Int(try reader.u8("instances in use")), "instances in use")
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u32(flags.rawValue)
        writer.u8(longestData)
        writer.u8(longestScanResponse)
        writer.u8(instanceLimit)
        writer.lengthPrefixed8 { $0.octets(instances.prefix(255)) }
    }
}
