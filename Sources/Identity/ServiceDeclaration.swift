/// One service the accessory publishes: everything about it that is provisioned.
package struct ServiceDeclaration: Hashable, Sendable {
    package let name: ServiceName
    /// Tells services of one name apart; sent in the generic service protocol's instance TLV.
    package let instanceName: String?
    package let port: UInt16
    package let handler: ServiceHandler
    package let performanceMode: PerformanceMode
    package let serviceClass: ServiceClass
    package let devices: DeviceFilter

    package static let ports = 1...65535
    /// Octets of an instance name: a DNS label (RFC 6763 4.1.1).
    package static let maximumInstanceNameLength = 63

    package init(
        name: ServiceName, instanceName: String? = nil, port: Int, handler: ServiceHandler,
        performanceMode: PerformanceMode = .bulk, serviceClass: ServiceClass = .bestEffort,
        devices: DeviceFilter = .anyPaired
    ) throws(IdentityError) {
        guard Self.ports.contains(port), let number = UInt16(exactly: port) else {
            throw IdentityError(field: "port", value: "\(port)", accepted: Self.ports.accepted)
        }
        if let instanceName {
            guard (1...Self.maximumInstanceNameLength).contains(instanceName.utf8.count),
                !instanceName.hasControlCharacters
            else {
                throw IdentityError(
                    field: "instance-name", value: instanceName,
                    accepted: "1 to \(Self.maximumInstanceNameLength) octets of UTF-8 without control characters")
            }
        }
        if name.transport == .tcp, handler.control != nil || handler.video != nil {
            throw IdentityError(
                field: "handler", value: handler.control == nil ? "video" : "control",
                accepted: "forward, because \(name) is a TCP service")
        }
        self.name = name
        self.instanceName = instanceName
        self.port = number
        self.handler = handler
        self.performanceMode = performanceMode
        self.serviceClass = serviceClass
        self.devices = devices
    }
}
