/// A list of length-prefixed values that narrows what a subscriber and a publisher find of each other.
package struct MatchingFilter: Equatable, Sendable {
    /// At most 255, the SDA's limit.
    package let octets: [UInt8]

    package init(_ octets: [UInt8]) {
        precondition(octets.count <= 255, "a matching filter has an 8-bit length")
        self.octets = octets
    }

    /// Whether a subscription and a publication match, with hostap's rules for absent and short lists.
    ///
    /// A subscribe value must be equalled by the publish value at the same place; an empty value on
    /// either side is a wildcard. A publish list that ends early fails, an absent one does not as long
    /// as the subscribe list has wildcards alone.
    package static func matches(subscribe: MatchingFilter?, publish: MatchingFilter?) -> Bool {
        guard let subscribe else { return true }
        var wanted = Cursor(octets: subscribe.octets)
        var offered = publish.map { Cursor(octets: $0.octets) }
        while !wanted.isAtEnd {
            guard let value = wanted.next() else { return false }
            guard var list = offered else {
                if value.isEmpty { continue }
                return false
            }
            guard !list.isAtEnd, let candidate = list.next() else { return false }
            offered = list
            if !value.isEmpty, !candidate.isEmpty, value != candidate { return false }
        }
        return true
    }

    private struct Cursor {
        let octets: [UInt8]
        var offset = 0
        var isAtEnd: Bool { offset == octets.count }

        /// Nil when the length runs past the end.
        mutating func next() -> ArraySlice<UInt8>? {
            let start = offset + 1
            let end = start + Int(octets[offset])
            guard end <= octets.count else { return nil }
            offset = end
            return octets[start..<end]
        }
    }
}
