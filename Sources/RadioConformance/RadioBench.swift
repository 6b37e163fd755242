package import Octets
package import Ports

/// Radios of any make that a conformance case can drive: simulated on virtual time, or real ones in a laboratory.
///
/// Radio 0 and 1 are in range of each other and not started; every case gets fresh ones.
package protocol RadioBench {
    var now: MonotonicInstant { get }
    var abilities: BenchAbilities { get }

    mutating func perform(_ effect: RadioEffect, on radio: Int)
    /// Lets time pass.
    mutating func advance(by duration: Duration)
    /// What the radio told since the last call, with its time.
    mutating func takeEvents(of radio: Int) -> [TimedEvent]
    /// rfkill; only with `.switching`.
    mutating func setSwitch(of radio: Int, on: Bool)
}

/// What a bench can do besides its duty.
package struct BenchAbilities: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Radios can be switched off and on.
    package static let switching = BenchAbilities(rawValue: 1 << 0)
    /// Time is exact, so windows are checked to the slot.
    package static let exactTime = BenchAbilities(rawValue: 1 << 1)
    /// A data link opens as soon as packets leave, whatever the peer makes of them.
    package static let opensUnproven = BenchAbilities(rawValue: 1 << 2)
    /// Frames are decrypted by software, which opens management frames with a key installed before MFP, too.
    package static let decryptsInSoftware = BenchAbilities(rawValue: 1 << 3)
}

package struct TimedEvent: Equatable, Sendable {
    package let at: MonotonicInstant
    package let event: RadioEvent

    package init(at: MonotonicInstant, event: RadioEvent) {
        self.at = at
        self.event = event
    }
}

/// What a radio did otherwise than the kernel does.
package struct ConformanceFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
