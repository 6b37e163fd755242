package import BluetoothFrames

/// An accessory as its advertisement describes it; in clear, and proof of nothing.
package struct BluetoothSighting: Equatable, Sendable {
    package var address: BluetoothAddress
    /// dBm.
    package var signal: Int?
    /// While its pairing window is open.
    package var name: String?
    /// Nil without manufacturer data.
    package var state: BeaconState?
    /// Advertising data, and the scan response after it.
    package var octets: [UInt8]

    package init(address: BluetoothAddress, signal: Int?, name: String?, state: BeaconState?, octets: [UInt8]) {
        self.address = address
        self.signal = signal
        self.name = name
        self.state = state
        self.octets = octets
    }
}

/// What an accessory told over GATT; what it has not is nil.
package struct BluetoothInspection: Equatable, Sendable {
    package var manufacturer: String?
    package var model: String?
    package var serialNumber: String?
    package var firmware: String?
    package var nanServices: [String] = []
    package var state: BeaconState?
    package var summary: LinkSummary?

    package init() {}

    mutating func take(_ uuid: BluetoothUUID, _ octets: [UInt8]) {
        let text = String(decoding: octets, as: UTF8.self)
        switch uuid {
        case .manufacturerName: manufacturer = text
        case .modelNumber: model = text
        case .serialNumber: serialNumber = text
        case .firmwareRevision: firmware = text
        case .nanServices: nanServices = text.split(separator: "\n").map(String.init)
        case .accessoryState: state = octets.first.map { BeaconState(rawValue: $0) }
        case .linkSummary: summary = try? LinkSummary(octets: octets, "link summary")
        default: break
        }
    }
}
