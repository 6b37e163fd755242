package import Octets

/// Device Capability attribute (Wi-Fi Aware v4.0; hostap nan_defs.h).
package struct DeviceCapability: WireCodable {
    /// Which discovery windows the device wakes in; goes to the kernel as it is.
    package struct CommittedDW: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        /// Every window of both bands, override map 1: what hostap sends on one radio.
        package static let everyWindow = Self(rawValue: 0x0449)

        /// Awake in every n-th 2.4 GHz window counted from DW0; nil is never.
        package var interval24GHz: Int? { Self.interval(rawValue & 0x07) }
        /// The same for the 5 GHz windows.
        package var interval5GHz: Int? { Self.interval(rawValue >> 3 & 0x07) }

        private static func interval(_ value: UInt16) -> Int? { value == 0 ? nil : 1 << Int(value - 1) }
    }

    package struct Bands: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let sub1GHz = Self(rawValue: 1 << 1)
        package static let band24GHz = Self(rawValue: 1 << 2)
        package static let band5GHz = Self(rawValue: 1 << 4)
        package static let band6GHz = Self(rawValue: 1 << 7)
    }

    package struct OperationMode: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let vht = Self(rawValue: 1 << 0)
        package static let vht80Plus80 = Self(rawValue: 1 << 1)
        package static let vht160 = Self(rawValue: 1 << 2)
        package static let he = Self(rawValue: 1 << 4)
    }

    package struct Capabilities: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let dfsMaster = Self(rawValue: 1 << 0)
        package static let extendedKeyID = Self(rawValue: 1 << 1)
        package static let simultaneousNDPReception = Self(rawValue: 1 << 2)
        /// NDPE is understood, so it is what data paths are set up with.
        package static let ndpeSupported = Self(rawValue: 1 << 3)
        package static let s3 = Self(rawValue: 1 << 4)
    }

    /// Bit 0 set: only the map in bits 1…4; 0 is every map.
    package var mapID: UInt8
    package var committedDW: CommittedDW
    package var bands: Bands
    package var operationMode: OperationMode
    /// Low nibble transmit, high nibble receive.
    package var antennas: UInt8
    /// Microseconds.
    package var maximumChannelSwitchTime: UInt16
    package var capabilities: Capabilities
    package let tail: [UInt8]

    package init(
        mapID: UInt8 = 0, committedDW: CommittedDW, bands: Bands, operationMode: OperationMode, antennas: UInt8,
        maximumChannelSwitchTime: UInt16 = 0, capabilities: Capabilities
    ) {
        self.mapID = mapID
        self.committedDW = committedDW
        self.bands = bands
        self.operationMode = operationMode
        self.antennas = antennas
        self.maximumChannelSwitchTime = maximumChannelSwitchTime
        self.capabilities = capabilities
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        mapID = try reader.u8("device capability map ID")
        committedDW = CommittedDW(rawValue: try reader.u16("committed DW"))
        bands = Bands(rawValue: try reader.u8("supported bands"))
        operationMode = OperationMode(rawValue: try reader.u8("operation mode"))
        antennas = try reader.u8("antennas")
        maximumChannelSwitchTime = try reader.u16("maximum channel switch time")
        capabilities = Capabilities(rawValue: try reader.u8("device capabilities"))
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(mapID)
        writer.u16(committedDW.rawValue)
        writer.u8(bands.rawValue)
        writer.u8(operationMode.rawValue)
        writer.u8(antennas)
        writer.u16(maximumChannelSwitchTime)
        writer.u8(capabilities.rawValue)
        writer.octets(tail)
    }

    package var receiveAntennas: UInt8 { antennas >> 4 }
}

/// Device Capability Extension attribute, DCEA; an iPhone ignores a publish without one.
package struct DeviceCapabilityExtension: WireCodable {
    package struct Pairing: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package static let setupEnabled = Self(rawValue: 1 << 0)
        /// NPK and NIK are kept, so a later verification needs no PIN.
        package static let cachingEnabled = Self(rawValue: 1 << 1)
    }

    /// Bit 0 valid, bits 1…3 the kind of access point for 6 GHz.
    package let regulatory: UInt8
    package let pairing: Pairing
    package let tail: [UInt8]

    package init(regulatory: UInt8 = 0, pairing: Pairing) {
        self.regulatory = regulatory
        self.pairing = pairing
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        regulatory = try reader.u8("DCEA regulatory information")
        pairing = Pairing(rawValue: try reader.u8("DCEA pairing capabilities"))
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(regulatory)
        writer.u8(pairing.rawValue)
        writer.octets(tail)
    }
}
