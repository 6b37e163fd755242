package import NANFrames
package import Ports

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
