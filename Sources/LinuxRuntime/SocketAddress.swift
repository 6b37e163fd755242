internal import CLinux

/// An internet address with a port, as the kernel's calls want it.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    package enum Host: Hashable, Sendable {
        /// 127.0.0.1 is 0x7F000001.
        case v4(UInt32)
        /// `scope` is the interface index of a link-local address, else 0.
        case v6(high: UInt64, low: UInt64, scope: UInt32)
    }

    package var host: Host
    package var port: UInt16

    package init(_ host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }

    package var isV6: Bool {
        switch host {
        case .v4: false
        case .v6: true
        }
    }

    package var description: String {
        switch host {
        case .v4(let bits):
            return [24, 16, 8, 0].map { String(bits >> UInt32($0) & 0xFF) }.joined(separator: ".") + ":\(port)"
        case .v6(let high, let low, let scope):
            let groups = [high, low].flatMap { half in
                [48, 32, 16, 0].map { String(half >> UInt64($0) & 0xFFFF, radix: 16) }
            }
            return "[" + groups.joined(separator: ":") + (scope == 0 ? "" : "%\(scope)") + "]:\(port)"
        }
    }

    init(_ address: clinux_address) {
        var octets = address.octets
        let (high, low) = withUnsafeBytes(of: &octets) {
            (
                UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        port = address.port
        host = address.is_v6 != 0 ? .v6(high: high, low: low, scope: address.scope) : .v4(UInt32(high >> 32))
    }

    /// The shim's form.
    var kernel: clinux_address {
        var address = clinux_address()
        let (high, low): (UInt64, UInt64)
        switch host {
        case .v4(let bits): (high, low) = (UInt64(bits) << 32, 0)
        case .v6(let first, let second, let scope):
            (high, low) = (first, second)
            address.scope = scope
            address.is_v6 = 1
        }
        address.port = port
        withUnsafeMutableBytes(of: &address.octets) {
            $0.storeBytes(of: high.bigEndian, as: UInt64.self)
            $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        return address
    }
}
