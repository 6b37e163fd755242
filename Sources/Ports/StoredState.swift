package import Cryptography

/// What is kept across restarts.
package struct StoredState: Equatable, Sendable {
    /// Our own NIK, 16 octets, shared by all pairings; drawn at the first start.
    package var ownNIK: SecretKey
    package var pairings: [PairingRecord]
    package var attempts: AttemptRecord
    package var bonds: [BondRecord]

    package init(
        ownNIK: SecretKey, pairings: [PairingRecord] = [], attempts: AttemptRecord = AttemptRecord(),
        bonds: [BondRecord] = []
    ) {
        self.ownNIK = ownNIK
        self.pairings = pairings
        self.attempts = attempts
        self.bonds = bonds
    }
}
