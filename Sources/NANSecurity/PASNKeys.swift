package import Cryptography
package import NANFrames

/// How a pairing is authenticated: the AKM of its RSNE (IEEE 802.11-2024, Table 9-190), which a cached pairing keeps.
package enum PairingAKM: UInt8, Equatable, Hashable, Sendable, CaseIterable {
    /// 00-0F-AC:8, with a PIN or a passphrase.
    case sae = 8
    /// 00-0F-AC:21, with nothing.
    case opportunistic = 21
}

/// The parameters that a pairing's AKM and strength select together.
package struct PASNSuite: Equatable, Hashable, Sendable {
    package let akm: PairingAKM
    package let strength: SuiteStrength

    package init(_ akm: PairingAKM, _ strength: SuiteStrength) {
        self.akm = akm
        self.strength = strength
    }

    /// PASN's own hash: SHA-256 with SAE even in NCS-PK-PASN-256 (hostap pasn_common.c).
    package var hash: HashFunction { akm == .sae ? .sha256 : strength.hash }
    package var micLength: Int { hash == .sha256 ? 16 : 24 }
}

/// The PASN PTK's three keys (IEEE 802.11-2024 12.13.7).
package struct PASNKeys: Equatable, Sendable {
    package let suite: PASNSuite
    private let initiator: NMI
    private let responder: NMI
    /// KCK, 32 octets.
    let confirmationKey: SecretKey
    /// TK, which protects management frames between the two: NM-TK.
    package let managementKey: SecretKey
    /// KDK, which all that outlives the exchange is derived from.
    package let derivationKey: SecretKey

    /// The PMK of an opportunistic pairing: "PMKz" and zeros (IEEE 802.11-2024 12.13.3).
    package static let opportunisticPMK = SecretKey(copying: Array("PMKz".utf8) + [UInt8](repeating: 0, count: 28))

    /// Derives all three from SAE's PMK, the cached NPK or `opportunisticPMK`, and from x of the ephemeral keys' shared
    /// point.
    package init(pmk: SecretKey, sharedSecret: SecretKey, initiator: NMI, responder: NMI, suite: PASNSuite) {
        let addresses = SecretKey(copying: initiator.wireOctets + responder.wireOctets)
        let tk = suite.strength.temporalKeyLength
        let keys = suite.hash.derive(
            32 + tk + 32, from: pmk, label: "PASN PTK Derivation",
            context: SecretKey(concatenating: [addresses, sharedSecret]))
        self.suite = suite
        self.initiator = initiator
        self.responder = responder
        confirmationKey = keys.part(0..<32)
        managementKey = keys.part(32..<32 + tk)
        derivationKey = keys.part(32 + tk..<64 + tk)
    }

    /// The MIC of frame 2, whose `body` starts at the algorithm field and has zeros for the MIC.
    ///
    /// `securityElements` are RSNE and, if there is one, RSNXE of that frame, whole.
    package func micOfSecondFrame(securityElements: [UInt8], body: [UInt8]) -> [UInt8] {
        mic(responder.wireOctets + initiator.wireOctets + securityElements + body)
    }

    /// The MIC of frame 3; `firstBody` is frame 1 from the algorithm field, exactly as it was sent.
    package func micOfThirdFrame(firstBody: [UInt8], body: [UInt8]) -> [UInt8] {
        mic(initiator.wireOctets + responder.wireOctets + suite.hash.digest(firstBody) + body)
    }

    package func verifies(secondFrameMIC received: [UInt8], securityElements: [UInt8], body: [UInt8]) -> Bool {
        constantTimeEqual(received, micOfSecondFrame(securityElements: securityElements, body: body))
    }

    package func verifies(thirdFrameMIC received: [UInt8], firstBody: [UInt8], body: [UInt8]) -> Bool {
        constantTimeEqual(received, micOfThirdFrame(firstBody: firstBody, body: body))
    }

    private func mic(_ message: [UInt8]) -> [UInt8] {
        Array(suite.hash.authenticationCode(key: confirmationKey, message).prefix(suite.micLength))
    }

    /// ND-PMK: the master key of secure data paths until the next pairing or verification.
    package var dataPathPMK: SecretKey { derive("NDP PMK Derivation", 32) }

    /// NM-KEK, which wraps identity keys.
    package var keyEncryptionKey: SecretKey {
        derive("NAN Management KEK Derivation", suite.strength.keyEncryptionKeyLength)
    }

    /// The NPK of an opportunistic pairing; with SAE it is SAE's PMK.
    package var opportunisticPairingKey: SecretKey { derive("NAN Opportunistic NPK Derivation", 32) }

    private func derive(_ label: String, _ count: Int) -> SecretKey {
        suite.strength.hash.derive(
            count, from: derivationKey, label: label, context: initiator.wireOctets + responder.wireOctets)
    }
}
