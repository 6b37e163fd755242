package import Identity

/// One established data path with one service on it: the unit that is connected, measured and ended.
package struct ConnectionID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    package var description: String { "connection \(rawValue)" }
}

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

/// What the media thread tells.
package enum StreamReport: Equatable, Sendable {
    case serviceOpened(ServicePort)
    case serviceFailed(ServicePort, String)
    /// The first datagram of a connection has come.
    case active(ConnectionID)
    case viewerStarted(ConnectionID)
    case viewerEnded(ConnectionID, ViewerEnd)
    case performance(ConnectionID, PerformanceReport)
    case closed
}

/// Why a video stream ended.
package enum ViewerEnd: String, Equatable, Sendable {
    case goodbye
    case silence
    case disconnected
    case sourceFailed
}

/// One connection's figures since the last report; nil is "not measured", never zero.
package struct PerformanceReport: Equatable, Sendable {
    /// Octets per second of the application's data.
    package var sentPerSecond: Double?
    package var receivedPerSecond: Double?
    /// 0…1, as the peer reports it.
    package var lossFraction: Double?
    package var jitter: Duration?
    package var roundTrip: Duration?

    package init(
        sentPerSecond: Double? = nil, receivedPerSecond: Double? = nil, lossFraction: Double? = nil,
        jitter: Duration? = nil, roundTrip: Duration? = nil
    ) {
        self.sentPerSecond = sentPerSecond
        self.receivedPerSecond = receivedPerSecond
        self.lossFraction = lossFraction
        self.jitter = jitter
        self.roundTrip = roundTrip
    }
}
