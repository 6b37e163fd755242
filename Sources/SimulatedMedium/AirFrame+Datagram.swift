package import Octets

/// How a transmission travels between processes: one datagram, little-endian.
///
/// | octets | |
/// | --- | --- |
/// | 0-3 | `41 57 41 52` |
/// | 4 | version, 1 |
/// | 5 | kind: 1 frame, 2 sealed frame, 3 acknowledgement |
/// | 6-7 | control frequency, MHz |
/// | 8-15 | when it began, ns of `CLOCK_BOOTTIME` |
/// | 16-23 | kind 2 only: the seal |
/// | … | kind 1 and 2: the frame, 24…2328 octets; kind 3: receiver, sender (6 octets each), LE16 sequence number |
extension AirFrame {
    private static let magic: [UInt8] = [0x41, 0x57, 0x41, 0x52]
    private static let version: UInt8 = 1
    /// Nothing longer is one of ours.
    package static let longestDatagram = 24 + MACHeader.longestFrame

    package var datagram: [UInt8] {
        var writer = ByteWriter(reserving: 64)
        writer.octets(Self.magic)
        writer.u8(Self.version)
        switch content {
        case .frame(_, nil): writer.u8(1)
        case .frame: writer.u8(2)
        case .acknowledgement: writer.u8(3)
        }
        writer.u16(UInt16(clamping: frequency))
        writer.u64(UInt64(bitPattern: sentAt.nanoseconds))
        switch content {
        case .frame(let octets, let seal):
            if let seal { writer.u64(seal.code) }
            writer.octets(octets)
        case .acknowledgement(let to, let from, let sequence):
            to.encode(into: &writer)
            from.encode(into: &writer)
            writer.u16(sequence)
        }
        return writer.bytes
    }

    package init(datagram: [UInt8]) throws(WireError) {
        var reader = ByteReader(datagram)
        guard try reader.octets(4, "magic") == Self.magic else { throw .invalid(field: "magic", offset: 0, value: 0) }
        let version = try reader.u8("version")
        guard version == Self.version else { throw .invalid(field: "version", offset: 4, value: UInt64(version)) }
        let kind = try reader.u8("kind")
        frequency = Int(try reader.u16("frequency"))
        let time = try reader.u64("time")
        // A year 2262 that cannot come; later arithmetic must not overflow.
        guard time < 1 << 62 else { throw .invalid(field: "time", offset: 8, value: time) }
        sentAt = MonotonicInstant(nanoseconds: Int64(time))
        switch kind {
        case 1, 2:
            let seal = kind == 2 ? Seal(code: try reader.u64("seal")) : nil
            let count = reader.remaining
            guard (MACHeader.length...MACHeader.longestFrame).contains(count) else {
                throw .invalid(field: "frame length", offset: reader.offset, value: UInt64(count))
            }
            content = .frame(try reader.octets(count, "frame"), seal: seal)
        case 3:
            let to = try MACAddress(from: &reader)
            let from = try MACAddress(from: &reader)
            content = .acknowledgement(to: to, from: from, sequence: try reader.u16("sequence"))
            try reader.finish("acknowledgement")
        default: throw .invalid(field: "kind", offset: 5, value: UInt64(kind))
        }
    }
}
