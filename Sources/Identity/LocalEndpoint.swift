/// An address on this board where a local program listens: loopback only, so that no handler forwards to a network.
package struct LocalEndpoint: Hashable, Sendable, CustomStringConvertible {
    package enum Host: Hashable, Sendable {
        /// The last three octets of 127.0.0.0/8.
        case ipv4(UInt8, UInt8, UInt8)
        /// ::1.
        case ipv6
    }

    package let host: Host
    package let port: UInt16

    package static let accepted = "127.x.x.x:PORT or [::1]:PORT, port 1 to 65535"

    package init(host: Host, port: UInt16) {
        self.host = host
        self.port = port
    }

    package init(_ text: String, field: String) throws(IdentityError) {
        guard let colon = text.lastIndex(of: ":"), let port = Self.decimal(text[text.index(after: colon)...], 65535),
            port > 0, let host = Self.host(text[..<colon])
        else { throw IdentityError(field: field, value: text, accepted: Self.accepted) }
        self.init(host: host, port: UInt16(port))
    }

    /// The address as text, without the port.
    package var address: String {
        switch host {
        case .ipv4(let b, let c, let d): "127.\(b).\(c).\(d)"
        case .ipv6: "::1"
        }
    }

    package var description: String { host == .ipv6 ? "[::1]:\(port)" : "\(address):\(port)" }

    private static func host(_ text: Substring) -> Host? {
        if text == "[::1]" { return .ipv6 }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "127", let b = decimal(parts[1], 255), let c = decimal(parts[2], 255),
            let d = decimal(parts[3], 255)
        else { return nil }
        return .ipv4(UInt8(b), UInt8(c), UInt8(d))
    }

    /// A plain decimal number; a sign, a leading zero or anything past `limit` is none.
    private static func decimal(_ text: Substring, _ limit: Int) -> Int? {
        guard (1...5).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            text.utf8.count == 1 || text.first != "0", let number = Int(text), number <= limit
        else { return nil }
        return number
    }
}
