internal import Octets

/// The netlink attributes of a received message or nest, in their order.
///
/// What follows a malformed attribute is left out: the kernel sends none, and half a message is no reason to stop.
struct NetlinkAttributes {
    struct Attribute {
        var type: UInt16
        var payload: [UInt8]

        /// The attributes inside.
        var nest: NetlinkAttributes { NetlinkAttributes(payload) }
    }

    /// The kernel's marks for nests and byte order are no part of a type.
    private static let typeMask: UInt16 = 0x3FFF

    let all: [Attribute]

    init(_ octets: some Collection<UInt8>) {
        let octets = Array(octets)
        var all: [Attribute] = []
        var at = 0
        while octets.count - at >= 4 {
            let length = Int(octets[at]) | Int(octets[at + 1]) << 8
            let type = UInt16(octets[at + 2]) | UInt16(octets[at + 3]) << 8
            guard length >= 4, length <= octets.count - at else { break }
            all.append(Attribute(type: type & Self.typeMask, payload: Array(octets[at + 4..<at + length])))
            at += (length + 3) & ~3
        }
        self.all = all
    }

    /// The payload of the first of that type.
    subscript(type: UInt16) -> [UInt8]? { all.first { $0.type == type }?.payload }

    func has(_ type: UInt16) -> Bool { self[type] != nil }

    func nest(_ type: UInt16) -> NetlinkAttributes? { self[type].map { NetlinkAttributes($0) } }

    func u8(_ type: UInt16) -> UInt8? { self[type].flatMap { $0.count == 1 ? $0[0] : nil } }
    func u16(_ type: UInt16) -> UInt16? { integer(type, count: 2).map { UInt16(truncatingIfNeeded: $0) } }
    func u32(_ type: UInt16) -> UInt32? { integer(type, count: 4).map { UInt32(truncatingIfNeeded: $0) } }
    func u64(_ type: UInt16) -> UInt64? { integer(type, count: 8) }

    /// A whole number of 32-bit words.
    func words(_ type: UInt16) -> [UInt32] {
        guard let octets = self[type] else { return [] }
        return stride(from: 0, to: octets.count / 4 * 4, by: 4).map { at in
            (0..<4).reduce(0) { $0 | UInt32(octets[at + $1]) << (8 * UInt32($1)) }
        }
    }

    /// Without the NUL that may end it.
    func string(_ type: UInt16) -> String? {
        self[type].map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    func mac(_ type: UInt16) -> MACAddress? {
        guard let octets = self[type], octets.count == 6 else { return nil }
        return MACAddress(bits: octets.reduce(0) { $0 << 8 | UInt64($1) })
    }

    private func integer(_ type: UInt16, count: Int) -> UInt64? {
        guard let octets = self[type], octets.count == count else { return nil }
        return octets.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
