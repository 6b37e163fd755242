internal import NANEngine
internal import NANFrames
internal import Octets
internal import Ports

/// A data path that a paired device uses one service through.
struct Connection: Equatable {
    let id: ConnectionID
    let pairing: PairingID
    let service: ServicePort
    let peer: NMI
    /// Nil until the data path works.
    var link: DataPathLink?
    var performance = PerformanceReport()
    /// Flows that the video goes to.
    var viewers = 0
    var isViewing: Bool { viewers > 0 }
    /// When something was last carried either way.
    var carried: MonotonicInstant
}
