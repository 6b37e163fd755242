/// A management frame to send: the radio picks channel and time.
package struct Transmission: Equatable, Sendable {
    package var id: TransmitID
    package var interface: RadioInterface
    /// From the 24-octet header on, in clear, Protected bit clear, no FCS.
    package var frame: [UInt8]

    package init(id: TransmitID, interface: RadioInterface = .management, frame: [UInt8]) {
        self.id = id
        self.interface = interface
        self.frame = frame
    }
}
