package import NANFrames

/// Which effect a refusal answers.
package enum RadioCommand: Equatable, Sendable {
    case localSchedule
    case peer(NMI)
    case dataInterface(NDI)
    case dataPeer(DataPeer)
    case transmission(TransmitID)
}
