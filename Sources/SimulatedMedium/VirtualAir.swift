package import Octets
package import Ports

/// Several simulated radios within hearing of each other, on virtual time.
///
/// A pure machine: whoever owns it calls `handle` for everything that happens and once more at `nextDeadline`.
package struct VirtualAir: Sendable {
    package struct RadioID: Hashable, Sendable, CustomStringConvertible {
        package let rawValue: Int
        package init(_ rawValue: Int) { self.rawValue = rawValue }
        package var description: String { "radio \(rawValue)" }
    }

    package enum Event: Equatable, Sendable {
        case perform(RadioID, RadioEffect)
        /// See `VirtualKernel.Event.activity`.
        case activity(RadioID, DataPeer)
        case switched(RadioID, on: Bool)
        case removed(RadioID)
        /// Whether two radios hear each other; they do at first.
        case reach(RadioID, RadioID, isInRange: Bool)
        case deadlineReached
    }

    package enum Effect: Equatable, Sendable {
        case event(RadioID, RadioEvent)
        /// The next octets of the capture file, the file's header first.
        case captured([UInt8])
    }

    private struct Arrival {
        let at: MonotonicInstant
        let to: Int
        let frame: AirFrame
    }

    private struct Pair: Hashable {
        let low: Int
        let high: Int
        init(_ one: Int, _ other: Int) {
            low = min(one, other)
            high = max(one, other)
        }
    }

    private var entropy: Entropy
    private var kernels: [VirtualKernel] = []
    private var arrivals: [Arrival] = []
    private var separated: Set<Pair> = []
    private let capture: CaptureWriter?
    private var isCaptureBegun = false
    private var effects: [Effect] = []

    /// An air without radios; `capture` says what to record of it, if anything.
    package init(entropy: Entropy, capture: CaptureWriter? = nil) {
        self.entropy = entropy
        self.capture = capture
    }

    /// Adds a radio with randomness of its own, drawn from the air's.
    package mutating func addRadio(_ configuration: VirtualKernel.Configuration = VirtualKernel.Configuration())
        -> RadioID
    {
        kernels.append(VirtualKernel(configuration: configuration, entropy: .seeded(entropy.next())))
        return RadioID(kernels.count - 1)
    }

    package var nextDeadline: MonotonicInstant? {
        var next = kernels.lazy.compactMap(\.nextDeadline).min()
        for arrival in arrivals where next.map({ arrival.at < $0 }) ?? true { next = arrival.at }
        return next
    }

    package func statistics(of radio: RadioID) -> AirStatistics { kernels[radio.rawValue].statistics }

    /// Of all radios together.
    package var statistics: AirStatistics {
        kernels.reduce(into: AirStatistics()) { $0 += $1.statistics }
    }

    /// - Precondition: the radios were added to this air; `now` never goes backwards.
    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        settle(now)
        switch event {
        case .perform(let radio, let effect): tell(radio.rawValue, .perform(effect), now)
        case .activity(let radio, let peer): tell(radio.rawValue, .activity(peer), now)
        case .switched(let radio, let isOn): tell(radio.rawValue, .switched(on: isOn), now)
        case .removed(let radio): tell(radio.rawValue, .removed, now)
        case .reach(let one, let other, true): separated.remove(Pair(one.rawValue, other.rawValue))
        case .reach(let one, let other, false): separated.insert(Pair(one.rawValue, other.rawValue))
        case .deadlineReached: break
        }
        settle(now)
        defer { effects = [] }
        return effects
    }

    /// Lets everything happen that is due, in the order of its time.
    private mutating func settle(_ now: MonotonicInstant) {
        while let due = nextDeadline, due <= now {
            let arriving = arrivals.filter { $0.at <= due }
            arrivals.removeAll { $0.at <= due }
            for arrival in arriving { tell(arrival.to, .heard(arrival.frame), due) }
            for index in kernels.indices {
                if let deadline = kernels[index].nextDeadline, deadline <= due { tell(index, .deadlineReached, due) }
            }
        }
    }

    private mutating func tell(_ index: Int, _ event: VirtualKernel.Event, _ now: MonotonicInstant) {
        for output in kernels[index].handle(event, now: now) {
            switch output {
            case .event(let event): effects.append(.event(RadioID(index), event))
            case .air(let frame):
                record(frame)
                let end = frame.sentAt + frame.airtime
                for other in kernels.indices where other != index && !separated.contains(Pair(index, other)) {
                    arrivals.append(Arrival(at: max(end, now), to: other, frame: frame))
                }
            }
        }
    }

    private mutating func record(_ frame: AirFrame) {
        guard let capture else { return }
        if !isCaptureBegun {
            isCaptureBegun = true
            effects.append(.captured(capture.fileHeader))
        }
        let packet = capture.packet(frame)
        if !packet.isEmpty { effects.append(.captured(packet)) }
    }
}
