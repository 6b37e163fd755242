/// What the media thread tells.
package enum StreamReport: Equatable, Sendable {
    case serviceOpened(ServicePort)
    case serviceFailed(ServicePort, String)
    /// The first datagram of a connection has come.
    case active(ConnectionID)
    case viewerStarted(ConnectionID)
    case viewerEnded(ConnectionID, ViewerEnd)
    case performance(ConnectionID, PerformanceReport)
    case camera(CameraStatus)
    case closed
}
