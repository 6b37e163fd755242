package import BluetoothFrames
package import NANFrames
package import NANSecurity
package import Ports

/// What a person, or a test plan, has a phone do.
package enum PhoneCommand: Equatable, Sendable {
    case start
    /// Ends the data path with a termination, then the radio.
    case stop
    /// Pairs with this discovered accessory.
    case pair(NMI)
    /// What the accessory's display showed.
    case enterPIN(PIN)
    case cancelPairing
    /// Connects to this discovered accessory, which a pairing must know.
    case connect(NMI)
    case disconnect
    /// To the accessory that is connected, in a protected follow-up.
    case send([UInt8])
    /// Forgets a pairing, as when a person removes the accessory from the phone.
    case forget(PairingID)
    /// Connects to an accessory that was seen over Bluetooth LE and reads what it tells.
    case inspect(BluetoothAddress)
    /// Asks one that was inspected to switch NAN on.
    case wake(BluetoothAddress)
    case leave(BluetoothAddress)
}
