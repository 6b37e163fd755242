/// An address a socket can be bound or connected to.
package enum IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Most significant octet first in the number: 127.0.0.1 is 0x7F000001. The simulated data interface's.
    case v4(UInt32)
    /// `scope` is the interface index of a link-local address, else 0.
    case v6(high: UInt64, low: UInt64, scope: UInt32)

    /// fe80::/64 with an interface identifier of 8 octets, as NDPE carries it.
    package static func linkLocal(identifier: UInt64, scope: UInt32) -> IPAddress {
        .v6(high: 0xFE80_0000_0000_0000, low: identifier, scope: scope)
    }

    package static let loopback6 = IPAddress.v6(high: 0, low: 1, scope: 0)

    package var description: String {
        switch self {
        case .v4(let bits):
            return [24, 16, 8, 0].map { String((bits >> UInt32($0)) & 0xFF) }.joined(separator: ".")
        case .v6(let high, let low, let scope):
            let groups = [high, low].flatMap { half in
                [48, 32, 16, 0].map { String((half >> UInt64($0)) & 0xFFFF, radix: 16) }
            }
            return groups.joined(separator: ":") + (scope == 0 ? "" : "%\(scope)")
        }
    }
}

/// An address with a port.
package struct IPEndpoint: Hashable, Sendable, CustomStringConvertible {
    package var address: IPAddress
    package var port: UInt16

    package init(address: IPAddress, port: UInt16) {
        self.address = address
        self.port = port
    }

    package var description: String {
        if case .v6 = address { return "[\(address)]:\(port)" }
        return "\(address):\(port)"
    }
}
