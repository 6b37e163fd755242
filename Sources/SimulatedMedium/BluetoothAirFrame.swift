package import BluetoothFrames
package import Octets

/// What one simulated Bluetooth controller says to others within hearing.
package struct BluetoothAirFrame: Equatable, Sendable {
    package enum Body: Equatable, Sendable {
        /// One advertising event; the scan response is what a scanner that asks would get.
        case advertisement(data: [UInt8], scanResponse: [UInt8])
        /// CONNECT_IND: opens the link with this number, which its initiator has drawn.
        case connect(UInt32)
        /// The advertiser's first packet on the new link.
        case accepted(UInt32)
        case attribute(UInt32, [UInt8])
        /// An empty packet: the link is alive.
        case alive(UInt32)
        case terminated(UInt32)
        /// What two security managers say to each other.
        case security(UInt32, SecurityMessage)
    }

    /// Pairing by a passkey that the accepting side shows, and encryption with what came of it.
    ///
    /// Proofs stand for the rounds of the real protocol (Core 5.4, Vol 3, Part H, 2.3.5.6.3); nothing secret is on the air.
    package enum SecurityMessage: Equatable, Sendable {
        case pairingWanted
        case passkeyShown
        case passkeyTyped([UInt8])
        case paired
        /// By the numbers of Vol 3, Part H, 3.5.5; 0 when the key is missing.
        case failed(UInt8)
        case encryptionWanted([UInt8])
        case encrypted
    }

    package var source: BluetoothAddress
    /// Nil for everybody.
    package var destination: BluetoothAddress?
    package var body: Body

    package init(source: BluetoothAddress, destination: BluetoothAddress?, body: Body) {
        self.source = source
        self.destination = destination
        self.body = body
    }

    /// The link that a frame belongs to.
    var link: UInt32? {
        switch body {
        case .advertisement: nil
        case .connect(let link), .accepted(let link), .attribute(let link, _), .alive(let link), .terminated(let link),
            .security(let link, _):
            link
        }
    }
}

extension BluetoothAirFrame {
    /// Octets of the longest datagram: an ATT PDU of the longest MTU, or advertising data, with what is around it.
    package static let longestDatagram = 640
    private static let magic: UInt32 = 0x4254_4131  // "1ATB"

    /// As it goes from one process to another.
    package var datagram: [UInt8] {
        var writer = ByteWriter()
        writer.u32(Self.magic)
        source.encode(into: &writer)
        (destination ?? BluetoothAddress(.classic, bits: 0)).encode(into: &writer)
        switch body {
        case .advertisement(let data, let scanResponse):
            writer.u8(0)
            writer.lengthPrefixed8 { $0.octets(data.prefix(255)) }
            writer.lengthPrefixed8 { $0.octets(scanResponse.prefix(255)) }
        case .connect(let link): Self.write(1, link, into: &writer)
        case .accepted(let link): Self.write(2, link, into: &writer)
        case .attribute(let link, let octets):
            Self.write(3, link, into: &writer)
            writer.octets(octets)
        case .alive(let link): Self.write(4, link, into: &writer)
        case .terminated(let link): Self.write(5, link, into: &writer)
        case .security(let link, let message):
            Self.write(6, link, into: &writer)
            message.write(into: &writer)
        }
        return writer.bytes
    }

    private static func write(_ kind: UInt8, _ link: UInt32, into writer: inout ByteWriter) {
        writer.u8(kind)
        writer.u32(link)
    }

    package init(datagram: [UInt8]) throws(WireError) {
        var reader = ByteReader(datagram)
        let magic = try reader.u32("magic")
        guard magic == Self.magic else { throw .invalid(field: "magic", offset: 0, value: UInt64(magic)) }
        source = try BluetoothAddress(from: &reader)
        let destination = try BluetoothAddress(from: &reader)
        self.destination = destination.kind == .classic ? nil : destination
        let at = reader.offset
        let kind = try reader.u8("kind")
        switch kind {
        case 0:
            let data = try reader.octets(Int(try reader.u8("data length")), "advertising data")
            let response = try reader.octets(Int(try reader.u8("scan response length")), "scan response")
            body = .advertisement(data: data, scanResponse: response)
        case 1: body = .connect(try reader.u32("link"))
        case 2: body = .accepted(try reader.u32("link"))
        case 3: body = .attribute(try reader.u32("link"), reader.rest())
        case 4: body = .alive(try reader.u32("link"))
        case 5: body = .terminated(try reader.u32("link"))
        case 6:
            let link = try reader.u32("link")
            body = .security(link, try SecurityMessage(from: &reader))
        default: throw .invalid(field: "kind", offset: at, value: UInt64(kind))
        }
        try reader.finish("Bluetooth air frame")
    }
}

extension BluetoothAirFrame.SecurityMessage {
    static let proofLength = 16

    fileprivate func write(into writer: inout ByteWriter) {
        switch self {
        case .pairingWanted: writer.u8(0)
        case .passkeyShown: writer.u8(1)
        case .passkeyTyped(let proof):
            writer.u8(2)
            writer.octets(proof.prefix(Self.proofLength))
        case .paired: writer.u8(3)
        case .failed(let reason):
            writer.u8(4)
            writer.u8(reason)
        case .encryptionWanted(let proof):
            writer.u8(5)
            writer.octets(proof.prefix(Self.proofLength))
        case .encrypted: writer.u8(6)
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(WireError) {
        let at = reader.offset
        let kind = try reader.u8("security message")
        switch kind {
        case 0: self = .pairingWanted
        case 1: self = .passkeyShown
        case 2: self = .passkeyTyped(try reader.octets(Self.proofLength, "proof"))
        case 3: self = .paired
        case 4: self = .failed(try reader.u8("reason"))
        case 5: self = .encryptionWanted(try reader.octets(Self.proofLength, "proof"))
        case 6: self = .encrypted
        default: throw .invalid(field: "security message", offset: at, value: UInt64(kind))
        }
    }
}
