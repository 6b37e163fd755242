package import BluetoothFrames
package import Cryptography

/// What is asked of the Bluetooth side; carried out in order, without an answer unless one is named.
package enum BluetoothEffect: Equatable, Sendable {
    /// Opens the kernel's management channel; answered by `managementOpened` or `managementFailed`.
    case openManagement
    /// One packet of the channel: opcode, controller index, length, parameters. A key is the packet's last part, and is
    /// counted in its length; it is apart so that nothing that prints or keeps effects has its octets.
    case managementSend([UInt8], key: SecretKey? = nil)
    /// Lets centrals reach the attributes: listens on the LE ATT channel of every controller or, where bluetoothd has that
    /// channel, has it register these services. Answered by `attributesServed` or `attributesFailed`.
    case serveAttributes([BluetoothService])
    /// One PDU, opcode first. One that the link's bounded queue has no room for closes the link.
    case attSend(BluetoothLinkID, [UInt8])
    /// Ends the link; answered by `attClosed`.
    case attDisconnect(BluetoothLinkID)
    /// The phone's side: opens an ATT bearer to a peripheral; answered by `attConnected` or `attConnectFailed`.
    case attConnect(BluetoothAddress)
    /// Closes links, listeners and the management channel; what the kernel holds for the channel is taken back before.
    case close
}
