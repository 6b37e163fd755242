internal import Cryptography
internal import Identity
internal import NANEngine
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import Ports

extension Accessory {
    /// Asked again after at most this: a longer wait is told in steps, for NPBA counts in 16-bit time units.
    private static let longestComeback: Duration = .seconds(60)
    /// What the store keeps (docs/STATE.md).
    package static let pairingLimit = 64
    /// Beyond the engine's own limit of an exchange of identities.
    private static let identityMargin: Duration = .seconds(2)

    // MARK: The window

    /// How long the window stays open if nothing else is said; nil without end.
    var standardWindow: Duration? {
        let policy = configuration.identity.pairing
        return policy.window == .always ? nil : policy.windowDuration
    }

    /// Somebody new gets in: the window is open, and no lock is on it.
    var isPairable: Bool { windowIsOpen && !attempts.record.isLocked }

    mutating func openWindow(for duration: Duration?) -> [Effect] {
        timers.stop(.window)
        if let duration { timers.start(.window, at: latest.advanced(by: duration)) }
        guard !windowIsOpen else { return wakeForWindow() + publish() }
        windowIsOpen = true
        return [.report(.pairingWindow(isOpen: true))] + wakeForWindow() + publish()
    }

    /// Nobody new gets in; a PIN on the display is an invitation too, so its attempt is ended.
    mutating func closeWindow() -> [Effect] {
        timers.stop(.window)
        guard windowIsOpen else { return [] }
        windowIsOpen = false
        // Who has typed the right PIN already is let in.
        let ended = attempt?.stage == .authenticated ? [] : endAttempt(abandoning: true)
        return ended + cancelBonding("the window is closed") + [.report(.pairingWindow(isOpen: false))] + publish()
    }

    // MARK: The PIN

    /// Draws the next PIN and has its password elements computed, while nobody waits.
    mutating func preparePIN() -> [Effect] {
        guard prepared == nil else { return [] }
        let pin = PIN.draw(from: &entropy)
        let groups = Set(configuration.device.pairingSuites.compactMap { SuiteStrength(csid: $0.rawValue)?.group })
        let jobs = groups.sorted(by: { $0.rawValue < $1.rawValue }).map { group in
            CryptoJob(
                id: CryptoJobID(CryptoJobID.ownerBit | nextSerial()),
                work: .passwordElement(password: pin.password, group))
        }
        prepared = PreparedPIN(pin: pin, pending: Set(jobs.map(\.id)))
        return jobs.map { .crypto($0) }
    }

    mutating func finish(_ result: CryptoResult) -> [Effect] {
        guard prepared?.pending.remove(result.id) != nil else { return nan(.crypto(result)) }
        guard case .passwordElement(let element) = result.outcome else {
            // Only for want of memory: without its element the PIN is useless, so a request finds none and is refused.
            prepared = nil
            return endAttempt(abandoning: true) + preparePIN()
        }
        prepared?.elements.append(element)
        guard prepared?.isReady == true, attempt?.stage == .preparing else { return [] }
        return recordGuess()
    }

    // MARK: An attempt

    mutating func pairingRequested(_ peer: ServicePeer, _ info: [UInt8]) -> [Effect] {
        guard isPairable, life == .running, pairings.count < Self.pairingLimit else {
            let isFull = pairings.count >= Self.pairingLimit
            return
                (isFull
                ? [.report(.attemptFailed(peer.nmi, "\(Self.pairingLimit) devices are paired: forget one"))] : [])
                + nan(.command(.answerBootstrap(peer.nmi, .reject)))
        }
        // Each try costs two writes to the disk, and nobody has to be anybody to ask.
        if let unreadableUntil, latest < unreadableUntil {
            return comeBack(peer, after: latest.duration(to: unreadableUntil))
        }
        // No PIN is shown under somebody else's attempt, nor before the wait after a wrong guess is over.
        if let attempt, attempt.peer.nmi != peer.nmi {
            shortenAttempt()
            return comeBack(peer, after: configuration.busyDelay)
        }
        if attempt?.stage == .authenticated || bondAttempt != nil {
            return comeBack(peer, after: configuration.busyDelay)
        }
        let wait = attempts.wait(now: latest)
        // A PIN that was guessed at is spent: what comes next is another one, and the engine forgets the old by itself.
        if wait > .zero { return endAttempt(abandoning: false) + comeBack(peer, after: wait) }
        var effects: [Effect] = attempt?.stage == .guessed ? endAttempt(abandoning: false) : []
        switch attempt?.stage {
        case .preparing?, .recording?, .showing?:
            return effects  // it will be answered: the engine keeps the newer request
        case .arming?, .shown?:
            // The same device asks anew, with another token: the person is reading the PIN, so it stays.
            // PASN repeats the newer request, so the responder is armed with it, still with the same PIN.
            return effects + armResponder(for: peer)
        case .guessed?, .authenticated?, nil: break
        }
        var reader = ByteReader(info)
        let names = (try? GenericServiceInfo(from: &reader)).map { ServiceNames(in: $0) } ?? ServiceNames()
        attempt = Attempt(
            peer: peer,
            names: PeerNames(name: names.name ?? "", vendor: names.vendor ?? "", model: names.model ?? ""),
            stage: .preparing, pin: nil)
        // From here on, so that nothing that hangs on the way holds the place for ever.
        limitAttempt()
        effects += preparePIN()
        return prepared?.isReady == true ? effects + recordGuess() : effects
    }

    /// The attempt may last from now on as long as a PIN is shown.
    private mutating func limitAttempt() {
        let lifetime = configuration.credentialLifetime
        attempt?.began = latest
        timers.start(
            .credential,
            at: latest.advanced(
                by: attempt?.isContended == true ? min(lifetime, configuration.contendedLifetime) : lifetime))
    }

    /// Somebody else waits for an attempt in which no guess has been made yet.
    private mutating func shortenAttempt() {
        guard let attempt, !attempt.isContended, attempt.stage != .guessed, attempt.stage != .authenticated else {
            return
        }
        self.attempt?.isContended = true
        let end = attempt.began.advanced(by: min(configuration.credentialLifetime, configuration.contendedLifetime))
        timers.start(.credential, at: max(end, latest))
    }

    private mutating func comeBack(_ peer: ServicePeer, after delay: Duration) -> [Effect] {
        let delay = min(delay, Self.longestComeback)
        return [.report(.askedToComeBack(peer.nmi, after: delay))]
            + nan(.command(.answerBootstrap(peer.nmi, .comeBack(after: delay))))
    }

    /// Counts the guess on disk before it can be made: neither a full disk nor a power cut gives one for nothing.
    private mutating func recordGuess() -> [Effect] {
        guard let peer = attempt?.peer.nmi else { return [] }
        attempt?.stage = .recording
        let ticket = StoreTicket(nextSerial())
        pending[ticket] = .reservation(peer)
        return [.store(.setAttempts(attempts.reserved, ticket))]
    }

    private mutating func showPIN() -> [Effect] {
        guard let prepared, let peer = attempt?.peer else { return [] }
        self.prepared = nil
        attempt?.stage = .showing
        attempt?.pin = prepared.pin
        attempt?.elements = prepared.elements
        outcome = nil
        timers.stop(.outcome)
        limitAttempt()
        return [.report(.attemptStarted(peer.nmi))] + refreshDisplay()
    }

    /// The display shows it: now the responder is armed and then, in this order, the device told to go ahead.
    mutating func displayed(_ content: DisplayContent) -> [Effect] {
        guard let attempt, attempt.stage == .showing, let pin = attempt.pin, content == .pin(pin) else { return [] }
        return armResponder(for: attempt.peer)
    }

    /// Nobody can read the PIN: the device is told so at once, and the guess that nobody made is taken back.
    mutating func notDisplayed(_ content: DisplayContent) -> [Effect] {
        if let bondAttempt, bondAttempt.stage == .shown, content == .pin(bondAttempt.pin) {
            return cancelBonding("the display cannot show the passkey")
        }
        guard let attempt, attempt.stage == .showing, let pin = attempt.pin, content == .pin(pin) else { return [] }
        let peer = attempt.peer.nmi
        unreadableUntil = latest.advanced(by: configuration.busyDelay)
        return [.report(.attemptFailed(peer, "the display cannot show the PIN"))] + endAttempt(abandoning: false)
            + nan(.command(.answerBootstrap(peer, .reject)))
    }

    private mutating func armResponder(for peer: ServicePeer) -> [Effect] {
        attempt?.stage = .arming
        return nan(.command(.expectPairing(peer, .passwordElements(attempt?.elements ?? []))))
    }

    /// Nothing is left to compute before the device's first frame, so that none waits for an answer longer than it must.
    mutating func pairingReady(_ peer: NMI) -> [Effect] {
        guard let attempt, attempt.peer.nmi == peer, attempt.stage == .arming else { return [] }
        self.attempt?.stage = .shown
        return nan(.command(.answerBootstrap(peer, .accept)))
    }

    mutating func guessed(_ peer: NMI) -> [Effect] {
        attempts.guessed(now: latest)
        if attempt?.peer.nmi == peer {
            attempt?.stage = .guessed
            // The PIN was typed in time; the handshake has a limit of its own, and this is behind it.
            timers.start(
                .credential, at: latest.advanced(by: configuration.device.pairing.authenticationTimeout * 2))
        }
        // On disk it stands already, since before the PIN was shown.
        return [.report(.guess(peer, failures: attempts.record.failures))]
    }

    mutating func authenticated(_ peer: NMI, _ verified: PairingID?) -> [Effect] {
        if let verified { return [.report(.verified(verified))] }
        guard attempt?.peer.nmi == peer else { return [] }
        attempt?.stage = .authenticated
        attempt?.pin = nil
        attempt?.elements = []
        // The engine tells how it goes on. If it should not, nobody else could pair any more.
        timers.start(
            .credential, at: latest.advanced(by: configuration.device.pairing.identityTimeout + Self.identityMargin))
        attempts.reset()
        return [storeAttempts()]
    }

    mutating func paired(_ peer: NMI, _ credential: PairingCredential) -> [Effect] {
        // What is left is the disk's, which may be slow but always answers.
        if attempt?.peer.nmi == peer, attempt?.stage == .authenticated { timers.stop(.credential) }
        let names = attempt?.peer.nmi == peer ? attempt?.names : nil
        // A device that pairs again, having forgotten us, has a NIK we know: its record is replaced.
        let known = pairings.first { $0.peerNIK == credential.peerNIK }
        let record = PairingRecord(
            id: known?.id ?? freshPairingID(), name: names?.name ?? known?.name ?? "",
            vendor: names?.vendor ?? known?.vendor ?? "", model: names?.model ?? known?.model ?? "",
            peerNIK: credential.peerNIK, npk: credential.npk, akm: credential.akm, cipherSuite: credential.cipherSuite,
            lifetime: credential.lifetime)
        let ticket = StoreTicket(nextSerial())
        pending[ticket] = .pairing(record, peer)
        return [.store(.save(record, ticket))]
    }

    mutating func pairingFailed(_ peer: NMI, _ failure: PairingFailure, _ verifying: PairingID?) -> [Effect] {
        if let verifying { return [.report(.verificationFailed(verifying, "\(failure)"))] }
        guard let attempt, attempt.peer.nmi == peer else { return [] }
        // A step at a time: Swift 6.0 takes too long over one expression.
        var effects: [Effect] = []
        if attempt.stage == .arming { effects += nan(.command(.answerBootstrap(peer, .reject))) }
        effects.append(.report(.attemptFailed(peer, "\(failure)")))
        effects += endAttempt(abandoning: false)
        effects += showOutcome(.failed)
        if attempts.record.isLocked { effects.append(.report(.locked)) }
        return effects + publish()
    }

    mutating func attemptExpired() -> [Effect] {
        guard let peer = attempt?.peer.nmi else { return [] }
        if attempt?.stage == .authenticated {
            return [.report(.attemptFailed(peer, "no identity came"))] + endAttempt(abandoning: true)
                + showOutcome(.failed)
        }
        let isLocked = attempts.record.isLocked
        return [.report(.attemptExpired(peer))] + endAttempt(abandoning: true)
            + (isLocked ? [.report(.locked)] + publish() : [])
    }

    /// The PIN stops working before it leaves the display.
    mutating func endAttempt(abandoning: Bool) -> [Effect] {
        timers.stop(.credential)
        guard let ended = attempt else { return [] }
        attempt = nil
        // The guess that nobody made is taken off the disk again; until then it counts, which errs on the safe side.
        let isUnused = [.recording, .showing, .arming, .shown].contains(ended.stage)
        var effects: [Effect] = isUnused ? [storeAttempts()] : []
        if abandoning { effects += nan(.command(.abandonPairing(ended.peer.nmi))) }
        // However it came to its end: what was typed did not pair, and the person is told before anything else.
        if ended.stage == .guessed { effects += showOutcome(.failed) }
        // Not earlier: what is computed for the next PIN would be in the way of what this one's device waits for.
        return effects + (life == .running ? preparePIN() : [])
    }

    // MARK: The store's answers

    mutating func stored(_ event: StoreEvent) -> [Effect] {
        switch event {
        case .saved(let ticket):
            let saved = pending.removeValue(forKey: ticket)
            if case .reservation(let peer)? = saved { return attempt?.isRecording(peer) == true ? showPIN() : [] }
            if case .bondReservation? = saved { return bondReserved(ticket, true) }
            if case .bond(let record)? = saved { return bondStored(record, true) }
            guard case .pairing(let record, let peer)? = saved else { return [] }
            pairings.removeAll { $0.id == record.id }
            pairings.append(record)
            let effects = endAttempt(abandoning: false) + showOutcome(.paired)
            // The device gets our NIK, and with it believes in the pairing, now that the pairing survives a power cut.
            return effects + nan(.command(.setPairings(pairings))) + nan(.command(.keepPairing(peer)))
                + [.report(.paired(record.id))] + releaseHeld(peer)
        case .failed(let ticket, let cause):
            let reports: [Effect] = [.report(.storeFailed(cause))]
            let failed = pending.removeValue(forKey: ticket)
            if case .reservation(let peer)? = failed, attempt?.isRecording(peer) == true {
                // A guess that cannot be counted is not given.
                attempt = nil
                timers.stop(.credential)
                return reports + nan(.command(.answerBootstrap(peer, .reject))) + showOutcome(.failed)
            }
            if case .bondReservation? = failed { return reports + bondReserved(ticket, false) }
            if case .bond(let record)? = failed { return reports + bondStored(record, false) }
            guard case .pairing(_, let peer)? = failed else { return reports }
            // A pairing that would be gone after the next power cut is none: the phone is dropped and has to start over.
            held.removeAll { $0.peer == peer }
            return reports + endAttempt(abandoning: false) + nan(.command(.abandonPairing(peer))) + showOutcome(.failed)
        }
    }

    mutating func storeAttempts() -> Effect {
        let ticket = StoreTicket(nextSerial())
        pending[ticket] = .attempts
        return .store(.setAttempts(attempts.record, ticket))
    }

    mutating func forget(_ matches: (PairingID) -> Bool) -> [Effect] {
        let unbonded = bonds.filter { matches($0.id) }
        let unstored = pending.filter { $0.value.newID.map(matches) ?? false }
        let gone = pairings.map(\.id).filter(matches) + unbonded.map(\.id) + unstored.compactMap(\.value.newID)
        guard !gone.isEmpty else { return [] }
        pairings.removeAll { gone.contains($0.id) }
        bonds.removeAll { gone.contains($0.id) }
        let ticket = StoreTicket(nextSerial())
        pending[ticket] = .removal(gone)
        var effects: [Effect] =
            pairings.isEmpty && bonds.isEmpty
            ? [.store(.removeAll(ticket))] : gone.map { .store(.remove($0, ticket)) }
        effects += nan(.command(.setPairings(pairings)))
        for (ticket, new) in unstored { effects += drop(new, ticket) }
        for bond in unbonded { effects += ble(.command(.forgetBond(bond.keys.address))) }
        if !unbonded.isEmpty { effects += ble(.command(.setBonds(bonds))) }
        for (id, connection) in connections where gone.contains(connection.pairing) {
            effects += nan(.command(.terminateDataPath(id)))
        }
        return effects + [.report(.forgotten(gone))]
    }

    /// What is on its way to the disk and already forgotten is not taken for stored when the answer comes.
    private mutating func drop(_ new: Pending, _ ticket: StoreTicket) -> [Effect] {
        pending[ticket] = .removal(new.newID.map { [$0] } ?? [])
        switch new {
        case .pairing(_, let peer):
            held.removeAll { $0.peer == peer }
            return endAttempt(abandoning: false) + nan(.command(.abandonPairing(peer))) + showOutcome(.failed)
        case .bond(let record):
            if bondAttempt?.stage == .storing { bondAttempt = nil }
            return ble(.command(.forgetBond(record.keys.address))) + showOutcome(.failed)
        case .removal, .attempts, .reservation, .bondReservation: return []
        }
    }

    mutating func freshPairingID() -> PairingID {
        while true {
            let id = PairingID(UInt32(truncatingIfNeeded: entropy.next()))
            if !pairings.contains(where: { $0.id == id }), !bonds.contains(where: { $0.id == id }) { return id }
        }
    }

    // MARK: The display

    mutating func showOutcome(_ content: DisplayContent) -> [Effect] {
        outcome = content
        timers.start(.outcome, at: latest.advanced(by: configuration.outcomeTime))
        return refreshDisplay()
    }

    /// What the display should show now, sent when it differs from what it shows.
    mutating func refreshDisplay() -> [Effect] {
        let content: DisplayContent =
            if life == .stopping {
                .blank
            } else if let pin = attempt?.pin {
                .pin(pin)
            } else if let bondAttempt, bondAttempt.stage == .shown {
                .pin(bondAttempt.pin)
            } else if let outcome {
                outcome
            } else if attempts.record.isLocked {
                .locked
            } else if attempt?.stage == .authenticated || bondAttempt?.stage == .storing {
                .blank  // neither the PIN, which is over, nor READY, which it is not yet
            } else {
                windowIsOpen && isJoined ? .ready : .blank
            }
        guard content != displayed else { return [] }
        displayed = content
        return [.display(content)]
    }
}
