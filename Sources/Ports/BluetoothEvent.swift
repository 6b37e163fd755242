package import BluetoothFrames
package import Cryptography

/// What the Bluetooth side tells.
///
/// An adapter decides nothing: management packets and ATT PDUs pass as they are, and `BluetoothEngine` reads them.
package enum BluetoothEvent: Equatable, Sendable {
    /// The kernel's management channel is open; nothing is known of any controller yet.
    case managementOpened
    /// It could not be opened, or was lost; `openManagement` may be tried again.
    case managementFailed(BluetoothFailure)
    /// One packet of the channel: event, controller index, length, parameters (mgmt-api.txt, "Packet Structures"). What is
    /// secret at its end (`ManagementEvent.keyLength`) is apart, and counted in its length.
    case managementReceived([UInt8], key: SecretKey? = nil)
    /// Centrals can reach the attributes now.
    case attributesServed(BluetoothAttributeServer)
    /// They cannot, or no longer; `serveAttributes` may be tried again. Links that were open are told as closed before.
    case attributesFailed(BluetoothFailure)
    /// An ATT bearer is up: a central came, or `attConnect` succeeded. `mtu` bounds what the bearer carries before an
    /// exchange of MTUs: 23 on LE (Core 5.4, Vol 3, Part G, 5.2.1), 517 where bluetoothd stands between.
    case attConnected(BluetoothLinkID, peer: BluetoothAddress, mtu: Int)
    /// How well the link is protected from now on; told before the first PDU for which it holds. At first it is not.
    case attSecured(BluetoothLinkID, BluetoothSecurity)
    /// `attConnect` failed.
    case attConnectFailed(BluetoothAddress, BluetoothFailure)
    /// One PDU, opcode first.
    case attReceived(BluetoothLinkID, [UInt8])
    /// The link is gone, for whatever reason, our own `attDisconnect` too; its number is never used again.
    case attClosed(BluetoothLinkID)
}
