internal import BluetoothEngine
internal import Identity
internal import NANEngine
internal import NANFrames
internal import Octets
internal import Ports

/// Whether NAN is off to save power.
enum NANSleep: Equatable {
    case awake
    case fallingAsleep
    case asleep
}

/// One life on two transports: on the air together, with one window, one limit and one end.
extension Accessory {
    static let sleepReason = "NAN sleeps until a phone asks over Bluetooth"

    var maySleep: Bool { bluetooth != nil && configuration.identity.sleep.sleep == .untilBLE }

    /// Hands the event to the Bluetooth side and takes up what it tells, in order.
    mutating func ble(_ event: BluetoothPeripheral.Event) -> [Effect] {
        guard let outputs = bluetooth?.handle(event, now: latest) else { return [] }
        var effects: [Effect] = []
        for output in outputs {
            switch output {
            case .port(let effect):
                effects.append(.bluetooth(effect))
                if effect == .close { effects += stopIfDone() }
            case .report(let report): effects += [.report(.bluetooth(report))] + take(report)
            }
        }
        return effects
    }

    private mutating func take(_ report: BluetoothReport) -> [Effect] {
        switch report {
        case .controller(let state):
            bluetoothTrouble = state.reason
            // Nobody could wake it: a board whose Bluetooth fails keeps NAN.
            return state.reason == nil ? [] : wake()
        case .advertisingRefused(let cause):
            bluetoothTrouble = "the controller does not advertise: \(cause)"
            return wake()
        case .advertising(let isOn):
            if isOn, attributeServer != nil { bluetoothTrouble = nil }
            return []
        case .served(let server):
            attributeServer = server
            bluetoothTrouble = nil
            return []
        case .notServed(let failure):
            attributeServer = nil
            bluetoothTrouble = "no attributes: \(failure.text)"
            return wake()
        case .wakeAsked: return wake()
        case .passkey(let peer, let passkey): return passkeyDrawn(peer, passkey)
        case .bonded(let keys, let peer, let isKept): return bonded(keys, peer, isKept: isKept)
        case .bondingEnded(let peer, let reason): return bondingEnded(peer, reason)
        case .linked, .unlinked, .dropped: return []
        }
    }

    /// How the accessory stands, for phones near by.
    private var beacon: BeaconState {
        var state = BeaconState()
        if isPairable { state.insert(.pairingWindowOpen) }
        if connections.values.contains(where: { $0.link != nil }) { state.insert(.connected) }
        if sleep == .asleep { state.insert(.asleep) }
        return state
    }

    /// Brings the Bluetooth side in line with what is published.
    mutating func refreshBluetooth() -> [Effect] {
        guard bluetooth != nil, life == .running else { return [] }
        let beacon = beacon
        let summary = LinkSummary(
            state: beacon, dataPaths: UInt8(clamping: connections.values.filter { $0.link != nil }.count),
            dataPathLimit: UInt8(clamping: configuration.identity.limits.maximumConnections),
            pairings: UInt8(clamping: pairings.count + bonds.count))
        let isPublishing = isJoined && !published.isEmpty
        return ble(.command(.set(beacon, summary))) + ble(.command(.advertise(isPublishing || sleep == .asleep)))
            + refreshBondable()
    }

    // MARK: Start and end

    mutating func startTransports() -> [Effect] {
        guard maySleep else { return ble(.command(.start)) + nan(.command(.start)) }
        sleep = .asleep
        return reportSleep() + ble(.command(.start))
    }

    /// NAN is off: because we stop, because it sleeps, or because it was switched off under us.
    mutating func nanStopped() -> [Effect] {
        switch life {
        case .stopping:
            nanHasStopped = true
            return stopIfDone()
        case .running where sleep == .fallingAsleep:
            sleep = .asleep
            return reportSleep()
        case .running where sleep == .awake && !isJoined && timers.deadline(of: .radio) == nil:
            return nan(.command(.start))  // asked for while it was going off
        case .running, .idle: return []
        }
    }

    private func stopIfDone() -> [Effect] {
        guard life == .stopping, nanHasStopped else { return [] }
        if let bluetooth, bluetooth.controllerState != .off { return [] }
        return [.report(.stopped)]
    }

    // MARK: Sleep

    private mutating func reportSleep() -> [Effect] {
        [.report(.asleep(true))]
            + configuration.identity.services.flatMap { setListener(ServicePort($0), .waiting(Self.sleepReason)) }
    }

    /// Switches NAN on where it sleeps; it stays on for a while after its last use.
    mutating func wake() -> [Effect] {
        guard maySleep, life == .running else { return [] }
        timers.start(.sleep, at: latest.advanced(by: configuration.identity.sleep.after))
        switch sleep {
        case .awake: return []
        case .fallingAsleep:
            sleep = .awake
            return []
        case .asleep:
            sleep = .awake
            return [.report(.asleep(false))] + nan(.command(.start))
        }
    }

    /// Somebody at the board wants a phone to be paired; a window that is always open says nothing of the kind.
    mutating func wakeForWindow() -> [Effect] { windowIsMeant ? wake() : [] }

    private var windowIsMeant: Bool { windowIsOpen && configuration.identity.pairing.window != .always }

    /// Switches NAN off, unless somebody uses it or nobody could switch it on again.
    mutating func fallAsleepIfUnused() -> [Effect] {
        guard maySleep, life == .running, sleep == .awake else { return [] }
        let isUsed = !connections.isEmpty || attempt != nil || bondAttempt != nil || windowIsMeant
        guard !isUsed, isJoined, bluetooth?.isAdvertising == true, attributeServer != nil else {
            timers.start(.sleep, at: latest.advanced(by: configuration.identity.sleep.after))
            return []
        }
        sleep = .fallingAsleep
        isJoined = false
        return nan(.command(.stop))
    }

    var bluetoothSnapshot: AccessorySnapshot.Bluetooth? {
        guard let bluetooth else { return nil }
        var address: String?
        if case .ready(let controller) = bluetooth.controllerState { address = controller.address?.description }
        return AccessorySnapshot.Bluetooth(
            isAdvertising: bluetooth.isAdvertising, address: address, links: bluetooth.linkCount,
            server: attributeServer, trouble: bluetoothTrouble)
    }
}
