package import Cryptography
package import NANFrames
package import NANSecurity

/// What a completed pairing leaves.
package struct PairingCredential: Equatable, Sendable {
    package var peerNIK: SecretKey
    package var npk: SecretKey
    package var akm: PairingAKM
    package var cipherSuite: CipherSuiteID
    /// As the peer stated it; nil is no expiry.
    package var lifetime: Duration?

    package init(
        peerNIK: SecretKey, npk: SecretKey, akm: PairingAKM, cipherSuite: CipherSuiteID, lifetime: Duration?
    ) {
        self.peerNIK = peerNIK
        self.npk = npk
        self.akm = akm
        self.cipherSuite = cipherSuite
        self.lifetime = lifetime
    }
}

/// What PASN leaves, in setup and in verification.
package struct AuthenticatedPairing: Equatable, Sendable {
    package var cipherSuite: CipherSuiteID
    package var akm: PairingAKM
    package var isVerification: Bool
    /// ND-PMK of the data paths until the next pairing or verification.
    package var dataPathMasterKey: DataPathMasterKey
    /// A credential, or a failure, is still to come; a setup without an exchange fails at once.
    package var exchangesIdentities: Bool

    package init(
        cipherSuite: CipherSuiteID, akm: PairingAKM, isVerification: Bool, dataPathMasterKey: DataPathMasterKey,
        exchangesIdentities: Bool
    ) {
        self.cipherSuite = cipherSuite
        self.akm = akm
        self.isVerification = isVerification
        self.dataPathMasterKey = dataPathMasterKey
        self.exchangesIdentities = exchangesIdentities
    }
}

/// What a device asks for with frame 1 when nobody has armed a responder for it.
package enum PairingRequest: Equatable, Sendable {
    case setup(PairingAKM, CipherSuiteID)
    /// The NIRA says which pairing, to those who know it.
    case verification(IdentityResolution, PairingAKM, CipherSuiteID)
}
