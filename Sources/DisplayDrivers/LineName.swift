/// A GPIO line as a profile names it: `GPIO17`, `gpiochip0:17`, or either after `!`, which turns the level around.
package struct LineName: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        /// What the kernel calls the line.
        case name(String)
        /// A chip by number, path or label, and the line's number on it.
        case offset(chip: String, UInt32)
    }

    package static let accepted = "a line's name, or CHIP:NUMBER; after ! when it is active-low"
    /// The kernel's names have 31 octets at most; a path may be longer.
    private static let lengths = 1...64

    package let place: Place
    package let isActiveLow: Bool

    /// Nil for what names no line.
    package init?(_ text: String) {
        isActiveLow = text.hasPrefix("!")
        let rest = isActiveLow ? String(text.dropFirst()) : text
        let isPrintable = rest.utf8.allSatisfy { (UInt8(ascii: " ")...UInt8(ascii: "~")).contains($0) }
        guard Self.lengths.contains(rest.utf8.count), isPrintable, !rest.hasPrefix("!") else { return nil }
        if let colon = rest.lastIndex(of: ":"), colon > rest.startIndex {
            let number = rest[rest.index(after: colon)...]
            if !number.isEmpty, number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
                guard let offset = UInt32(number) else { return nil }
                place = .offset(chip: String(rest[..<colon]), offset)
                return
            }
        }
        place = .name(rest)
    }

    package var text: String {
        let name: String =
            switch place {
            case .name(let name): name
            case .offset(let chip, let number): "\(chip):\(number)"
            }
        return isActiveLow ? "!" + name : name
    }
}
