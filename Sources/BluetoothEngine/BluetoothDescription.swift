package import BluetoothFrames

/// What an accessory tells of itself over GATT.
package struct BluetoothDescription: Equatable, Sendable {
    package var name: String
    package var manufacturer: String
    package var model: String
    package var serialNumber: String
    package var firmware: String
    /// The service that has the accessory's characteristics.
    package var service: BluetoothUUID
    /// In full, `_drone-service._udp`.
    package var nanServices: [String]

    package init(
        name: String, manufacturer: String, model: String, serialNumber: String, firmware: String,
        service: BluetoothUUID = .accessoryService, nanServices: [String]
    ) {
        self.name = name
        self.manufacturer = manufacturer
        self.model = model
        self.serialNumber = serialNumber
        self.firmware = firmware
        self.service = service
        self.nanServices = nanServices
    }
}
