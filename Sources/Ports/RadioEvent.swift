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

/// A frame the radio delivered: decrypted, A3 checked against the cluster.
package struct ReceivedFrame: Equatable, Sendable {
    /// From the 24-octet header on; the Protected bit says that it arrived encrypted.
    package var octets: [UInt8]
    package var interface: RadioInterface
    /// dBm.
    package var signal: Int?

    package init(octets: [UInt8], interface: RadioInterface = .management, signal: Int? = nil) {
        self.octets = octets
        self.interface = interface
        self.signal = signal
    }
}

/// Why a radio refused or failed, in words for a person and as a cause for a program.
package struct RadioFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: String, Equatable, Sendable {
        case noRadio
        case noNAN
        case noUserSpaceDiscovery
        case noDataPath
        case regulatory
        case permission
        case busy
        case radioOff
        case notStarted
        case unknownStation
        case invalid
        case other
    }

    package var cause: Cause
    package var text: String

    package init(_ cause: Cause, _ text: String) {
        self.cause = cause
        self.text = text
    }

    package var description: String { text }
}

/// Why NAN ended.
package enum RadioStop: Equatable, Sendable {
    case requested
    /// The radio went away or was switched off; `start` may be tried again.
    case lost(String)
}

/// Which effect a refusal answers.
package enum RadioCommand: Equatable, Sendable {
    case localSchedule
    case peer(NMI)
    case dataInterface(NDI)
    case dataPeer(DataPeer)
    case transmission(TransmitID)
}
