/// Why a value cannot be part of an accessory's identity.
package struct IdentityError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The key of the identity file the value belongs to.
    package let field: String
    package let value: String
    /// What would be right.
    package let accepted: String

    package init(field: String, value: String, accepted: String) {
        self.field = field
        self.value = value
        self.accepted = accepted
    }

    package var description: String { "\(field): \(value): accepted is \(accepted)" }
}
