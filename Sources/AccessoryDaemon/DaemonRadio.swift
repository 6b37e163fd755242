internal import Ports

/// A radio with what the daemon wants of it besides: figures, and captures.
protocol DaemonRadio: RadioPort {
    /// What never reached the accessory.
    var dropCounts: [String: Int] { get }

    /// Payload went to or came from this address of a peer.
    func noteTraffic(with address: IPAddress)

    /// Gives `sink` every frame as blocks of pcapng, without the header; nil ends that.
    func capture(to sink: (([UInt8]) -> Void)?)
}
