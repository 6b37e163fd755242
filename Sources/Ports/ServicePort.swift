package import Identity

/// Names a service by what no two services of an identity share.
package struct ServicePort: Hashable, Sendable, CustomStringConvertible {
    package let number: UInt16
    package let transport: TransportProtocol

    package init(number: UInt16, transport: TransportProtocol) {
        self.number = number
        self.transport = transport
    }

    package init(_ service: ServiceDeclaration) { self.init(number: service.port, transport: service.name.transport) }

    package var description: String { "\(transport.rawValue) port \(number)" }
}
