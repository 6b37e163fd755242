package import NANFrames
package import Ports

/// What the owner of a `NANDevice` asks of it.
package enum NANCommand: Equatable, Sendable {
    /// Starts the radio; everything below may be asked before it has joined a cluster.
    case start
    /// Ends every data path and instance, then the radio.
    case stop
    /// Starts an instance, or changes the one with this number.
    case publish(PublishConfiguration)
    case subscribe(SubscribeConfiguration)
    /// Ends a publish or subscribe instance.
    case cancel(InstanceID)
    case followUp(FollowUp)
    /// The identities that a NIRA is resolved against and a verification is answered with.
    case setPairings([PairingRecord])

    /// As the initiator: asks the peer to bootstrap pairing with `method`, our own role.
    case bootstrap(ServicePeer, method: BootstrappingMethods, serviceInfo: [UInt8])
    /// As the responder: answers the request reported by `bootstrapRequested`.
    case answerBootstrap(NMI, BootstrapAnswer)
    /// As the responder: the next PASN of this peer is answered with these secrets. Before the accepting answer.
    case expectPairing(ServicePeer, PairingSecret)
    /// As the initiator, after bootstrapping: PASN with these secrets.
    case pair(ServicePeer, PairingSecret, CipherSuiteID)
    /// As the initiator: PASN with the cached keys of this pairing, which the peer's NIRA named.
    case verify(ServicePeer, PairingID)
    /// Ends whatever pairing is under way with the peer.
    case abandonPairing(NMI)

    /// As the responder: the pairing reported by `paired` is kept; only now our NIK goes out, and the peer has it too.
    case keepPairing(NMI)

    /// As the initiator: a data path to a paired peer's service.
    case requestDataPath(ServicePeer, DataPathOffer)
    /// As the responder: answers the request reported by `dataPathRequested`.
    case answerDataPath(DataPathID, DataPathAnswer)
    case terminateDataPath(DataPathID)
    /// Ends all with the peer, those that it has not answered yet included.
    case terminateDataPaths(NMI)
}
