package import NANSecurity

/// What a display shows; each display spells it as it can.
package enum DisplayContent: Equatable, Sendable {
    case blank
    /// The pairing window is open and nobody asks.
    case ready
    case pin(PIN)
    case paired
    case failed
    /// Too many wrong PINs: a person has to unlock.
    case locked
}
