package import BluetoothEngine
package import NANFrames
package import Ports

/// What a phone tells.
package enum PhoneReport: Equatable, Sendable {
    case joined(ClusterID)
    case radioFailed(RadioFailure)
    case stopped
    case discovered(DiscoveredAccessory)
    case lost(NMI)
    case bootstrapping(NMI)
    /// The accessory is busy with somebody else; the phone asks again by itself.
    case askedToWait(Duration)
    /// The accessory shows its PIN now: `enterPIN` is due.
    case pinNeeded
    case authenticating
    /// PASN is done; the exchange of identities follows after a pairing, nothing after a verification.
    case authenticated(verified: PairingID?)
    /// Kept, durably.
    case paired(PairingID)
    case pairingFailed(PhoneFailure)
    case connecting
    case connected(PhoneLink)
    case disconnected(DataPathEndText)
    /// A paired accessory says something to the application.
    case message([UInt8])
    case messageSent(acknowledged: Bool)
    case bluetooth(BluetoothCentral.Report)
}

/// An end's cause in words.
package typealias DataPathEndText = String
