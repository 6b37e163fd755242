internal import NANFrames
internal import NANSecurity

extension PairingParameters {
    /// Our NIRA for a verification; nil in setup.
    func freshIdentity(_ entropy: inout PairingEntropy) -> IdentityResolution? {
        guard isVerification else { return nil }
        let nonce = entropy.nonce.octets(IdentityKey.nonceLength)
        return IdentityResolution(nonce: nonce, tag: identity.tag(for: own, nonce: nonce))
    }

    /// Whether a frame's identity is the one that a verification is with; nothing to check in setup.
    func accepts(_ identity: IdentityResolution?) -> Bool {
        guard case .cached(_, _, let peerIdentity) = authentication else { return identity == nil }
        guard let identity, identity.cipherVersion == 0 else { return false }
        return peerIdentity.verifies(tag: identity.tag, for: peer, nonce: identity.nonce)
    }
}
