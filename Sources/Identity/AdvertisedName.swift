/// A vendor, model or pairing name, which fits into a publish frame while the pairing window is open.
package struct AdvertisedName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Octets of UTF-8: what the one public implementation of the phone's side takes (docs/WIRE.md).
    package static let maximumLength = 15
    package static let accepted = "1 to \(maximumLength) octets of UTF-8 without control characters"

    /// `field` is the key to name in the error.
    package init(_ text: String, field: String) throws(IdentityError) {
        guard (1...Self.maximumLength).contains(text.utf8.count), !text.hasControlCharacters,
            text.unicodeScalars.contains(where: { !$0.properties.isWhitespace })
        else { throw IdentityError(field: field, value: text, accepted: Self.accepted) }
        self.text = text
    }

    package var description: String { text }
}

/// What the maker calls this one unit.
package struct SerialNumber: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// Octets: what a Bluetooth Device Information characteristic carries in one read at the smallest MTU, and a
    /// label shows in one line.
    package static let maximumLength = 20
    package static let accepted = "1 to \(maximumLength) printable ASCII characters without spaces"

    package init(_ text: String) throws(IdentityError) {
        guard (1...Self.maximumLength).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw IdentityError(field: "serial-number", value: text, accepted: Self.accepted) }
        self.text = text
    }

    package var description: String { text }
}

extension String {
    /// Control and format characters would move a terminal's cursor or hide in a label.
    var hasControlCharacters: Bool {
        unicodeScalars.contains {
            $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
                || $0.properties.generalCategory == .lineSeparator
                || $0.properties.generalCategory == .paragraphSeparator
        }
    }
}
