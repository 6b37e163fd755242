package import Cryptography

/// A peer's key for its group-addressed frames, or our own.
package struct GroupKey: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
        /// Data; IDs 1 and 2.
        case gtk
        /// Management frames; IDs 4 and 5.
        case igtk
        /// Beacons; IDs 6 and 7.
        case bigtk
    }

    package let kind: Kind
    package let keyID: UInt16
    /// Of the last frame protected, 6 octets, least significant first.
    package let packetNumber: [UInt8]
    package let key: SecretKey

    /// - Precondition: a packet number of 6 octets.
    package init(_ kind: Kind, keyID: UInt16, packetNumber: [UInt8], key: SecretKey) {
        precondition(packetNumber.count == 6, "a packet number has 6 octets")
        self.kind = kind
        self.keyID = keyID
        self.packetNumber = packetNumber
        self.key = key
    }
}
