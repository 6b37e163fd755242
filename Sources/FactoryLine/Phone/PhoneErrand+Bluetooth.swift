internal import BluetoothEngine
internal import BluetoothFrames
internal import Octets
internal import PhoneCore

/// What an errand knows from Bluetooth.
struct BluetoothErrand: Sendable {
    /// Heard and not asked yet, in order; an accessory is asked once.
    var waiting: [BluetoothAddress] = []
    var asked: Set<BluetoothAddress> = []
    /// What those that are asked have advertised last.
    var sightings: [BluetoothAddress: BluetoothSighting] = [:]
    var isAsking = false
    /// What the accessory of the wanted serial number is called over NAN.
    var wanted: AccessoryFilter?
}

extension PhoneErrand {
    /// Asks every accessory that is heard over Bluetooth what it is, one after the other.
    mutating func heard(_ report: BluetoothCentral.Report, _ now: MonotonicInstant) -> [Effect] {
        switch report {
        case .controller(let state): return state.reason.map { [.tell(.bluetoothFailed($0))] } ?? []
        case .found(let sighting):
            guard !isOver else { return [] }
            if bluetooth.asked.count < Self.sightingLimit, bluetooth.asked.insert(sighting.address).inserted {
                bluetooth.waiting.append(sighting.address)
            }
            if bluetooth.asked.contains(sighting.address) { bluetooth.sightings[sighting.address] = sighting }
            return [.tell(.heardOverBluetooth(sighting))] + askNext()
        case .inspected(let address, let inspection):
            var effects: [Effect] = [.tell(.inspected(inspection))]
            if let serial = configuration.filter.serialNumber, inspection.serialNumber == serial {
                bluetooth.wanted = AccessoryFilter(
                    vendor: inspection.manufacturer, model: inspection.model,
                    name: bluetooth.sightings[address]?.name)
            }
            let isMeant =
                configuration.filter.serialNumber == nil || inspection.serialNumber == configuration.filter.serialNumber
            // One that wants a bond keeps its state to itself, and advertises that it sleeps.
            let state = inspection.state ?? bluetooth.sightings[address]?.state
            if isMeant, state?.contains(.asleep) == true, !configuration.listsOnly {
                return effects + [.phone(.wake(address))]  // and leaves once that is answered
            }
            effects.append(.phone(.leave(address)))
            return effects + choose(now)
        case .woken(let address, let error):
            return (error.map { [.tell(.bluetoothFailed(Self.notWoken($0)))] } ?? []) + [.phone(.leave(address))]
        case .state: return []
        case .inspectionFailed(_, let cause):
            bluetooth.isAsking = false
            return [.tell(.bluetoothFailed(cause))] + askNext()
        case .left:
            bluetooth.isAsking = false
            return askNext()
        }
    }

    private static func notWoken(_ error: AttributeErrorCode) -> String {
        switch error {
        case .insufficientAuthentication, .insufficientEncryption:
            "it sleeps, and only a bonded device wakes it, which this phone cannot be: awarectl pair wakes it, or its button"
        default: "it sleeps, and was not woken: \(error)"
        }
    }

    private var isOver: Bool {
        switch stage {
        case .closingMedia, .stopping, .ended: true
        default: false
        }
    }

    private mutating func askNext() -> [Effect] {
        guard !bluetooth.isAsking, !bluetooth.waiting.isEmpty, !isOver else { return [] }
        bluetooth.isAsking = true
        return [.phone(.inspect(bluetooth.waiting.removeFirst()))]
    }
}
