import Dot11Frames
import NANEngine
import NANFrames
import Octets
import Ports

/// One device with a radio that does what it is told and hears what a test plays to it.
struct DeviceRig {
    private(set) var device: NANDevice
    private(set) var frames: [[UInt8]] = []
    private(set) var reports: [NANReport] = []
    private(set) var effects: [RadioEffect] = []
    private(set) var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let cluster: ClusterID
    private var lastTransmission: TransmitID?

    init(_ device: NANDevice, cluster: ClusterID) {
        self.device = device
        self.cluster = cluster
    }

    @discardableResult
    mutating func handle(_ event: NANDevice.Event) -> [NANReport] {
        var told: [NANReport] = []
        var queue = [event]
        while !queue.isEmpty {
            for effect in device.handle(queue.removeFirst(), now: now) {
                switch effect {
                case .radio(.transmit(let transmission)):
                    frames.append(transmission.frame)
                    lastTransmission = transmission.id
                case .radio(let effect): effects.append(effect)
                case .crypto(let job): queue.append(.crypto(job.run()))
                case .report(let report): told.append(report)
                }
            }
        }
        reports += told
        return told
    }

    mutating func command(_ command: NANCommand) { handle(.command(command)) }

    mutating func join() {
        command(.start)
        handle(.radio(.started(.simulated)))
        handle(.radio(.clusterJoined(cluster, isNew: true)))
    }

    mutating func window() { handle(.radio(.discoveryWindowAhead(frequency: 2437))) }

    /// The radio delivers a frame as the kernel does: in clear, with the Protected bit of one that came encrypted.
    mutating func receive(_ frame: [UInt8], isProtected: Bool) -> [NANReport] {
        var frame = frame
        frame[1] = isProtected ? 0x40 : 0
        return handle(.radio(.received(ReceivedFrame(octets: frame))))
    }

    mutating func acknowledgeLast() {
        if let lastTransmission { handle(.radio(.transmitted(lastTransmission, acknowledged: true))) }
    }

    mutating func pass(_ duration: Duration) {
        now = now.advanced(by: duration)
        handle(.deadlineReached)
    }

    /// Answers the last `openDataLink`; the data path it was for.
    mutating func openLink() -> DataPathID? {
        for case .openDataLink(let peer, _, _) in effects.reversed() {
            let told = handle(.radio(.dataLinkOpened(peer, local: .v4(0x7F00_0002), peer: .v4(0x7F00_0003))))
            for case .dataPathConnected(let link) in told { return link.id }
        }
        return nil
    }

    /// Without the Protected bit and the sequence number, which are the kernel's.
    static func clearHeader(_ frame: [UInt8]) -> [UInt8] {
        var frame = frame
        frame[1] = 0
        frame[22] = 0
        frame[23] = 0
        return frame
    }
}

extension [NANReport] {
    var credential: PairingCredential? {
        for case .paired(_, let credential) in self { return credential }
        return nil
    }

    var request: DataPathRequest? {
        for case .dataPathRequested(let request) in self { return request }
        return nil
    }
}

extension NANReport {
    var isEnd: Bool { if case .dataPathEnded = self { true } else { false } }
    var isDiscovery: Bool { if case .discovered = self { true } else { false } }
}

extension PairingRecord {
    init(_ credential: PairingCredential) {
        self.init(
            id: PairingID(1), peerNIK: credential.peerNIK, npk: credential.npk, akm: credential.akm,
            cipherSuite: credential.cipherSuite, lifetime: credential.lifetime)
    }
}
