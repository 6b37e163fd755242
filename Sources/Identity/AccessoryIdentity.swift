/// Who the accessory is and what it offers: the whole of what is provisioned.
///
/// There is no PIN in it, and no place for one: a PIN is drawn for each attempt.
package struct AccessoryIdentity: Hashable, Sendable {
    package let vendorName: AdvertisedName
    package let modelName: AdvertisedName
    package let pairingName: AdvertisedName
    package let serialNumber: SerialNumber
    package let services: [ServiceDeclaration]
    package let limits: ConnectionLimits
    package let pairing: PairingPolicy
    package let bluetooth: BluetoothDeclaration
    package let sleep: SleepPolicy

    /// Services of one board: each is a publish instance, and a discovery window has room for few frames.
    package static let serviceCounts = 1...4

    package init(
        vendorName: AdvertisedName, modelName: AdvertisedName, pairingName: AdvertisedName,
        serialNumber: SerialNumber, services: [ServiceDeclaration], limits: ConnectionLimits = .standard,
        pairing: PairingPolicy = .standard, bluetooth: BluetoothDeclaration = .standard,
        sleep: SleepPolicy = .standard
    ) throws(IdentityError) {
        guard Self.serviceCounts.contains(services.count) else {
            throw IdentityError(
                field: "services", value: "\(services.count) services", accepted: Self.serviceCounts.accepted)
        }
        for (index, service) in services.enumerated() {
            for other in services[..<index] {
                if service.name == other.name, service.instanceName == other.instanceName {
                    throw IdentityError(
                        field: "services[\(index)].name", value: "\(service.name)",
                        accepted: "a name, or an instance-name, that no other service has")
                }
                if service.port == other.port, service.name.transport == other.name.transport {
                    throw IdentityError(
                        field: "services[\(index)].port", value: "\(service.port)",
                        accepted: "a port that no other \(service.name.transport.rawValue) service has")
                }
            }
        }
        self.vendorName = vendorName
        self.modelName = modelName
        self.pairingName = pairingName
        self.serialNumber = serialNumber
        self.services = services
        self.limits = limits
        self.pairing = pairing
        self.bluetooth = bluetooth
        self.sleep = sleep
    }
}
