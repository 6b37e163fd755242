package import BluetoothFrames
package import Cryptography
package import Ports

/// What its owner asks of an accessory's Bluetooth side.
package enum BluetoothCommand: Equatable, Sendable {
    /// Finds a controller and sets it up; nothing is advertised yet.
    case start
    /// On the air, or off it.
    case advertise(Bool)
    /// How the accessory stands.
    case set(BeaconState, LinkSummary)
    /// Whom the kernel shall know when a controller is set up next, and who needs no passkey.
    case setBonds([BondRecord])
    /// Whether centrals may bond.
    case setBondable(Bool)
    /// Ends the pairing that this central has begun.
    case refuseBonding(BluetoothAddress)
    /// Takes its keys from the kernel, and ends its link.
    case forgetBond(BluetoothAddress)
    /// Takes the advertisement back and closes everything.
    case stop
}

/// What an accessory's Bluetooth side tells its owner.
package enum BluetoothReport: Equatable, Sendable {
    case controller(BluetoothControllerState)
    /// The advertisement is on the air, or no longer.
    case advertising(Bool)
    /// The controller refused it; tried again by itself.
    case advertisingRefused(String)
    case served(BluetoothAttributeServer)
    case notServed(BluetoothFailure)
    case linked(BluetoothLinkID, BluetoothAddress)
    case unlinked(BluetoothLinkID)
    /// We ended a link, for this reason.
    case dropped(BluetoothLinkID, String)
    /// To be shown: a central's user types it. The number is the first four octets, the least significant first.
    case passkey(BluetoothAddress, SecretKey)
    /// The central whose passkey was shown is bonded now; without being kept, for as long as its link.
    case bonded(BondKeys, passkeyFor: BluetoothAddress, isKept: Bool)
    /// It is not: a wrong passkey, or somebody has given up.
    case bondingEnded(BluetoothAddress, String)
    /// A central wants NAN awake.
    case wakeAsked
}
