/// An application's message, of at most 255 octets of service info.
package struct FollowUp: Equatable, Sendable {
    package static let lengths = 1...255

    package var peer: ServicePeer
    package var serviceInfo: [UInt8]

    package init(peer: ServicePeer, serviceInfo: [UInt8]) {
        self.peer = peer
        self.serviceInfo = serviceInfo
    }
}
