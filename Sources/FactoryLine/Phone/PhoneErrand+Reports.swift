internal import LinuxRuntime
internal import NANFrames
internal import Octets
internal import PhoneCore
internal import Ports

extension PhoneErrand {
    /// Takes up what the phone tells, in the stage it tells it in; news of a stage that is over is no news.
    mutating func heard(_ report: PhoneReport, _ now: MonotonicInstant) -> [Effect] {
        switch report {
        case .joined(let cluster):
            guard stage == .starting else { return [] }
            stage = .looking
            return [.tell(.joined(cluster: "\(cluster.address)"))] + choose(now)
        case .radioFailed(let failure): return lost(failure)
        case .stopped:
            guard case .stopping(let verdict) = stage else { return [] }
            return end(verdict)
        case .discovered(let accessory): return saw(accessory, now)
        case .lost(let nmi):
            guard let accessory = accessories.removeValue(forKey: nmi), matches(accessory) else { return [] }
            // Once there is a connection, whether it still publishes is no matter.
            return stage == .looking ? [.tell(.lost(title(of: accessory)))] : []
        case .bootstrapping(let nmi):
            return [.tell(.requested(accessories[nmi].map { title(of: $0) } ?? "\(nmi)"))]
        case .askedToWait(let delay):
            guard stage == .bootstrapping else { return [] }
            progress(now.advanced(by: delay))
            return [.tell(.askedToWait(delay))]
        case .pinNeeded:
            guard stage == .bootstrapping else { return [] }
            enter(.awaitingPIN, now)
            let request: PhoneEvent.PINRequest = wasRefused ? .again : .first
            return [.tell(.pinNeeded(request)), .askPIN(request)]
        case .authenticating:
            guard case .authenticating = stage else { return [] }
            progress(now)
            return [.tell(.authenticating)]
        case .authenticated(let verified):
            guard case .authenticating = stage else { return [] }
            progress(now)
            return [.tell(.authenticated(isVerification: verified != nil))]
        case .paired(let id):
            failures = 0
            wasRefused = false
            progress(now)
            return [.tell(.paired(id))]
        case .pairingFailed(let failure): return pairingFailed(failure, now)
        case .connecting:
            guard isBusy else { return [] }
            enter(.connecting, now)
            return [.tell(.connecting)]
        case .connected(let link):
            guard stage == .connecting else { return [] }
            failures = 0
            enter(.connected, now)
            if !hasConnected, let stay = configuration.stay { timers.start(.stay, at: now.advanced(by: stay)) }
            hasConnected = true
            let message = hasDelivered ? nil : configuration.message
            return [.tell(.connected(link)), .openMedia(link)] + (message.map { [.phone(.send(Array($0.utf8)))] } ?? [])
        case .message(let octets):
            return [.tell(.message(String(decoding: octets, as: UTF8.self)))]
        case .messageSent(let isAcknowledged):
            hasDelivered = hasDelivered || isAcknowledged
            return [.tell(.messageSent(isAcknowledged: isAcknowledged))]
        case .disconnected(let cause): return disconnected(cause, now)
        case .bluetooth(let report): return heard(report, now)
        }
    }

    private var isBusy: Bool {
        switch stage {
        case .authenticating, .connecting: true
        case .starting, .looking, .bootstrapping, .awaitingPIN, .connected, .pausing, .closingMedia, .stopping, .ended:
            false
        }
    }

    private mutating func lost(_ failure: RadioFailure) -> [Effect] {
        if case .stopping(let verdict) = stage { return end(verdict) }
        guard stage != .ended else { return [] }
        let isNotThere = failure.cause == .noRadio && !hasConnected
        return end(Verdict(status: isNotThere ? .notYet : .failure, text: failure.text))
    }

    private mutating func saw(_ accessory: DiscoveredAccessory, _ now: MonotonicInstant) -> [Effect] {
        guard accessories.count < Self.sightingLimit || accessories[accessory.nmi] != nil else { return [] }
        let previous = accessories.updateValue(accessory, forKey: accessory.nmi)
        guard matches(accessory) else { return [] }
        // Somebody known who has changed is news only for whoever is still choosing.
        let isNews = previous != accessory && (previous == nil || stage == .looking)
        let sighting = PhoneEvent.Sighting(accessory: accessory, title: title(of: accessory))
        return (isNews ? [.tell(.discovered(sighting))] : []) + choose(now)
    }

    private mutating func pairingFailed(_ failure: PhoneFailure, _ now: MonotonicInstant) -> [Effect] {
        switch (stage, failure) {
        case (.bootstrapping, _):
            return tryAgain("the accessory refuses to be paired: \(failure.text)", now)
        case (.awaitingPIN, _):
            wasRefused = true
            return [.forgetPIN] + tryAgain("no PIN was given in time: \(failure.text)", now)
        case (.authenticating, .notStored), (.connecting, .notStored):
            return leave(.failure, "the pairing could not be kept: \(failure.text)", now)
        case (.authenticating(hadPIN: true), _):
            let cause = "the PIN was refused: \(failure.text)"
            guard configuration.canAskAgain else { return leave(.failure, cause, now) }
            wasRefused = true
            return tryAgain(cause, now)
        case (.authenticating(hadPIN: false), _):
            return tryAgain("the accessory does not know this phone: \(failure.text); --forget pairs anew", now)
        default:
            return []
        }
    }

    private mutating func disconnected(_ cause: String, _ now: MonotonicInstant) -> [Effect] {
        switch stage {
        case .connected:
            // What was played has ended for good; the next connection starts over.
            return [.closeMedia, .tell(.disconnected(cause))] + tryAgain("the connection was lost", now)
        case .connecting:
            return [.tell(.disconnected(cause))] + tryAgain("the data path was refused", now)
        case .starting, .looking, .bootstrapping, .awaitingPIN, .authenticating, .pausing, .closingMedia, .stopping,
            .ended:
            return []
        }
    }
}

extension PhoneFailure {
    var text: String {
        switch self {
        case .refused(let reason): "reason \(reason.rawValue)"
        case .failed(let text), .notStored(let text): text
        }
    }
}
