package import NANFrames
package import Ports

/// What a `NANDevice` tells its owner.
package enum NANReport: Equatable, Sendable {
    case started(RadioCapabilities)
    case failed(RadioFailure)
    /// Everything is gone: instances are kept and come back with the next `joined`, pairings in progress and data paths ended.
    case stopped(RadioStop)
    case joined(ClusterID)

    /// A publisher was heard for the first time, or what it says has changed.
    case discovered(DiscoveredService)
    /// A discovered publisher has not been heard for a while.
    case lost(ServicePeer)
    /// A subscriber was heard and answered.
    case subscriberHeard(ServicePeer)
    case followUp(ServicePeer, serviceInfo: [UInt8])
    case followUpSent(ServicePeer, acknowledged: Bool)
    case instanceEnded(InstanceID)

    /// Answer with `answerBootstrap`. `method` is the one we would play.
    case bootstrapRequested(ServicePeer, method: BootstrappingMethods, serviceInfo: [UInt8])
    case bootstrapAccepted(ServicePeer)
    /// The peer asks to be asked again later; the device does so by itself.
    case bootstrapDeferred(ServicePeer, Duration)
    case bootstrapFailed(ServicePeer, ReasonCode)

    /// A commit of this peer is about to be answered: a guess of the PIN is spent.
    case guessAnswered(NMI)
    /// PASN has succeeded; `verified` names the cached pairing it was done with.
    case authenticated(NMI, verified: PairingID?)
    /// The peer's NIK has come: the pairing may be kept. A responder answers with `keepPairing` once it is.
    case paired(NMI, PairingCredential)
    case pairingFailed(NMI, PairingFailure, verifying: PairingID?)
    /// A device asked to be verified that no pairing knows.
    case verificationRefused(NMI)

    /// Answer with `answerDataPath`.
    case dataPathRequested(DataPathRequest)
    case dataPathConnected(DataPathLink)
    case dataPathEnded(DataPathID, NMI, DataPathEnd)

    /// A frame or a part of one was dropped; `key` names the cause for a counter.
    case dropped(key: String)
}

/// A publisher as a subscriber sees it.
package struct DiscoveredService: Equatable, Sendable {
    package var peer: ServicePeer
    /// Generic service protocol TLVs; the Descriptor Extension's before the Descriptor's.
    package var serviceInfo: [UInt8]
    package var bootstrappingMethods: BootstrappingMethods
    package var supportsPairing: Bool
    package var offersDataPath: Bool
    package var cipherSuites: [CipherSuiteID]
    /// The pairing that its NIRA proves.
    package var pairing: PairingID?
}

/// A data path that a peer asks for.
package struct DataPathRequest: Equatable, Sendable {
    package var id: DataPathID
    package var peer: NMI
    /// The publish instance it is for.
    package var instance: InstanceID
    /// The pairing that the peer was verified or paired with; nil while the exchange of identities is under way.
    package var pairing: PairingID?
    package var isSecure: Bool
    package var serviceInfo: [UInt8]
}

/// A data path that works.
package struct DataPathLink: Equatable, Sendable {
    package var id: DataPathID
    package var peer: NMI
    package var instance: InstanceID
    package var pairing: PairingID?
    package var local: IPAddress
    package var remote: IPAddress
    /// The peer's, naming port and protocol.
    package var serviceInfo: [UInt8]
}

/// Why a data path ended, or never began.
package struct DataPathEnd: Equatable, Sendable, CustomStringConvertible {
    package var cause: DataPathMachine.Ending.Cause
    package var reason: ReasonCode

    package var description: String { "\(cause.rawValue), reason \(reason.rawValue)" }
}
