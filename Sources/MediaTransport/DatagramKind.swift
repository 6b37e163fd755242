/// What a datagram is on a port that carries control and video together (RFC 5761, 4; RFC 7983, 7).
package enum DatagramKind: Equatable, Sendable {
    /// First octet 128-191 and second octet 192-223.
    case rtcp
    /// First octet 20-63.
    case dtls
    /// All the rest, the empty datagram included: the maker's own, handed on untouched.
    case control

    package init(of datagram: [UInt8]) {
        guard let first = datagram.first else {
            self = .control
            return
        }
        switch first {
        case 20...63: self = .dtls
        case 128...191 where datagram.count > 1 && (192...223).contains(datagram[1]): self = .rtcp
        default: self = .control
        }
    }
}
