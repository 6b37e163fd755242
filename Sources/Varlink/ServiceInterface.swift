/// What every service answers to: `org.varlink.service` (varlink.org, "Service").
enum ServiceInterface {
    static let name = "org.varlink.service"
    static let getInfo = "\(name).GetInfo"
    static let getInterfaceDescription = "\(name).GetInterfaceDescription"

    static let text = """
        # Tells about the service and the interfaces it has.
        interface org.varlink.service

        # Who made the service, and which interfaces it has.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # The description of one interface.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The service has no such interface.
        error InterfaceNotFound (interface: string)

        # The interface has no such method.
        error MethodNotFound (method: string)

        # The interface has the method, but this service does not.
        error MethodNotImplemented (method: string)

        # A parameter is missing, unknown or of the wrong type.
        error InvalidParameter (parameter: string)

        # The caller may not do this.
        error PermissionDenied ()

        # The method gives more than one reply and must be called so.
        error ExpectedMore ()

        """
}

/// Who a service says it is.
package struct VarlinkServiceInfo: Equatable, Sendable {
    package var vendor: String
    package var product: String
    package var version: String
    package var url: String

    package init(vendor: String, product: String, version: String, url: String) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
    }
}
