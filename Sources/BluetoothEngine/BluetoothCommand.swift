package import BluetoothFrames
package import Ports

/// What its owner asks of an accessory's Bluetooth side.
package enum BluetoothCommand: Equatable, Sendable {
    /// Finds a controller and sets it up; nothing is advertised yet.
    case start
    /// On the air, or off it.
    case advertise(Bool)
    /// How the accessory stands.
    case set(BeaconState, LinkSummary)
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
    /// A central wants NAN awake.
    case wakeAsked
}
