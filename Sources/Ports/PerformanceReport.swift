/// One connection's figures since the last report; nil is "not measured", never zero.
package struct PerformanceReport: Equatable, Sendable {
    /// Octets per second of the application's data.
    package var sentPerSecond: Double?
    package var receivedPerSecond: Double?
    /// 0…1, as the peer reports it.
    package var lossFraction: Double?
    package var jitter: Duration?
    package var roundTrip: Duration?

    package init(
        sentPerSecond: Double? = nil, receivedPerSecond: Double? = nil, lossFraction: Double? = nil,
        jitter: Duration? = nil, roundTrip: Duration? = nil
    ) {
        self.sentPerSecond = sentPerSecond
        self.receivedPerSecond = receivedPerSecond
        self.lossFraction = lossFraction
        self.jitter = jitter
        self.roundTrip = roundTrip
    }
}
