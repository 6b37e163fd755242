internal import BluetoothEngine
internal import BluetoothFrames
internal import Cryptography
internal import NANSecurity
internal import Octets
internal import Ports

/// One central's try at bonding, from the passkey that the kernel drew for it to the key that is kept.
struct BondAttempt: Equatable {
    enum Stage: Equatable {
        /// The guess that the passkey allows is being written to disk.
        case recording
        case shown
        /// It was typed; the keys are being stored.
        case storing
    }

    let peer: BluetoothAddress
    let pin: PIN
    var stage: Stage
    /// Of the guess that is being written: on a slow disk an earlier attempt's may come after this one began.
    var reservation: StoreTicket
}

/// Bonding over Bluetooth obeys what pairing over NAN obeys: one window, one display, one count of guesses.
extension Accessory {
    /// What the store keeps (docs/STATE.md).
    package static let bondLimit = 32

    /// Somebody new may bond now.
    private var isBondable: Bool { isPairable && life == .running && attempt == nil && bonds.count < Self.bondLimit }

    mutating func refreshBondable() -> [Effect] {
        ble(.command(.setBondable(isBondable)))
    }

    mutating func passkeyDrawn(_ peer: BluetoothAddress, _ passkey: SecretKey) -> [Effect] {
        guard let pin = PIN(passkey: passkey) else { return ble(.command(.refuseBonding(peer))) }
        // Told again with each digit that is typed.
        if let bondAttempt, bondAttempt.peer == peer, bondAttempt.pin == pin { return [] }
        // Neither under somebody else's attempt, nor before the wait after a wrong guess is over.
        guard bondAttempt == nil, isBondable, attempts.wait(now: latest) == .zero else {
            return [.report(.bondingRefused)] + ble(.command(.refuseBonding(peer)))
        }
        let ticket = StoreTicket(nextSerial())
        bondAttempt = BondAttempt(peer: peer, pin: pin, stage: .recording, reservation: ticket)
        timers.start(.bond, at: latest.advanced(by: configuration.credentialLifetime))
        pending[ticket] = .bondReservation
        return [.store(.setAttempts(attempts.reserved, ticket))]
    }

    /// Whether the guess could be counted; only then is there one.
    mutating func bondReserved(_ ticket: StoreTicket, _ isSaved: Bool) -> [Effect] {
        guard let attempt = bondAttempt, attempt.reservation == ticket, attempt.stage == .recording else { return [] }
        guard isSaved else {
            bondAttempt = nil
            timers.stop(.bond)
            return ble(.command(.refuseBonding(attempt.peer))) + showOutcome(.failed)
        }
        bondAttempt?.stage = .shown
        outcome = nil
        timers.stop(.outcome)
        return [.report(.passkeyShown)] + refreshDisplay()
    }

    mutating func bonded(_ keys: BondKeys, _ peer: BluetoothAddress, isKept: Bool) -> [Effect] {
        guard let attempt = bondAttempt, attempt.peer == peer, attempt.stage == .shown else {
            // A passkey that was guessed before it was shown is none; it is not shown any more.
            return ble(.command(.forgetBond(keys.address))) + bondingEnded(peer, "before the passkey was shown")
        }
        timers.stop(.bond)
        attempts.reset()
        var effects: [Effect] = [storeAttempts()]
        guard isKept else {
            // A central that does not bond has its link protected, and has to type again on the next.
            bondAttempt = nil
            effects += showOutcome(.paired)
            return effects
        }
        bondAttempt?.stage = .storing
        let known = bonds.first { $0.keys.address == keys.address }
        let record = BondRecord(id: known?.id ?? freshPairingID(), keys: keys)
        let ticket = StoreTicket(nextSerial())
        pending[ticket] = .bond(record)
        effects.append(.store(.saveBond(record, ticket)))
        return effects
    }

    mutating func bondStored(_ record: BondRecord, _ isSaved: Bool) -> [Effect] {
        if bondAttempt?.stage == .storing { bondAttempt = nil }
        guard isSaved else {
            // A bond that would be gone after the next power cut is none.
            return ble(.command(.forgetBond(record.keys.address))) + showOutcome(.failed)
        }
        bonds.removeAll { $0.id == record.id }
        bonds.append(record)
        return ble(.command(.setBonds(bonds))) + [.report(.bonded(record.id))] + showOutcome(.paired)
    }

    /// A passkey that was shown is a guess, whatever became of it: nobody tells whether one was made.
    mutating func bondingEnded(_ peer: BluetoothAddress, _ reason: String) -> [Effect] {
        guard let attempt = bondAttempt, attempt.peer == peer, attempt.stage != .storing else { return [] }
        bondAttempt = nil
        timers.stop(.bond)
        attempts.guessed(now: latest)
        var effects: [Effect] = [storeAttempts(), .report(.bondingFailed(reason))]
        effects += showOutcome(.failed)
        guard attempts.record.isLocked else { return effects }
        effects.append(.report(.locked))
        effects += publish()
        return effects
    }

    /// Ends the attempt from our side: the passkey stops working before it leaves the display.
    mutating func cancelBonding(_ reason: String) -> [Effect] {
        guard let attempt = bondAttempt, attempt.stage != .storing else { return [] }
        return ble(.command(.refuseBonding(attempt.peer))) + bondingEnded(attempt.peer, reason)
    }

    var bondPeers: [AccessorySnapshot.Peer] {
        bonds.map { bond in
            AccessorySnapshot.Peer(
                id: bond.id, name: "Bluetooth \(bond.keys.address)", vendor: "", model: "", pairedAt: bond.bondedAt,
                isConnected: bluetooth?.hasLink(to: bond.keys.address) == true)
        }
    }
}
