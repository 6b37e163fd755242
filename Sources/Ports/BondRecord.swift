package import BluetoothFrames
package import Cryptography

/// What a Bluetooth bond consists of: made by Secure Connections and a passkey that a person typed.
package struct BondKeys: Equatable, Sendable {
    /// The address that stays.
    package var address: BluetoothAddress
    /// Encrypts links; 16 octets.
    package var longTermKey: SecretKey
    /// Octets of it that count, 7 to 16.
    package var keySize: UInt8
    /// Tells its random addresses from others'; nil when it has none.
    package var identityKey: SecretKey?

    package init(address: BluetoothAddress, longTermKey: SecretKey, keySize: UInt8 = 16, identityKey: SecretKey? = nil)
    {
        self.address = address
        self.longTermKey = longTermKey
        self.keySize = keySize
        self.identityKey = identityKey
    }
}

/// A device bonded over Bluetooth, as it is kept.
package struct BondRecord: Equatable, Sendable {
    /// Out of the same numbers as those of devices paired over NAN.
    package var id: PairingID
    package var keys: BondKeys
    /// Seconds since 1970; the store stamps it when it first saves the record, where it is 0.
    package var bondedAt: UInt64

    package init(id: PairingID, keys: BondKeys, bondedAt: UInt64 = 0) {
        self.id = id
        self.keys = keys
        self.bondedAt = bondedAt
    }
}
