internal import AccessoryCore
internal import Identity
internal import NANEngine

/// What an identity means for the machines.
enum AccessorySetup {
    static func configuration(_ identity: AccessoryIdentity) -> Accessory.Configuration {
        // One schedule serves all services: the one that waits least, where any of them must not wait.
        let isRealtime = identity.services.contains { $0.performanceMode == .realtime }
        var device = NANDevice.Configuration(mode: isRealtime ? .realtime : .bulk)
        device.dataPath.presenceTimeout = identity.limits.presenceTimeout ?? .zero
        return Accessory.Configuration(identity: identity, device: device)
    }
}
