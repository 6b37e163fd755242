package import NANFrames
package import Ports

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
