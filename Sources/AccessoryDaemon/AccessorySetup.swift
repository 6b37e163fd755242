internal import AccessoryCore
internal import Identity
internal import NANEngine

/// What an identity means for the machines.
enum AccessorySetup {
    static func configuration(_ configuration: DaemonConfiguration) -> Accessory.Configuration {
        let identity = configuration.identity
        // One schedule serves all services: the one that waits least, where any of them must not wait.
        let isRealtime = identity.services.contains { $0.performanceMode == .realtime }
        let device = NANDevice.Configuration(mode: isRealtime ? .realtime : .bulk)
        return Accessory.Configuration(identity: identity, device: device)
    }
}
