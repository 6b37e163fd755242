package import NANFrames
package import NANSecurity
package import Ports

extension DataPathMachine {
    /// What a secure path is made from.
    package struct Credential: Equatable, Sendable {
        package let masterKey: DataPathMasterKey
        /// Of the publisher: part of the key's identifier.
        package let service: ServiceID
        /// The key comes from a pairing without a secret, and yields to any other.
        package let isOpportunistic: Bool

        package init(_ masterKey: DataPathMasterKey, service: ServiceID, isOpportunistic: Bool = false) {
            self.masterKey = masterKey
            self.service = service
            self.isOpportunistic = isOpportunistic
        }
    }

    /// As the initiator: a path to a peer's publish instance.
    package struct Request: Equatable, Sendable {
        package var peer: NMI
        package var publishID: InstanceID
        /// Not zero, and another than in the last negotiation with the peer.
        package var dialogToken: DialogToken
        /// With a suite; nil asks for an open path.
        package var security: (suite: CipherSuiteID, credential: Credential)? {
            get { suite.flatMap { suite in credential.map { (suite, $0) } } }
            set { (suite, credential) = (newValue?.suite, newValue?.credential) }
        }
        private var suite: CipherSuiteID?
        private var credential: Credential?
        /// From the peer's Device Capability: NDPE instead of NDP.
        package var usesExtension: Bool
        /// The peer is paired: frames to it are protected, which their MICs cover.
        package var isProtected: Bool
        /// Generic service protocol TLVs.
        package var serviceInfo: [UInt8]
        package var interfaceIdentifier: InterfaceIdentifier?

        package init(
            peer: NMI, publishID: InstanceID, dialogToken: DialogToken, security: (CipherSuiteID, Credential)? = nil,
            usesExtension: Bool = true, isProtected: Bool, serviceInfo: [UInt8] = [],
            interfaceIdentifier: InterfaceIdentifier? = nil
        ) {
            self.peer = peer
            self.publishID = publishID
            self.dialogToken = dialogToken
            suite = security?.0
            credential = security?.1
            self.usesExtension = usesExtension
            self.isProtected = isProtected
            self.serviceInfo = serviceInfo
            self.interfaceIdentifier = interfaceIdentifier
        }
    }

    /// As the responder: a path that a peer asks for.
    package struct RequestInfo: Equatable, Sendable {
        package let id: DataPathID
        package let peer: NMI
        /// The publish instance; answer `ignore` when there is none of that number.
        package let publishID: InstanceID
        /// Nil for an open path.
        package let suite: CipherSuiteID?
        /// Names the key the peer means.
        package let keyIdentifier: [UInt8]?
        package let isProtected: Bool
        /// Without OUI and type where it is the generic service protocol's.
        package let serviceInfo: [UInt8]
    }

    package enum Answer: Equatable, Sendable {
        case accept(Acceptance)
        case reject(ReasonCode)
        /// No such instance: not even a refusal is sent.
        case ignore
    }

    package struct Acceptance: Equatable, Sendable {
        /// Nil for an open path, and for it alone.
        package var credential: Credential?
        /// Generic service protocol TLVs.
        package var serviceInfo: [UInt8]
        package var interfaceIdentifier: InterfaceIdentifier?

        package init(
            credential: Credential? = nil, serviceInfo: [UInt8] = [], interfaceIdentifier: InterfaceIdentifier? = nil
        ) {
            self.credential = credential
            self.serviceInfo = serviceInfo
            self.interfaceIdentifier = interfaceIdentifier
        }
    }

    /// A frame to send; its transmit status comes back with the token.
    package struct Frame: Equatable, Sendable {
        /// From the category octet on.
        package let body: [UInt8]
        package let peer: NMI
        /// Between two data addresses, through the data interface: a peer that is not paired but has a secure path.
        package let dataRoute: DataPeer?
        package let token: UInt64
    }

    /// A path that works as soon as the radio has been told.
    package struct Connection: Equatable, Sendable {
        package let id: DataPathID
        package let peer: NMI
        package let isInitiator: Bool
        package let publishID: InstanceID
        package let local: NDI
        package let remote: NDI
        package let suite: CipherSuiteID?
        /// The data station is new; it exists already for a second path between the same two addresses.
        package let isFirstOnPair: Bool
        /// To install; nil when the path is open or a stronger key is in use between the two addresses.
        package let key: PairwiseKey?
        /// Keys for the peer's group-addressed frames, if it sent any.
        package let groupKeys: [GroupKey]
        /// HT capabilities at least: for the peer's station.
        package let elements: ElementContainer
        package let schedule: PeerRadioSchedule
        package let localIdentifier: InterfaceIdentifier
        package let remoteIdentifier: InterfaceIdentifier?
        /// The peer's, without OUI and type where it is the generic service protocol's.
        package let serviceInfo: [UInt8]
    }

    /// A path that is no more, or never came to be.
    package struct Ending: Equatable, Sendable {
        package enum Cause: String, Equatable, Sendable, CaseIterable {
            case terminatedHere
            case terminatedByPeer
            case rejectedHere
            case rejectedByPeer
            case timedOut
            case idle
            /// Nothing of the two schedules meets any more.
            case noCommonSlots
            case radio
            /// The peer broke the protocol.
            case invalid
            /// The peer has begun another one in its place.
            case replaced
        }

        package let id: DataPathID
        package let peer: NMI
        package let cause: Cause
        package let reason: ReasonCode
        package let wasConnected: Bool
        package let local: NDI
        package let remote: NDI?
        /// No other path uses the two addresses: the data station goes.
        package let isLastOnPair: Bool
        /// No other path with the peer, neither connected nor being set up: its schedule and station go.
        package let isLastWithPeer: Bool
    }
}
