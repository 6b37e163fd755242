package import Cryptography
package import NANFrames
package import NANSecurity

/// What a pairing or verification with one peer is done with, in either role.
package struct PairingParameters: Equatable, Sendable {
    /// What PASN's keys come from.
    package enum Authentication: Equatable, Sendable {
        /// Setup with SAE: one element per group that may be used, all of the same PIN or passphrase.
        case password([PasswordElement])
        /// Setup without a secret.
        case opportunistic
        /// Verification of a cached pairing.
        case cached(npk: SecretKey, akm: PairingAKM, peerIdentity: IdentityKey)
    }

    package var own: NMI
    package var peer: NMI
    /// Our publish or subscribe instance: CSIA and SKDA name it.
    package var instance: InstanceID
    package var authentication: Authentication
    /// NCS-PK-PASN suites (CSID 7 and 8) that may be used, of which an initiator takes the first.
    package var suites: [CipherSuiteID]
    package var capabilities: CipherSuiteInformation.Capabilities
    package var capabilityExtension: DeviceCapabilityExtension
    /// The initiator's first request, or the request that the responder accepted; PASN repeats it.
    package var bootstrapping: PairingBootstrapping?
    package var identity: IdentityKey

    package init(
        own: NMI, peer: NMI, instance: InstanceID, authentication: Authentication, suites: [CipherSuiteID],
        capabilities: CipherSuiteInformation.Capabilities = .none,
        capabilityExtension: DeviceCapabilityExtension = DeviceCapabilityExtension(
            pairing: [.setupEnabled, .cachingEnabled]),
        bootstrapping: PairingBootstrapping? = nil, identity: IdentityKey
    ) {
        self.own = own
        self.peer = peer
        self.instance = instance
        self.authentication = authentication
        self.suites = suites
        self.capabilities = capabilities
        self.capabilityExtension = capabilityExtension
        self.bootstrapping = bootstrapping
        self.identity = identity
    }

    var akm: PairingAKM {
        switch authentication {
        case .password: .sae
        case .opportunistic: .opportunistic
        case .cached(_, let akm, _): akm
        }
    }

    var isVerification: Bool {
        if case .cached = authentication { true } else { false }
    }

    /// What can be done of `suites`: with a password, only where there is an element of the suite's group.
    var usableSuites: [CipherSuiteID] {
        suites.filter { suite in
            guard let strength = suite.pairingStrength else { return false }
            guard case .password(let elements) = authentication else { return true }
            return elements.contains { $0.group == strength.group }
        }
    }

    func passwordElement(of suite: CipherSuiteID) -> PasswordElement? {
        guard case .password(let elements) = authentication else { return nil }
        return elements.first { $0.group == suite.pairingStrength?.group }
    }
}

extension CipherSuiteID {
    /// Of the suites that PASN runs with; nil for all others.
    var pairingStrength: SuiteStrength? {
        switch self {
        case .ncsPKPASN128: .bits128
        case .ncsPKPASN256: .bits256
        default: nil
        }
    }
}
