/// A frame the radio delivered: decrypted, A3 checked against the cluster.
package struct ReceivedFrame: Equatable, Sendable {
    /// From the 24-octet header on; the Protected bit says that it arrived encrypted.
    package var octets: [UInt8]
    package var interface: RadioInterface
    /// dBm.
    package var signal: Int?

    package init(octets: [UInt8], interface: RadioInterface = .management, signal: Int? = nil) {
        self.octets = octets
        self.interface = interface
        self.signal = signal
    }
}
