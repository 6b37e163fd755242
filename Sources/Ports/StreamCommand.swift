package import Identity

/// What the media thread is told.
package enum StreamCommand: Equatable, Sendable {
    /// Starts to serve the service's port on every address that a connection names; answered by `serviceOpened` or
    /// `serviceFailed`.
    case openService(ServiceDeclaration)
    /// Lets this peer use the service that it was connected for; a datagram from any other is dropped and counted.
    case connect(ConnectionID, to: ServicePort, local: IPAddress, peer: IPAddress)
    /// Ends its streams and sockets.
    case disconnect(ConnectionID)
    /// Closes everything; answered by `closed`.
    case close
}
