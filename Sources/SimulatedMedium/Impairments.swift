/// How bad the air is, for each receiver on its own; the default is a perfect one.
///
/// Probabilities are 0…1. What is lost in transmission is repeated by the sender's MAC; the rest is not.
package struct Impairments: Equatable, Sendable {
    /// That one attempt of a frame is not heard.
    package var frameLoss: Double
    /// That an acknowledgement is not heard.
    package var acknowledgementLoss: Double
    /// That a frame is not heard in any of its attempts: no acknowledgement, no delivery.
    package var residualLoss: Double
    /// That a frame is acknowledged and then lost inside the receiver: the sender believes it arrived.
    package var deliveryLoss: Double
    /// That a frame is delivered twice, the copy later.
    package var duplication: Double
    /// Between the receiver's MAC and the program.
    package var delay: ClosedRange<Duration>
    /// That a frame is held back by `reorderingDelay`, so that later ones overtake it.
    package var reordering: Double
    package var reorderingDelay: Duration

    package init(
        frameLoss: Double = 0, acknowledgementLoss: Double = 0, residualLoss: Double = 0, deliveryLoss: Double = 0,
        duplication: Double = 0, delay: ClosedRange<Duration> = .zero ... .zero, reordering: Double = 0,
        reorderingDelay: Duration = .milliseconds(20)
    ) {
        self.frameLoss = frameLoss
        self.acknowledgementLoss = acknowledgementLoss
        self.residualLoss = residualLoss
        self.deliveryLoss = deliveryLoss
        self.duplication = duplication
        self.delay = delay
        self.reordering = reordering
        self.reorderingDelay = reorderingDelay
    }

    /// The same loss for frames and acknowledgements.
    package static func lossy(_ loss: Double, residual: Double = 0) -> Impairments {
        Impairments(frameLoss: loss, acknowledgementLoss: loss, residualLoss: residual)
    }
}

/// The MAC's patience.
package struct MACTiming: Equatable, Sendable {
    /// Attempts after the first.
    package var retryLimit: Int
    /// After the end of a frame, before it is repeated.
    package var acknowledgementTimeout: Duration
    /// How much longer an acknowledgement of the last attempt may take; more than nothing only between processes.
    package var grace: Duration
    /// From the queue to the first possible attempt (hwsim: 0.1…5 ms).
    package var transmitDelay: ClosedRange<Duration>

    package init(
        retryLimit: Int, acknowledgementTimeout: Duration, grace: Duration, transmitDelay: ClosedRange<Duration>
    ) {
        self.retryLimit = retryLimit
        self.acknowledgementTimeout = acknowledgementTimeout
        self.grace = grace
        self.transmitDelay = transmitDelay
    }

    /// On virtual time, as the standard has it.
    package static let virtual = MACTiming(
        retryLimit: 7, acknowledgementTimeout: .microseconds(150), grace: .zero,
        transmitDelay: .microseconds(100) ... .milliseconds(5))

    /// Between processes, which answer when they are scheduled.
    package static let acrossProcesses = MACTiming(
        retryLimit: 7, acknowledgementTimeout: .milliseconds(4), grace: .milliseconds(60),
        transmitDelay: .microseconds(100) ... .milliseconds(2))

    /// The back-off before attempt number `attempt`, 1 being the first repetition: slots of 9 µs out of a window
    /// that doubles from 15 to 1023.
    func backoff(attempt: Int, using entropy: inout some RandomNumberGenerator) -> Duration {
        let window = min(1023, 16 << min(attempt, 6) - 1)
        return .microseconds(9 * Int.random(in: 0...window, using: &entropy))
    }
}
