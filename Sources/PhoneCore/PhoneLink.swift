package import Ports

/// A working connection, as sockets need it.
package struct PhoneLink: Equatable, Sendable {
    package var local: IPAddress
    package var accessory: IPEndpoint
    package var transport: UInt8
    package var pairing: PairingID?

    package init(local: IPAddress, accessory: IPEndpoint, transport: UInt8, pairing: PairingID?) {
        self.local = local
        self.accessory = accessory
        self.transport = transport
        self.pairing = pairing
    }
}
