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
        case .connect(let link), .accepted(let link), .attribute(let link, _), .alive(let link), .terminated(let link):
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
        default: throw .invalid(field: "kind", offset: at, value: UInt64(kind))
        }
        try reader.finish("Bluetooth air frame")
    }
}
