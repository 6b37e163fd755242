package import Cryptography
package import NANFrames

/// ND-PMK: the master key of a secure data path, from a pairing, a passphrase, or configuration.
package struct DataPathMasterKey: Equatable, Sendable {
    package let key: SecretKey

    package init(_ key: SecretKey) { self.key = key }

    /// From a passphrase (Wi-Fi Aware v4.0, Appendix M.1); `csid` is 1 or 2, part of the salt.
    package init(passphrase: SecretKey, csid: UInt8, strength: SuiteStrength, service: [UInt8], publisher: NMI) {
        key = strength.hash.stretch(
            32, from: passphrase, salt: [0, csid] + service + publisher.wireOctets, iterations: 4096)
    }

    /// ND-PMKID, 16 octets, by which both sides find the key.
    ///
    /// `initiator` is the data path's, all ones in a publish frame, whose reader is not known; `service` is the
    /// publisher's Service ID.
    package func identifier(initiator: NMI, responder: NMI, service: [UInt8], strength: SuiteStrength) -> [UInt8] {
        let message = Array("NAN PMK Name".utf8) + initiator.wireOctets + responder.wireOctets + service
        return Array(strength.hash.authenticationCode(key: key, message).prefix(16))
    }
}

/// ND-PTK's three keys, from a data path's four-way handshake.
package struct DataPathKeys: Equatable, Sendable {
    package let strength: SuiteStrength
    /// ND-KCK.
    let confirmationKey: SecretKey
    /// ND-KEK, which wraps group keys.
    package let keyEncryptionKey: SecretKey
    /// ND-TK, which protects the data.
    package let temporalKey: SecretKey

    package init(
        _ master: DataPathMasterKey, initiator: NDI, responder: NDI, initiatorNonce: [UInt8], responderNonce: [UInt8],
        strength: SuiteStrength
    ) {
        let kck = strength.dataPathConfirmationKeyLength
        let kek = kck + strength.keyEncryptionKeyLength
        let tk = kek + strength.temporalKeyLength
        let keys = strength.hash.derive(
            tk, from: master.key, label: "NAN Pairwise key expansion",
            context: initiator.wireOctets + responder.wireOctets + initiatorNonce + responderNonce)
        self.strength = strength
        confirmationKey = keys.part(0..<kck)
        keyEncryptionKey = keys.part(kck..<kek)
        temporalKey = keys.part(kek..<tk)
    }

    /// The authentication token, which M3's MIC covers: a hash of M1 from its category octet.
    package static func authenticationToken(firstBody: [UInt8], strength: SuiteStrength) -> [UInt8] {
        Array(strength.hash.digest(firstBody).prefix(16))
    }

    /// The MIC of M2 to M4, whose `body` starts at the category octet and has zeros for the MIC.
    ///
    /// `token` is the authentication token, for M3 alone.
    package func mic(token: [UInt8] = [], body: [UInt8]) -> [UInt8] {
        Array(
            strength.hash.authenticationCode(key: confirmationKey, token + body).prefix(strength.dataPathMICLength))
    }

    /// Whether a received MIC is right; in constant time.
    package func verifies(mic received: [UInt8], token: [UInt8] = [], body: [UInt8]) -> Bool {
        constantTimeEqual(received, mic(token: token, body: body))
    }
}
