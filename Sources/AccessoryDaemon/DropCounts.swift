internal import MediaService
internal import SimulatedMedium
internal import SimulatedRadio

/// What the media thread and the air dropped, in the words of the snapshot's `rejected`; nothing that is zero.
enum DropCounts {
    static func of(_ counters: MediaCounters) -> [String: Int] {
        present([
            "media/foreign datagram": counters.foreign, "media/unexpected datagram": counters.unexpected,
            "media/undeliverable datagram": counters.undeliverable, "media/over a limit": counters.overLimit,
            "media/malformed RTCP": counters.malformed, "media/late video packet": counters.droppedPackets,
            "media/lost report": counters.lostReports,
        ])
    }

    static func of(_ link: AirRadio.LinkStatistics, _ air: AirStatistics) -> [String: Int] {
        present([
            "air/junk": UInt64(clamping: link.junk), "air/malformed": UInt64(clamping: air[.malformed]),
            "air/overflow": UInt64(clamping: air[.overflow]),
        ])
    }

    private static func present(_ counts: [String: UInt64]) -> [String: Int] {
        counts.filter { $0.value > 0 }.mapValues { Int(clamping: $0) }
    }
}
