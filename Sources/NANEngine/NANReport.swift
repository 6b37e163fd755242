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
    /// A discovered publisher has not been heard for a while, or was forgotten for want of room.
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

    /// What `expectPairing` asked for is computed: the peer's frame 1 is answered with one agreement's delay.
    case pairingReady(NMI)
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
