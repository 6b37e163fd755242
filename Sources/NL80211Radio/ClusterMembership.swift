internal import NANFrames
internal import Octets

/// Which cluster NAN is in, and until when it counts as running.
struct ClusterMembership: Equatable {
    /// A start of NAN listens for clusters for up to a second.
    private static let joinLimit = Duration.seconds(15)
    /// A window is announced every 512 TU; without one for so long NAN does not run any more.
    private static let windowLimit = Duration.seconds(4)

    /// Nil before the first.
    private(set) var cluster: ClusterID?
    private(set) var aliveUntil: MonotonicInstant

    init(startedAt now: MonotonicInstant) { aliveUntil = now.advanced(by: Self.joinLimit) }

    mutating func join(_ cluster: ClusterID, now: MonotonicInstant) {
        self.cluster = cluster
        aliveUntil = now.advanced(by: Self.windowLimit)
    }

    /// A discovery window was announced, which begins before there is a cluster: until then it says nothing.
    mutating func windowAhead(now: MonotonicInstant) {
        guard cluster != nil else { return }
        aliveUntil = now.advanced(by: Self.windowLimit)
    }

    /// Takes the cluster over that a received frame is of; nil when that is known.
    ///
    /// The kernel passes only frames of the cluster that it is in (reference 1.6): of another one there was a message.
    mutating func learn(from frame: [UInt8]) -> ClusterID? {
        guard let cluster, let told = ClusterID(thirdAddressOf: frame), told != cluster else { return nil }
        self.cluster = told
        return told
    }
}

extension ClusterID {
    /// Of an 802.11 management frame; nil where its third address is something else.
    init?(thirdAddressOf frame: [UInt8]) {
        guard frame.count >= 22 else { return nil }
        let found = ClusterID(MACAddress(bits: frame[16..<22].reduce(0) { $0 << 8 | UInt64($1) }))
        guard found.isWellFormed else { return nil }
        self = found
    }

    /// Whether it begins as all cluster ids do.
    var isWellFormed: Bool { address.bits >> 16 == 0x506F_9A01 }
}
