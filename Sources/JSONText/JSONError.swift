/// Why a text is not the JSON that is accepted here, and where.
package struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Equatable, Sendable {
        /// What was expected instead of what stands there.
        case expected(String)
        case duplicateName(String)
        case badEscape
        case invalidUTF8
        case controlCharacter
        case badNumber
        case tooDeep(limit: Int)
        case tooManyValues(limit: Int)
        case tooLong(limit: Int)
    }

    package let reason: Reason
    package let offset: Int
    /// From 1.
    package let line: Int

    package init(reason: Reason, offset: Int, line: Int) {
        self.reason = reason
        self.offset = offset
        self.line = line
    }

    package var description: String {
        switch reason {
        case .expected(let what): "expected \(what)"
        case .duplicateName(let name): "the key \"\(name)\" stands twice in one object"
        case .badEscape: "unknown or incomplete escape in a text"
        case .invalidUTF8: "not UTF-8"
        case .controlCharacter: "unescaped control character in a text"
        case .badNumber: "not a number that can be represented"
        case .tooDeep(let limit): "nested deeper than the accepted \(limit)"
        case .tooManyValues(let limit): "more values than the accepted \(limit)"
        case .tooLong(let limit): "longer than the accepted \(limit) octets"
        }
    }
}

/// How much one text may cost its reader.
package struct JSONLimits: Equatable, Sendable {
    package var octets: Int
    package var depth: Int
    package var values: Int

    /// A configuration file: ten times what the largest sensible one needs.
    package static let file = Self(octets: 256 * 1024, depth: 16, values: 10_000)

    package init(octets: Int, depth: Int, values: Int) {
        self.octets = octets
        self.depth = depth
        self.values = values
    }
}
