internal import Octets

/// Appends netlink attributes: each a length, a type, a payload, and padding to four octets.
///
/// Ordered, and an attribute may come twice, because NAN_CHANNEL does. Integers are in the host's order, which is
/// little-endian on everything this runs on.
struct NetlinkWriter {
    /// A nested attribute has it, or the strict parsers refuse the message.
    private static let nested: UInt16 = 0x8000
    private static let headerLength = 4

    private(set) var octets: [UInt8] = []
    /// Where the message's secret goes, which is sent from where it lies and never stands here.
    private(set) var secret: Range<Int>?

    mutating func u8(_ type: UInt16, _ value: UInt8) { octets(type, [value]) }

    mutating func u16(_ type: UInt16, _ value: UInt16) {
        open(type, length: 2)
        append16(value)
        pad()
    }

    mutating func u32(_ type: UInt16, _ value: UInt32) {
        open(type, length: 4)
        append16(UInt16(truncatingIfNeeded: value))
        append16(UInt16(truncatingIfNeeded: value >> 16))
    }

    mutating func u64(_ type: UInt16, _ value: UInt64) {
        open(type, length: 8)
        for shift in stride(from: UInt64(0), to: 64, by: 16) { append16(UInt16(truncatingIfNeeded: value >> shift)) }
    }

    mutating func flag(_ type: UInt16) { open(type, length: 0) }

    /// Ended by NUL.
    mutating func string(_ type: UInt16, _ value: String) { octets(type, Array(value.utf8) + [0]) }

    mutating func mac(_ type: UInt16, _ value: MACAddress) { octets(type, value.encoded) }

    mutating func octets(_ type: UInt16, _ value: [UInt8]) {
        open(type, length: value.count)
        octets += value
        pad()
    }

    /// Room for a secret of `count` octets; one a message.
    mutating func secret(_ type: UInt16, count: Int) {
        open(type, length: count)
        secret = octets.count..<octets.count + count
        octets += [UInt8](repeating: 0, count: count)
        pad()
    }

    mutating func nest(_ type: UInt16, _ body: (inout NetlinkWriter) -> Void) {
        let start = octets.count
        open(type | Self.nested, length: 0)
        body(&self)
        let length = octets.count - start
        precondition(length <= Int(UInt16.max), "a nest longer than its length field counts")
        octets[start] = UInt8(truncatingIfNeeded: length)
        octets[start + 1] = UInt8(truncatingIfNeeded: length >> 8)
    }

    /// What comes before the attributes: the header of generic netlink, or of a routing message.
    mutating func fixed(_ value: [UInt8]) {
        octets += value
        pad()
    }

    private mutating func open(_ type: UInt16, length: Int) {
        precondition(length <= Int(UInt16.max) - Self.headerLength, "an attribute longer than its length field counts")
        append16(UInt16(Self.headerLength + length))
        append16(type)
    }

    private mutating func append16(_ value: UInt16) {
        octets.append(UInt8(truncatingIfNeeded: value))
        octets.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    private mutating func pad() { while octets.count % 4 != 0 { octets.append(0) } }
}
