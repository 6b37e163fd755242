import Octets
import Ports
import RadioConformance
import SimulatedMedium

/// Two radios on a virtual air.
struct SimulatedBench: RadioBench {
    private(set) var now: MonotonicInstant
    let abilities: BenchAbilities = [.switching, .exactTime]
    private var air: VirtualAir
    private let radios: [VirtualAir.RadioID]
    private var told: [[TimedEvent]] = [[], []]

    init(seed: UInt64, impairments: Impairments = Impairments()) {
        var entropy = Entropy.seeded(seed).fork(label: "bench")
        // Anywhere in a discovery window period, and not near the epoch.
        now = MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64.random(in: 0..<524_288_000, using: &entropy))
        var air = VirtualAir(entropy: Entropy.seeded(seed).fork(label: "air"))
        radios = [0, 1].map { _ in air.addRadio(VirtualKernel.Configuration(impairments: impairments)) }
        self.air = air
    }

    var statistics: AirStatistics { air.statistics }

    private mutating func take(_ effects: [VirtualAir.Effect]) {
        for case .event(let radio, let event) in effects {
            told[radio.rawValue].append(TimedEvent(at: now, event: event))
        }
    }

    mutating func perform(_ effect: RadioEffect, on radio: Int) {
        take(air.handle(.perform(radios[radio], effect), now: now))
    }

    mutating func setSwitch(of radio: Int, on: Bool) {
        take(air.handle(.switched(radios[radio], on: on), now: now))
    }

    mutating func advance(by duration: Duration) {
        let end = now.advanced(by: duration)
        while let deadline = air.nextDeadline, deadline <= end {
            now = max(now, deadline)
            take(air.handle(.deadlineReached, now: now))
        }
        now = end
    }

    mutating func takeEvents(of radio: Int) -> [TimedEvent] {
        defer { told[radio] = [] }
        return told[radio]
    }
}
