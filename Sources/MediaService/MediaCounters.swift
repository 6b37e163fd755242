internal import Synchronization

/// What the media thread dropped and why, since its start; everything else it tells in its reports.
package struct MediaCounters: Equatable, Sendable {
    /// Datagrams and connections of addresses that no data path was made for.
    package var foreign: UInt64 = 0
    /// Datagrams that the service has no use for: not RTCP on a video port, DTLS on a shared one.
    package var unexpected: UInt64 = 0
    /// Datagrams or streams for a local program that was not there.
    package var undeliverable: UInt64 = 0
    /// Datagrams and streams over a connection's limits.
    package var overLimit: UInt64 = 0
    /// RTCP that could not be read.
    package var malformed: UInt64 = 0
    /// Video packets given up because they were late or the kernel had no room.
    package var droppedPackets: UInt64 = 0
    /// Reports that the control thread did not take in time.
    package var lostReports: UInt64 = 0

    package init() {}
}

/// The counters, written by the media thread and read by others.
final class SharedCounters: Sendable {
    private let value = Mutex(MediaCounters())

    var snapshot: MediaCounters { value.withLock { $0 } }

    func update(_ body: (inout MediaCounters) -> Void) { value.withLock { body(&$0) } }
}
