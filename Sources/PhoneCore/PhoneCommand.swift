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
    /// Forgets a pairing, as when a person removes the accessory from the phone.
    case forget(PairingID)
}

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
}

/// An accessory as its publish frames describe it; the names are in clear and prove nothing.
package struct DiscoveredAccessory: Equatable, Sendable {
    package var nmi: NMI
    package var vendor: String?
    package var model: String?
    package var name: String?
    /// Nil when the frame does not say.
    package var port: UInt16?
    /// 6 TCP, 17 UDP.
    package var transport: UInt8?
    package var pairingWindowIsOpen: Bool
    package var pairing: PairingID?

    package init(
        nmi: NMI, vendor: String?, model: String?, name: String?, port: UInt16?, transport: UInt8?,
        pairingWindowIsOpen: Bool, pairing: PairingID?
    ) {
        self.nmi = nmi
        self.vendor = vendor
        self.model = model
        self.name = name
        self.port = port
        self.transport = transport
        self.pairingWindowIsOpen = pairingWindowIsOpen
        self.pairing = pairing
    }
}

/// Why pairing or verification came to nothing.
package enum PhoneFailure: Equatable, Sendable {
    case refused(ReasonCode)
    case failed(PairingFailureText)
    case notStored(String)
}

/// A failure's cause in words.
package typealias PairingFailureText = String
/// An end's cause in words.
package typealias DataPathEndText = String

/// A working connection, as sockets need it.
package struct PhoneLink: Equatable, Sendable {
    package var local: IPAddress
    package var accessory: IPEndpoint
    package var transport: UInt8
    package var pairing: PairingID?

    package init(local: IPAddress, accessory: IPEndpoint, transport: UInt8, pairing: PairingID?) {
        self.local = local
        self.accessory = accessory
        self.transport = transport
        self.pairing = pairing
    }
}
