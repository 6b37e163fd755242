/// What a datagram is on a port that carries control and video together (RFC 5761, 4; RFC 7983, 7).
package enum DatagramKind: Equatable, Sendable {
    /// First octet 128-191 and second octet 192-223.
    case rtcp
    /// First octet 20-63.
    case dtls
    /// All the rest, the empty datagram included: the maker's own, handed on untouched.
    case control

    package init(of datagram: [UInt8]) {
        self.init(first: datagram.first, second: datagram.count > 1 ? datagram[1] : nil)
    }

    /// Decides by the octets a datagram has, nil where it is too short.
    package init(first: UInt8?, second: UInt8?) {
        switch (first, second) {
        case ((20...63)?, _): self = .dtls
        case ((128...191)?, (192...223)?): self = .rtcp
        default: self = .control
        }
    }
}
