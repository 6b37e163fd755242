package import BluetoothFrames

/// What is advertised for a product (Accessory Design Guidelines, "Bluetooth"; docs/WIRE.md).
package struct Advertisement: Equatable, Sendable {
    package var service: BluetoothUUID?
    /// With the product's octets, before the state.
    package var manufacturer: AdvertisingData.Manufacturer?
    /// Told in the scan response, while the pairing window is open.
    package var name: String
    /// In 0.625 ms, once the fast time is over.
    package var interval: UInt32

    /// 20 ms, the least that the specification has (Core 5.4, Vol 6, Part B, 4.4.2.2).
    static let fastInterval: UInt32 = 32

    package init(
        service: BluetoothUUID?, manufacturer: AdvertisingData.Manufacturer?, name: String, interval: UInt32
    ) {
        self.service = service
        self.manufacturer = manufacturer
        self.name = name
        self.interval = interval
    }

    /// A part of no length, which ends the data: given no scan response, Linux 7.3 leaves the controller the one before, and
    /// with it the name.
    static let nothing: [UInt8] = [0]

    /// What goes on the air in one state.
    struct Form: Equatable, Sendable {
        var data: [UInt8]
        var scanResponse: [UInt8]
        var interval: UInt32
    }

    /// The advertisement itself; the state is the manufacturer data's last octet.
    package func data(_ state: BeaconState) -> AdvertisingData {
        AdvertisingData(
            flags: AdvertisingData.generalDiscoverableFlags, services: service.map { [$0] } ?? [],
            manufacturer: manufacturer.map { .init(company: $0.company, data: $0.data + [state.rawValue]) })
    }

    package func scanResponse(_ state: BeaconState) -> AdvertisingData {
        // Who we are is told only while somebody new may come, as over NAN.
        AdvertisingData(name: state.contains(.pairingWindowOpen) ? name : nil)
    }

    func form(_ state: BeaconState, isFast: Bool) -> Form {
        let response = scanResponse(state).octets
        return Form(
            data: data(state).octets, scanResponse: response.isEmpty ? Self.nothing : response,
            interval: isFast ? Self.fastInterval : interval)
    }
}
