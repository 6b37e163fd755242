package import NANFrames

/// A service as it is looked for.
package struct SubscribeConfiguration: Equatable, Sendable {
    package var instance: InstanceID
    package var serviceName: String
    /// One subscribe in every discovery window; false only listens.
    package var isActive = true
    package var timeToLive: Duration?
    package var matchingFilter: [UInt8]?
    package var serviceInfo: [UInt8] = []

    package init(instance: InstanceID, serviceName: String) {
        self.instance = instance
        self.serviceName = serviceName
    }
}
