package import NANFrames
package import Ports

/// An accessory as its publish frames describe it; the names are in clear and prove nothing.
package struct DiscoveredAccessory: Equatable, Sendable {
    package var nmi: NMI
    package var vendor: String?
    package var model: String?
    package var name: String?
    /// Nil when the frame does not say.
    package var port: UInt16?
    /// 6 TCP, 17 UDP.
    package var transport: UInt8?
    package var pairingWindowIsOpen: Bool
    package var pairing: PairingID?

    package init(
        nmi: NMI, vendor: String?, model: String?, name: String?, port: UInt16?, transport: UInt8?,
        pairingWindowIsOpen: Bool, pairing: PairingID?
    ) {
        self.nmi = nmi
        self.vendor = vendor
        self.model = model
        self.name = name
        self.port = port
        self.transport = transport
        self.pairingWindowIsOpen = pairingWindowIsOpen
        self.pairing = pairing
    }
}
