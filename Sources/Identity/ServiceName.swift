/// The protocol a service's port speaks.
package enum TransportProtocol: String, CaseIterable, Hashable, Sendable {
    case udp
    case tcp

    /// The number in an IP header, and in the generic service protocol's transport TLV.
    package var number: UInt8 {
        switch self {
        case .udp: 17
        case .tcp: 6
        }
    }
}

/// A service's name as phones declare it, `_drone-service._udp` (RFC 6335 5.1, RFC 6763 7).
package struct ServiceName: Hashable, Sendable, CustomStringConvertible {
    /// The part between the underscore and the dot, as it was declared.
    package let label: String
    package let transport: TransportProtocol

    package static let maximumLabelLength = 15
    package static let accepted =
        "_name._udp or _name._tcp, name of 1 to \(maximumLabelLength) letters, digits and hyphens, at least one letter, "
        + "no hyphen first, last or doubled"

    package init(_ text: String, field: String = "name") throws(IdentityError) {
        func refused() -> IdentityError { IdentityError(field: field, value: text, accepted: Self.accepted) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].first == "_", parts[1].first == "_",
            let transport = TransportProtocol(rawValue: parts[1].dropFirst().asciiLowercased)
        else { throw refused() }
        let label = parts[0].dropFirst()
        guard Self.isValid(label) else { throw refused() }
        self.label = String(label)
        self.transport = transport
    }

    /// The whole name as it was declared.
    package var text: String { "_\(label)._\(transport.rawValue)" }

    /// The form that is hashed into the service identifier: ASCII letters lowered, no trailing dot.
    package var canonical: String { text.asciiLowercased }

    package var description: String { text }

    // Names compare as they are found: without regard to the case of letters (RFC 6335 5.1).
    package static func == (left: Self, right: Self) -> Bool { left.canonical == right.canonical }
    package func hash(into hasher: inout Hasher) { hasher.combine(canonical) }

    private static func isValid(_ label: Substring) -> Bool {
        guard (1...maximumLabelLength).contains(label.utf8.count), label.first != "-", label.last != "-"
        else { return false }
        var hasLetter = false
        var previous: UInt8 = 0
        for octet in label.utf8 {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): hasLetter = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break
            case UInt8(ascii: "-"): if previous == octet { return false }
            default: return false
            }
            previous = octet
        }
        return hasLetter
    }
}

extension StringProtocol {
    /// Lowers ASCII letters and leaves everything else alone, as the service identifier's hash wants it.
    fileprivate var asciiLowercased: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 },
            as: UTF8.self)
    }
}
