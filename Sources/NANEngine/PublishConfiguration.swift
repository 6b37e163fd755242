package import NANFrames

/// A service as it is published.
package struct PublishConfiguration: Equatable, Sendable {
    /// 1…255, unique among this device's instances of both kinds; the owner chooses.
    package var instance: InstanceID
    /// In full, `_name._udp`; the service ID is its hash.
    package var serviceName: String
    /// One publish in every discovery window.
    package var isUnsolicited = true
    /// One publish for every matching subscribe that is heard.
    package var isSolicited = true
    /// From its start; nil until cancelled.
    package var timeToLive: Duration?
    /// Compared with the subscribe filters that are heard, and sent.
    package var matchingFilter: [UInt8]?
    /// Generic service protocol TLVs: port, protocol, names.
    package var serviceInfo: [UInt8] = []
    /// Repeats the service info in the Service Descriptor: Android before 16 looks there.
    package var repeatsServiceInfo = false
    /// Our own roles; empty sends no NPBA: the pairing window is closed.
    package var bootstrappingMethods: BootstrappingMethods = []
    package var offersDataPath = true
    package var requiresSecurity = true
    package var cipherSuites: [CipherSuiteID] = []

    package init(instance: InstanceID, serviceName: String) {
        self.instance = instance
        self.serviceName = serviceName
    }
}
