package import Octets

/// The first six octets of the hash of a service's lower-case name, in one word.
///
/// The hash needs SHA-256 and is therefore made in NANSecurity.
package struct ServiceID: WireCodable, Hashable, CustomStringConvertible {
    package let bits: UInt64
    package init(bits: UInt64) { self.bits = bits & 0xFFFF_FFFF_FFFF }

    /// The first six of `octets`, a digest usually.
    package init(_ octets: some Sequence<UInt8>) {
        bits = octets.prefix(6).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        self.init(try reader.octets(6, "service ID"))
    }

    package func encode(into writer: inout ByteWriter) {
        for shift in (0..<6).reversed() { writer.u8(UInt8(truncatingIfNeeded: bits >> (8 * shift))) }
    }

    package var description: String { "service \(encoded.hex)" }
}
