internal import AccessoryCore
internal import Identity
internal import LinuxRuntime
internal import NANEngine

/// What an identity means for the machines.
enum AccessorySetup {
    static func configuration(
        _ identity: AccessoryIdentity, bluetooth: DaemonConfiguration.Bluetooth
    ) -> Accessory.Configuration {
        // One schedule serves all services: the one that waits least, where any of them must not wait.
        let isRealtime = identity.services.contains { $0.performanceMode == .realtime }
        var device = NANDevice.Configuration(mode: isRealtime ? .realtime : .bulk)
        device.dataPath.presenceTimeout = identity.limits.presenceTimeout ?? .zero
        var configuration = Accessory.Configuration(identity: identity, device: device)
        switch bluetooth {
        case .none: break
        case .simulated: configuration.bluetooth = BluetoothSetup(firmware: ProductVersion.text)
        case .adapter(let controller):
            configuration.bluetooth = BluetoothSetup(controller: controller, firmware: ProductVersion.text)
        }
        return configuration
    }
}
