package import Cryptography

/// The key data of a shared key descriptor: KDEs, padded and wrapped (IEEE 802.11-2020 12.7.2).
package struct KeyData: Equatable, Sendable {
    /// A KDE's kind: OUI and data type in one word.
    package struct Selector: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        package static let gtk = Self(rawValue: 0x000F_AC01)
        package static let igtk = Self(rawValue: 0x000F_AC09)
        package static let bigtk = Self(rawValue: 0x000F_AC0E)
        package static let nik = Self(rawValue: 0x506F_9A24)
        package static let lifetime = Self(rawValue: 0x506F_9A25)
    }

    package struct Element: Equatable, Sendable {
        package let selector: Selector
        package let content: SecretKey

        /// - Precondition: at most 251 octets, for the length field has one.
        package init(_ selector: Selector, _ content: SecretKey) {
            precondition(content.count <= 251, "KDE of \(content.count) octets")
            self.selector = selector
            self.content = content
        }
    }

    package enum Failure: Error, Equatable, Sendable {
        /// The key does not fit, or somebody changed the octets.
        case unwrapFailed
        /// A KDE that ends after the data does, or lacks a selector.
        case malformed
        /// A KDE that has to be there is not.
        case missing(Selector)
        /// A KDE whose content has the wrong length or an unknown version.
        case unusable(Selector)
    }

    package let elements: [Element]

    package init(_ elements: [Element]) { self.elements = elements }

    package func first(_ selector: Selector) -> SecretKey? { elements.first { $0.selector == selector }?.content }

    private static let identifier: UInt8 = 0xDD

    /// - Precondition: there is at least one KDE of ten octets, which no use of this lacks.
    package func wrapped(with key: SecretKey) -> [UInt8] { AESKeyWrap.wrap(padded, with: key) }

    /// The KDEs, filled up to a multiple of eight octets with DD and zeros.
    package var padded: SecretKey {
        var parts: [SecretKey] = []
        for element in elements {
            let selector = (0..<4).map { UInt8(truncatingIfNeeded: element.selector.rawValue >> (24 - 8 * $0)) }
            parts.append(SecretKey(copying: [Self.identifier, UInt8(element.content.count + 4)] + selector))
            parts.append(element.content)
        }
        let missing = (8 - parts.reduce(0) { $0 + $1.count } % 8) % 8
        if missing > 0 {
            parts.append(SecretKey(copying: [Self.identifier] + [UInt8](repeating: 0, count: missing - 1)))
        }
        return SecretKey(concatenating: parts)
    }

    package init(unwrapping wrapped: [UInt8], with key: SecretKey) throws(Failure) {
        let plain: SecretKey
        do throws(CryptoError) { plain = try AESKeyWrap.unwrap(wrapped, with: key) } catch { throw .unwrapFailed }
        try self.init(parsing: plain)
    }

    /// Elements that are no KDEs are passed over, as 802.11 wants it.
    package init(parsing plain: SecretKey) throws(Failure) {
        var elements: [Element] = []
        var offset = 0
        let octet = { (index: Int) in plain.withOctets { $0[index] } }
        while offset < plain.count {
            let identifier = octet(offset)
            // Padding: DD 00…, or a lone DD in the last octet.
            if identifier == Self.identifier, offset + 1 == plain.count || octet(offset + 1) == 0 { break }
            guard offset + 1 < plain.count else { throw .malformed }
            let length = Int(octet(offset + 1))
            let end = offset + 2 + length
            guard end <= plain.count else { throw .malformed }
            if identifier == Self.identifier {
                guard length >= 4 else { throw .malformed }
                let selector = (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(octet(offset + 2 + $1)) }
                elements.append(Element(Selector(rawValue: selector), plain.part(offset + 6..<end)))
            }
            offset = end
        }
        self.elements = elements
    }
}
