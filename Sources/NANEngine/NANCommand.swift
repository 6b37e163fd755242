package import NANFrames
package import NANSecurity
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
}

/// A peer's instance together with the one of ours that knows it.
package struct ServicePeer: Hashable, Sendable {
    package var nmi: NMI
    package var instance: InstanceID
    package var peerInstance: InstanceID

    package init(nmi: NMI, instance: InstanceID, peerInstance: InstanceID) {
        self.nmi = nmi
        self.instance = instance
        self.peerInstance = peerInstance
    }
}

/// A service as it is published.
package struct PublishConfiguration: Equatable, Sendable {
    /// 1…255, unique among this device's instances of both kinds; the owner chooses.
    package var instance: InstanceID
    /// In full, `_name._udp`; the service ID is its hash.
    package var serviceName: String
    /// One publish in every discovery window.
    package var isUnsolicited = true
    /// One publish for every matching subscribe that is heard.
    package var isSolicited = true
    /// From its start; nil until cancelled.
    package var timeToLive: Duration?
    /// Compared with the subscribe filters that are heard, and sent.
    package var matchingFilter: [UInt8]?
    /// Generic service protocol TLVs: port, protocol, names.
    package var serviceInfo: [UInt8] = []
    /// Repeats the service info in the Service Descriptor: Android before 16 looks there.
    package var repeatsServiceInfo = false
    /// Our own roles; empty sends no NPBA: the pairing window is closed.
    package var bootstrappingMethods: BootstrappingMethods = []
    package var offersDataPath = true
    package var requiresSecurity = true
    package var cipherSuites: [CipherSuiteID] = []

    package init(instance: InstanceID, serviceName: String) {
        self.instance = instance
        self.serviceName = serviceName
    }
}

/// A service as it is looked for.
package struct SubscribeConfiguration: Equatable, Sendable {
    package var instance: InstanceID
    package var serviceName: String
    /// One subscribe in every discovery window; false only listens.
    package var isActive = true
    package var timeToLive: Duration?
    package var matchingFilter: [UInt8]?
    package var serviceInfo: [UInt8] = []

    package init(instance: InstanceID, serviceName: String) {
        self.instance = instance
        self.serviceName = serviceName
    }
}

/// An application's message, of at most 255 octets of service info.
package struct FollowUp: Equatable, Sendable {
    package var peer: ServicePeer
    package var serviceInfo: [UInt8]

    package init(peer: ServicePeer, serviceInfo: [UInt8]) {
        self.peer = peer
        self.serviceInfo = serviceInfo
    }
}

/// How a bootstrapping request is answered.
package enum BootstrapAnswer: Equatable, Sendable {
    case accept
    case reject
    /// Ask again after this time.
    case comeBack(after: Duration)
}

/// What PASN authenticates with.
package enum PairingSecret: Equatable, Sendable {
    /// Password elements of one PIN, one per group that may be asked for.
    case passwordElements([PasswordElement])
    case opportunistic
}

/// What the initiator of a data path brings.
package struct DataPathOffer: Equatable, Sendable {
    /// Nil takes the suite that PASN used.
    package var cipherSuite: CipherSuiteID?
    /// Generic service protocol TLVs.
    package var serviceInfo: [UInt8]

    package init(cipherSuite: CipherSuiteID? = nil, serviceInfo: [UInt8] = []) {
        self.cipherSuite = cipherSuite
        self.serviceInfo = serviceInfo
    }
}

/// How a data path request is answered.
package enum DataPathAnswer: Equatable, Sendable {
    /// With the service info that names port and protocol.
    case accept(serviceInfo: [UInt8])
    case reject(ReasonCode)
}
