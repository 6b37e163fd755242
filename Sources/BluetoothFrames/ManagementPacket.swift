package import Octets

/// One packet of the kernel's Bluetooth management channel, command or event (mgmt-api.txt, "Packet Structures").
package struct ManagementPacket: Equatable, Sendable {
    /// The controller index of packets that are about none.
    package static let noController: UInt16 = 0xFFFF
    package static let headerLength = 6

    /// The command's or the event's.
    package var code: UInt16
    package var index: UInt16
    package var parameters: [UInt8]

    package init(code: UInt16, index: UInt16, parameters: [UInt8] = []) {
        self.code = code
        self.index = index
        self.parameters = parameters
    }

    /// Reads a whole packet; `keyLength` octets of the declared length travelled beside it.
    package init(octets: [UInt8], keyLength: Int = 0) throws(WireError) {
        var reader = ByteReader(octets)
        code = try reader.u16("management code")
        index = try reader.u16("controller index")
        let at = reader.offset
        let length = Int(try reader.u16("management length"))
        guard length == reader.remaining + keyLength else {
            throw .invalid(field: "management length", offset: at, value: UInt64(length))
        }
        parameters = reader.rest()
    }

    /// The packet, whose length counts a key of `keyLength` octets that is added to it later.
    package func octets(keyLength: Int = 0) -> [UInt8] {
        var writer = ByteWriter(reserving: Self.headerLength + parameters.count)
        writer.u16(code)
        writer.u16(index)
        writer.u16(UInt16(clamping: parameters.count + keyLength))
        writer.octets(parameters)
        return writer.bytes
    }
}

/// What became of a command (mgmt-api.txt, "Error Codes").
package struct ManagementStatus: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }

    package static let success = Self(0x00)
    package static let unknownCommand = Self(0x01)
    package static let notConnected = Self(0x02)
    package static let failed = Self(0x03)
    package static let authenticationFailed = Self(0x05)
    package static let notPaired = Self(0x06)
    package static let busy = Self(0x0A)
    package static let rejected = Self(0x0B)
    package static let notSupported = Self(0x0C)
    package static let invalidParameters = Self(0x0D)
    package static let notPowered = Self(0x0F)
    package static let invalidIndex = Self(0x11)
    package static let blockedByRFKill = Self(0x12)
    package static let permissionDenied = Self(0x14)

    private static let names = [
        "success", "unknown command", "not connected", "failed", "connect failed", "authentication failed",
        "not paired", "no resources", "timeout", "already connected", "busy", "rejected", "not supported",
        "invalid parameters", "disconnected", "not powered", "cancelled", "invalid index", "blocked by rfkill",
        "already paired", "permission denied",
    ]

    package var description: String {
        Self.names.indices.contains(Int(rawValue)) ? Self.names[Int(rawValue)] : "status \(rawValue)"
    }
}
