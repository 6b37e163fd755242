package import NANFrames

/// What a radio tells.
package enum RadioEvent: Equatable, Sendable {
    case started(RadioCapabilities)
    /// NAN could not be started, or this radio cannot serve at all.
    case failed(RadioFailure)
    /// NAN has ended: every station, key, schedule and data interface is gone.
    case stopped(RadioStop)
    /// Also after a merge, with another cluster: every frame from now on carries it as A3.
    case clusterJoined(ClusterID, isNew: Bool)
    /// A discovery window is coming; what is queued now leaves in it. MHz.
    case discoveryWindowAhead(frequency: Int)
    case received(ReceivedFrame)
    /// The transmit status: whether the addressee's MAC acknowledged; meaningless for a multicast frame.
    case transmitted(TransmitID, acknowledged: Bool)
    case dataInterfaceAdded(NDI)
    /// Sockets work: ours and the peer's address, without ports.
    case dataLinkOpened(DataPeer, local: IPAddress, peer: IPAddress)
    /// How long nothing was heard from a data station.
    case inactivity(DataPeer, Duration)
    /// An effect was refused; the text is the kernel's own where it gives one.
    case refused(RadioCommand, RadioFailure)
}
