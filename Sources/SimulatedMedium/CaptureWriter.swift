internal import Octets

/// Writes what is on the air as pcapng (IETF opsawg draft pcapng), which Wireshark opens.
package struct CaptureWriter: Equatable, Sendable {
    /// The kinds of frames that are written, besides those of programs.
    package var beacons: Bool
    package var acknowledgements: Bool
    /// With a radiotap header: time stamp, channel and signal.
    package var radiotap: Bool
    /// Protected frames in clear, without the Protected bit, for a reader that checks what was sent.
    ///
    /// Otherwise a protected frame has its header, a CCMP header, and zeros for cipher text and MIC.
    package var opensProtected: Bool

    package init(
        beacons: Bool = true, acknowledgements: Bool = true, radiotap: Bool = true, opensProtected: Bool = false
    ) {
        self.beacons = beacons
        self.acknowledgements = acknowledgements
        self.radiotap = radiotap
        self.opensProtected = opensProtected
    }

    /// LINKTYPE_IEEE802_11 or LINKTYPE_IEEE802_11_RADIOTAP.
    private var linkType: UInt16 { radiotap ? 127 : 105 }

    /// Section header and interface description; time stamps in nanoseconds.
    package var fileHeader: [UInt8] {
        var section = ByteWriter()
        section.u32(0x1A2B_3C4D)
        section.u16(1)
        section.u16(0)
        section.u32(.max)  // section length not given: 64 bits
        section.u32(.max)
        var interface = ByteWriter()
        interface.u16(linkType)
        interface.u16(0)
        interface.u32(0)
        interface.option(2, Array("air".utf8))
        interface.option(9, [9])  // if_tsresol: 10^-9
        interface.option(0, [])
        return Self.block(0x0A0D_0D0A, section.bytes) + Self.block(1, interface.bytes)
    }

    /// One transmission as an enhanced packet block; empty when it is of a kind that is left out.
    package func packet(_ frame: AirFrame) -> [UInt8] {
        guard let octets = visible(frame.content) else { return [] }
        let packet = (radiotap ? radiotapHeader(frame) : []) + octets
        let time = UInt64(max(0, frame.sentAt.nanoseconds))
        var body = ByteWriter(reserving: packet.count + 24)
        body.u32(0)
        body.u32(UInt32(truncatingIfNeeded: time >> 32))
        body.u32(UInt32(truncatingIfNeeded: time))
        body.u32(UInt32(packet.count))
        body.u32(UInt32(packet.count))
        body.padded(packet)
        return Self.block(6, body.bytes)
    }

    private func visible(_ content: AirFrame.Content) -> [UInt8]? {
        switch content {
        case .acknowledgement(let to, _, _):
            return acknowledgements ? [0xD4, 0x00, 0x00, 0x00] + to.octets : nil
        case .frame(let octets, let seal):
            guard beacons || octets.first != 0x80 else { return nil }
            guard seal != nil, octets.count >= MACHeader.length else { return octets }
            var shown = octets
            guard !opensProtected else {
                shown[1] &= ~0x40
                return shown
            }
            let number = [octets[22], octets[23], 0x00, 0x20, 0x00, 0x00, 0x00, 0x00]
            let hidden = [UInt8](repeating: 0, count: octets.count - MACHeader.length + 8)
            return Array(octets.prefix(MACHeader.length)) + number + hidden
        }
    }

    /// Present: TSFT, flags, channel, antenna signal.
    private func radiotapHeader(_ frame: AirFrame) -> [UInt8] {
        var header = ByteWriter(reserving: 23)
        header.u16(0)
        header.u16(23)
        header.u32(1 << 0 | 1 << 1 | 1 << 3 | 1 << 5)
        let time = UInt64(max(0, frame.sentAt.nanoseconds)) / 1000
        header.u32(UInt32(truncatingIfNeeded: time))
        header.u32(UInt32(truncatingIfNeeded: time >> 32))
        header.u16(0)  // flags, padding
        header.u16(UInt16(clamping: frame.frequency))
        header.u16(frame.frequency < 3000 ? 0x00C0 : 0x0140)
        header.u8(UInt8(bitPattern: -40))
        return header.bytes
    }

    private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(reserving: body.count + 12)
        writer.u32(type)
        writer.u32(UInt32(body.count + 12))
        writer.octets(body)
        writer.u32(UInt32(body.count + 12))
        return writer.bytes
    }
}

extension ByteWriter {
    fileprivate mutating func u32(_ value: UInt32) {
        u16(UInt16(truncatingIfNeeded: value))
        u16(UInt16(truncatingIfNeeded: value >> 16))
    }

    fileprivate mutating func padded(_ octets: [UInt8]) {
        self.octets(octets)
        self.octets([UInt8](repeating: 0, count: -octets.count & 3))
    }

    fileprivate mutating func option(_ code: UInt16, _ value: [UInt8]) {
        u16(code)
        u16(UInt16(value.count))
        padded(value)
    }
}
