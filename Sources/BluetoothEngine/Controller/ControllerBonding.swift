internal import BluetoothFrames
internal import Cryptography
internal import Octets
internal import Ports

/// What the kernel is told of pairing: that we show a passkey, take nothing less, and whom we know already.
struct ControllerBonding: Sendable {
    var bonds: [BondRecord]

    // Not "only" (2): the kernel then asks for a key of Bluetooth Classic on every link that is encrypted, and ends LE's.
    // Whose key is less than Secure Connections' is sent away when the key is told.
    private static let secureConnections: UInt8 = 1

    /// In this order, once LE is on; each may be given whether the controller is powered or not.
    ///
    /// Nobody new is let in until the owner says so.
    func commands(_ current: ControllerSettings) -> [ManagementCommand] {
        let needsSimplePairing = current.contains(.classic) && !current.contains(.simplePairing)
        return (needsSimplePairing ? [.setSimplePairing(true)] : []) + [
            .setIOCapability(IOCapability.displayOnly), .setSecureConnections(Self.secureConnections),
            .setBondable(false),
        ] + loads
    }

    /// What replaces all keys that the kernel has.
    var loads: [ManagementCommand] {
        [
            .loadIdentityKeys(UInt16(clamping: bonds.count { $0.keys.identityKey != nil })),
            .loadLongTermKeys(UInt16(clamping: bonds.count)),
        ]
    }

    /// The entries of Load Long Term Keys; nil without any.
    var longTermKeys: SecretKey? {
        Self.joined(
            bonds.map { bond in
                let key = LongTermKey(
                    address: bond.keys.address, kind: .authenticatedSecureConnections, size: bond.keys.keySize)
                return [SecretKey(copying: key.encoded), bond.keys.longTermKey]
            })
    }

    /// The entries of Load Identity Resolving Keys; nil without any.
    var identityKeys: SecretKey? {
        Self.joined(
            bonds.compactMap { bond in
                bond.keys.identityKey.map { [SecretKey(copying: bond.keys.address.encoded), $0] }
            })
    }

    private static func joined(_ entries: [[SecretKey]]) -> SecretKey? {
        entries.isEmpty ? nil : SecretKey(concatenating: entries.flatMap { $0 })
    }
}
