internal import AccessoryCore
internal import NANEngine
internal import Octets
internal import PhoneCore
internal import Ports

/// A machine that is copied, disturbed and thrown away.
protocol Subject {
    var nextDeadline: MonotonicInstant? { get }
    mutating func answer(_ stimulus: Stimulus, now: MonotonicInstant) -> Answer
}

extension NANDevice: Subject {
    mutating func answer(_ stimulus: Stimulus, now: MonotonicInstant) -> Answer {
        var answer = Answer()
        for effect in handle(stimulus.event(), now: now) {
            switch effect {
            case .radio(let effect): answer.radio.append(effect)
            case .crypto(let job): answer.jobs.append(job)
            case .report(.dropped(let key)): answer.drops.append(key)
            case .report(.pairingFailed(_, let failure, _)):
                answer.reports.append("NANDevice pairingFailed")
                answer.drops.append(failure.reason.key)
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
        for effect in handle(stimulus.event(), now: now) {
            switch effect {
            case .radio(let effect): answer.radio.append(effect)
            case .crypto(let job): answer.jobs.append(job)
            case .report(let report): answer.reports.append("\(name) \(Answer.name(report))")
            case .bluetooth, .store, .stream, .display: break
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
