package import Cryptography
package import NANFrames
package import NANSecurity

/// Names one pairing for people and programs; says nothing about its keys or addresses.
package struct PairingID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// Eight hexadecimal digits.
    package init?(text: String) {
        guard text.utf8.count == 8, let value = UInt32(text, radix: 16) else { return nil }
        rawValue = value
    }

    package var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// A paired device as it is kept: what a later meeting is verified with, and what people know it by.
///
/// It has no address: those are randomised. The peer is recognised by its NIK (NIRA).
package struct PairingRecord: Equatable, Sendable {
    package var id: PairingID
    /// Names as the peer gave them, in clear: for people, never for decisions about trust.
    package var name: String
    package var vendor: String
    package var model: String
    package var peerNIK: SecretKey
    package var npk: SecretKey
    package var akm: PairingAKM
    package var cipherSuite: CipherSuiteID
    /// How long the peer's NIK lives from `pairedAt`, for ever when nil; the store leaves out what has expired.
    package var lifetime: Duration?
    /// Seconds since 1970; the store stamps it when it first saves the record, where it is 0.
    package var pairedAt: UInt64

    package init(
        id: PairingID, name: String = "", vendor: String = "", model: String = "", peerNIK: SecretKey, npk: SecretKey,
        akm: PairingAKM, cipherSuite: CipherSuiteID, lifetime: Duration? = nil, pairedAt: UInt64 = 0
    ) {
        self.id = id
        self.name = name
        self.vendor = vendor
        self.model = model
        self.peerNIK = peerNIK
        self.npk = npk
        self.akm = akm
        self.cipherSuite = cipherSuite
        self.lifetime = lifetime
        self.pairedAt = pairedAt
    }
}
