internal import Cryptography
internal import NANFrames
internal import NANSecurity
internal import Ports

/// What either side's PASN leaves.
struct PASNOutcome: Equatable, Sendable {
    let composer: PASNComposer
    let keys: PASNKeys
    let sae: SAEKeys?
    /// Absent when the peer did not say.
    let peerCapability: DeviceCapabilityExtension?

    private var parameters: PairingParameters { composer.parameters }

    /// NIKs are exchanged in setup, where both sides keep pairings.
    var exchangesIdentities: Bool {
        !parameters.isVerification && parameters.capabilityExtension.pairing.contains(.cachingEnabled)
            && (peerCapability?.pairing.contains(.cachingEnabled) ?? true)
    }

    var npk: SecretKey { sae?.pmk ?? keys.opportunisticPairingKey }

    var managementKey: PairwiseKey {
        PairwiseKey(cipher: composer.strength == .bits128 ? .ccmp128 : .gcmp256, key: keys.managementKey)
    }

    var report: AuthenticatedPairing {
        AuthenticatedPairing(
            cipherSuite: composer.suite, akm: parameters.akm, isVerification: parameters.isVerification,
            dataPathMasterKey: DataPathMasterKey(keys.dataPathPMK), exchangesIdentities: exchangesIdentities)
    }
}
