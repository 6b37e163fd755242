package import Ports

/// What people and programs may ask of an accessory.
package enum AccessoryCommand: Equatable, Sendable {
    case start
    /// Nil takes the provisioned duration. Also unlocks: a person is there.
    case openPairingWindow(Duration?)
    case closePairingWindow
    /// Takes back the lock that wrong PINs have put on pairing; a window that is closed stays so.
    case unlock
    case forget(PairingID)
    case forgetAll
    /// To a connected device, in a protected follow-up; `AccessoryReport.messageSent` says what became of it.
    case send(PairingID, [UInt8])
    /// Ends every connection with a termination, blanks the display, stops the radio; ends in `AccessoryReport.stopped`.
    case shutDown
}
