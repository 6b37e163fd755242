package import BluetoothEngine
internal import BluetoothFrames
package import Cryptography
package import Identity
package import Ports

/// What a board's Bluetooth side is set up with, beside the identity.
package struct BluetoothSetup: Equatable, Sendable {
    /// The kernel's number of the controller; nil takes the first that speaks LE.
    package var controller: UInt16?
    /// The firmware revision that centrals are told where the identity names none.
    package var firmware: String

    package init(controller: UInt16? = nil, firmware: String) {
        self.controller = controller
        self.firmware = firmware
    }

    /// Keys and addresses come from our own NIK, so that they last as long as the pairings that know them.
    package func peripheral(
        _ identity: AccessoryIdentity, ownKey: SecretKey, bonds: [BondRecord] = []
    ) -> BluetoothPeripheral.Configuration {
        let declared = identity.bluetooth
        let name = declared.name ?? identity.pairingName.text
        var configuration = BluetoothPeripheral.Configuration(
            advertisement: Advertisement(
                service: declared.advertisedService(standard: .accessoryService), manufacturer: declared.manufacturer,
                name: name, interval: declared.interval.units),
            description: BluetoothDescription(
                name: name, manufacturer: identity.vendorName.text, model: identity.modelName.text,
                serialNumber: identity.serialNumber.text, firmware: declared.firmwareRevision ?? firmware,
                service: declared.service ?? .accessoryService, nanServices: identity.services.map(\.name.text)))
        configuration.controller = controller
        configuration.bonds = declared.bonding == .passkey ? bonds : nil
        let hash = HashFunction.sha256
        switch declared.privacy {
        case .static:
            let digest = hash.authenticationCode(key: ownKey, Array("Bluetooth static address".utf8))
            let bits = digest.prefix(6).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            configuration.staticAddress = BluetoothAddress(.random, bits: bits | 0b11 << 46)
        case .resolvable:
            configuration.privacyKey = hash.derive(
                16, from: ownKey, label: "Bluetooth identity resolving key", context: [UInt8]())
        }
        return configuration
    }
}
