package import NANFrames

/// Names a data path of this device: the initiator's NDI and the number it chose.
package struct DataPathID: Hashable, Sendable, CustomStringConvertible {
    package var initiator: NDI
    package var number: NDPID

    package init(initiator: NDI, number: NDPID) {
        self.initiator = initiator
        self.number = number
    }

    package var description: String { "\(number) of \(initiator)" }
}
