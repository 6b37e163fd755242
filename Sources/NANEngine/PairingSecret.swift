package import NANSecurity

/// What PASN authenticates with.
package enum PairingSecret: Equatable, Sendable {
    /// Password elements of one PIN, one per group that may be asked for.
    case passwordElements([PasswordElement])
    case opportunistic
}
