package import NANFrames
package import Ports

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
