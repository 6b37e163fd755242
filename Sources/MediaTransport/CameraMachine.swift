package import Octets

/// The life of the program that is the board's camera, and the pictures in what it writes.
///
/// It runs while somebody views. When it ends, writes nothing more or nothing that is a picture, it is started again,
/// after 1, 2, 4 … 60 s.
package struct CameraMachine: Sendable {
    package struct Configuration: Equatable, Sendable {
        /// Without a picture for this long the program hangs: longer than any camera takes to start.
        package var stallLimit: Duration = .seconds(5)
        /// A program has this long to end when it is asked to.
        package var patience: Duration = .seconds(2)
        /// One that has closed its output is expected to end by itself within this time.
        package var farewell: Duration = .milliseconds(200)

        package init() {}
    }

    package enum Event: Equatable, Sendable {
        /// How many flows show its pictures now.
        case viewers(Int)
        case notStarted(String)
        case output([UInt8])
        case outputEnded
        /// The program has ended, and all its output has been read.
        case ended(String)
        case deadlineReached
    }

    package enum Effect: Equatable, Sendable {
        case start
        case terminate
        case kill
        case show(LivePicture)
        case report(Status)
    }

    package struct Status: Equatable, Sendable {
        package enum State: Equatable, Sendable {
            /// Nobody views.
            case idle
            /// No picture yet.
            case starting
            case running
            /// It has been told to end.
            case ending
            /// It is started again after this time.
            case waiting(Duration)
        }

        package var state: State
        /// How often it has been lost.
        package var losses: Int
        /// What the last loss was; nil once there are pictures again.
        package var trouble: String?

        package init(state: State, losses: Int = 0, trouble: String? = nil) {
            self.state = state
            self.losses = losses
            self.trouble = trouble
        }
    }

    /// Octets read in one window at most: four times what a link carries, so that a program which floods its output
    /// gets some percent of a processor and no more.
    package static let windowOctets = 1 << 20
    package static let window = Duration.milliseconds(50)

    private enum State: Equatable {
        case idle
        case running(since: MonotonicInstant, lastPicture: MonotonicInstant?)
        /// Waited for to end; `cause` is why it was lost, nil when nobody needs it any more.
        case ending(since: MonotonicInstant, cause: String?, step: Step)
        case waiting(until: MonotonicInstant)
    }

    /// What comes next if it does not end.
    private enum Step: Equatable {
        case terminate(at: MonotonicInstant)
        case kill(at: MonotonicInstant)
        case none
    }

    private let configuration: Configuration
    private var state = State.idle
    private var viewers = 0
    private var reader = LiveVideoReader()
    private var delay = RestartDelay()
    private var losses = 0
    private var trouble: String?
    private var lastOutput: MonotonicInstant?
    private var windowStart = MonotonicInstant(nanoseconds: 0)
    private var windowCount = 0

    package init(_ configuration: Configuration = .init()) { self.configuration = configuration }

    package mutating func handle(_ event: Event, now: MonotonicInstant) -> [Effect] {
        switch event {
        case .viewers(let count):
            viewers = max(0, count)
            return viewers > 0 ? startIfWanted(now) : stop(now)
        case .output(let octets): return take(octets, now)
        case .outputEnded:
            guard case .running(let since, _) = state else { return [] }
            let end = now.advanced(by: configuration.farewell)
            state = .ending(since: since, cause: "it has closed its output", step: .terminate(at: end))
            return []
        // It may have been told to end before anybody knew that it had not even begun.
        case .notStarted(let how), .ended(let how): return ended(how, now)
        case .deadlineReached: return reachDeadline(now)
        }
    }

    /// No program is there, and none is waited for.
    package var isIdle: Bool {
        switch state {
        case .idle, .waiting: true
        case .running, .ending: false
        }
    }

    /// Whether its output is to be read now; not while it has written more than its share.
    package var isReading: Bool { windowCount < Self.windowOctets }

    package var nextDeadline: MonotonicInstant? {
        let windowEnd = isReading ? nil : windowStart.advanced(by: Self.window)
        let own: [MonotonicInstant?] =
            switch state {
            case .idle: []
            case .running: [stallDeadline, isReading ? reader.nextDeadline : nil]
            case .ending(_, _, .terminate(let at)), .ending(_, _, .kill(let at)): [at]
            case .ending(_, _, .none): []
            case .waiting(let until): [until]
            }
        return (own + [windowEnd]).compactMap { $0 }.min()
    }

    private var stallDeadline: MonotonicInstant? {
        guard case .running(let since, let lastPicture) = state else { return nil }
        return (lastPicture ?? since).advanced(by: configuration.stallLimit)
    }

    private mutating func startIfWanted(_ now: MonotonicInstant) -> [Effect] {
        guard state == .idle, viewers > 0 else { return [] }
        state = .running(since: now, lastPicture: nil)
        reader = LiveVideoReader()
        lastOutput = nil
        return [.start, report(.starting)]
    }

    private mutating func stop(_ now: MonotonicInstant) -> [Effect] {
        guard case .running(let since, _) = state else { return [] }
        return [terminate(since, cause: nil, now), report(.ending)]
    }

    private mutating func terminate(_ since: MonotonicInstant, cause: String?, _ now: MonotonicInstant) -> Effect {
        let end = now.advanced(by: configuration.patience)
        state = .ending(since: since, cause: cause, step: .kill(at: end))
        return .terminate
    }

    private mutating func ended(_ how: String, _ now: MonotonicInstant) -> [Effect] {
        switch state {
        case .idle, .waiting: return []
        case .running(let since, _): return lose(how, since, now)
        // It has ended by itself: how says more than that its output was closed.
        case .ending(let since, _?, .terminate): return lose(how, since, now)
        case .ending(let since, let cause?, _): return lose(cause, since, now)
        case .ending(_, nil, _):
            state = .idle
            let restart = startIfWanted(now)
            return restart.isEmpty ? [report(.idle)] : restart
        }
    }

    private mutating func lose(_ cause: String, _ since: MonotonicInstant, _ now: MonotonicInstant) -> [Effect] {
        let wait = delay.take(after: since.duration(to: now))
        state = .waiting(until: now.advanced(by: wait))
        losses += 1
        trouble = cause
        return [report(.waiting(wait))]
    }

    private mutating func take(_ octets: [UInt8], _ now: MonotonicInstant) -> [Effect] {
        if windowStart.duration(to: now) >= Self.window {
            windowStart = now
            windowCount = 0
        }
        windowCount += octets.count
        // What a program that is told to end still writes is read, or it could not end; no faster than before.
        guard case .running(let since, let lastPicture) = state else { return [] }
        lastOutput = now
        return show(reader.append(octets, now: now), since, lastPicture, now)
    }

    private mutating func show(
        _ pictures: [LivePicture], _ since: MonotonicInstant, _ lastPicture: MonotonicInstant?, _ now: MonotonicInstant
    ) -> [Effect] {
        guard !pictures.isEmpty else { return [] }
        state = .running(since: since, lastPicture: now)
        let shown = pictures.map { Effect.show($0) }
        guard lastPicture == nil else { return shown }
        trouble = nil
        return [report(.running)] + shown
    }

    private mutating func reachDeadline(_ now: MonotonicInstant) -> [Effect] {
        let wasReading = isReading
        if !isReading, windowStart.advanced(by: Self.window) <= now {
            windowStart = now
            windowCount = 0
        }
        switch state {
        case .idle: return []
        case .waiting(let until):
            guard until <= now else { return [] }
            state = .idle
            let start = startIfWanted(now)
            return start.isEmpty ? [report(.idle)] : start
        case .running(let since, let lastPicture):
            // After a pause there is something to read, and the picture is not over.
            if wasReading, let picture = reader.endIfQuiet(now) { return show([picture], since, lastPicture, now) }
            guard let stall = stallDeadline, stall <= now else { return [] }
            return [terminate(since, cause: stallCause(now), now)]
        case .ending(let since, let cause, .terminate(let at)):
            guard at <= now else { return [] }
            return [terminate(since, cause: cause, now)]
        case .ending(let since, let cause, .kill(let at)):
            guard at <= now else { return [] }
            state = .ending(since: since, cause: cause, step: .none)
            return [.kill]
        case .ending(_, _, .none): return []
        }
    }

    private func stallCause(_ now: MonotonicInstant) -> String {
        let seconds = "\(configuration.stallLimit.components.seconds) s"
        guard let lastOutput, lastOutput.duration(to: now) < configuration.stallLimit else {
            return "it has written nothing for \(seconds)"
        }
        return "no picture that a viewer could start at in what it wrote for \(seconds)"
    }

    private func report(_ state: Status.State) -> Effect {
        .report(Status(state: state, losses: losses, trouble: trouble))
    }
}
