/// PIN attempts since the last success: what slows and locks, and so must outlive a power cut.
package struct AttemptRecord: Equatable, Sendable {
    /// Guesses that were not followed by a pairing.
    package var failures: UInt32
    /// Set when `failures` reached the limit; cleared by a person only.
    package var isLocked: Bool

    package init(failures: UInt32 = 0, isLocked: Bool = false) {
        self.failures = failures
        self.isLocked = isLocked
    }
}
