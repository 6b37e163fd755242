internal import AccessoryCore
internal import NANEngine
internal import NANSecurity
internal import Octets
internal import PhoneCore
internal import Ports

/// What the air and the crypto worker can tell a machine.
enum Stimulus {
    case radio(RadioEvent)
    case crypto(CryptoResult)
    case deadlineReached
}

/// What a machine answered, in so far as the campaign looks at it.
struct Answer {
    var radio: [RadioEffect] = []
    var jobs: [CryptoJob] = []
    /// Keys of dropped frames, and names of everything else that was reported.
    var drops: [String] = []
    var reports: [String] = []

    /// `discovered` of `discovered(...)`.
    static func name(_ report: Any) -> String { Mirror(reflecting: report).children.first?.label ?? "\(report)" }
}

/// A machine that is copied, disturbed and thrown away.
protocol Subject {
    var nextDeadline: MonotonicInstant? { get }
    mutating func answer(_ stimulus: Stimulus, now: MonotonicInstant) -> Answer
}

extension NANDevice: Subject {
    mutating func answer(_ stimulus: Stimulus, now: MonotonicInstant) -> Answer {
        var answer = Answer()
        let event: Event =
            switch stimulus {
            case .radio(let event): .radio(event)
            case .crypto(let result): .crypto(result)
            case .deadlineReached: .deadlineReached
            }
        for effect in handle(event, now: now) {
            switch effect {
            case .radio(let effect): answer.radio.append(effect)
            case .crypto(let job): answer.jobs.append(job)
            case .report(.dropped(let key)): answer.drops.append(key)
            case .report(let report): answer.reports.append("NANDevice \(Answer.name(report))")
            }
        }
        return answer
    }
}

extension RootMachine {
    /// The machine's answer to what no command caused.
    mutating func answerAsRoot(_ stimulus: Stimulus, _ name: String, now: MonotonicInstant) -> Answer {
        var answer = Answer()
        let event: PortEvent<Command> =
            switch stimulus {
            case .radio(let event): .radio(event)
            case .crypto(let result): .crypto(result)
            case .deadlineReached: .deadlineReached
            }
        for effect in handle(event, now: now) {
            switch effect {
            case .radio(let effect): answer.radio.append(effect)
            case .crypto(let job): answer.jobs.append(job)
            case .report(let report): answer.reports.append("\(name) \(Answer.name(report))")
            case .store, .stream, .display: break
            }
        }
        return answer
    }
}

extension Accessory: Subject {
    mutating func answer(_ stimulus: Stimulus, now: MonotonicInstant) -> Answer {
        answerAsRoot(stimulus, "Accessory", now: now)
    }
}

extension Phone: Subject {
    mutating func answer(_ stimulus: Stimulus, now: MonotonicInstant) -> Answer {
        answerAsRoot(stimulus, "Phone", now: now)
    }
}
