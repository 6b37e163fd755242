package import BluetoothFrames

/// Who answers centrals on the ATT channel.
package enum BluetoothAttributeServer: String, Equatable, Sendable {
    /// The kernel hands us the channel's PDUs.
    case kernel
    /// bluetoothd has the channel and asks over D-Bus; the adapter puts what it asks as PDUs.
    case bluetoothd
}

/// A primary service as its attributes lie, for who has to announce it in other words than ATT's.
///
/// The GAP and GATT services are not among those that are handed over: bluetoothd has its own.
package struct BluetoothService: Equatable, Sendable {
    package var uuid: BluetoothUUID
    /// Of its declaration.
    package var handle: UInt16
    package var characteristics: [BluetoothCharacteristic]

    package init(uuid: BluetoothUUID, handle: UInt16, characteristics: [BluetoothCharacteristic]) {
        self.uuid = uuid
        self.handle = handle
        self.characteristics = characteristics
    }
}

package struct BluetoothCharacteristic: Equatable, Sendable {
    package var uuid: BluetoothUUID
    /// Core 5.4, Vol 3, Part G, 3.3.1.1: b1 read, b2 write without response, b3 write, b4 notify, b5 indicate.
    package var properties: UInt8
    /// What is read, written and notified.
    package var valueHandle: UInt16
    /// Of its Client Characteristic Configuration; nil when it notifies nothing.
    package var configurationHandle: UInt16?

    package init(uuid: BluetoothUUID, properties: UInt8, valueHandle: UInt16, configurationHandle: UInt16? = nil) {
        self.uuid = uuid
        self.properties = properties
        self.valueHandle = valueHandle
        self.configurationHandle = configurationHandle
    }
}
