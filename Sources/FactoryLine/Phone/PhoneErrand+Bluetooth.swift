internal import BluetoothEngine
internal import BluetoothFrames
internal import Octets
internal import PhoneCore

/// What an errand knows from Bluetooth.
struct BluetoothErrand: Sendable {
    /// Heard and not asked yet, in order; an accessory is asked once.
    var waiting: [BluetoothAddress] = []
    var asked: Set<BluetoothAddress> = []
    /// The names, when its pairing window is open.
    var names: [BluetoothAddress: String] = [:]
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
            bluetooth.names[sighting.address] = sighting.name
            if bluetooth.asked.count < Self.sightingLimit, bluetooth.asked.insert(sighting.address).inserted {
                bluetooth.waiting.append(sighting.address)
            }
            return [.tell(.heardOverBluetooth(sighting))] + askNext()
        case .inspected(let address, let inspection):
            var effects: [Effect] = [.tell(.inspected(inspection))]
            if let serial = configuration.filter.serialNumber, inspection.serialNumber == serial {
                bluetooth.wanted = AccessoryFilter(
                    vendor: inspection.manufacturer, model: inspection.model, name: bluetooth.names[address])
            }
            let isMeant =
                configuration.filter.serialNumber == nil || inspection.serialNumber == configuration.filter.serialNumber
            if isMeant, inspection.state?.contains(.asleep) == true, !configuration.listsOnly {
                return effects + [.phone(.wake(address))]  // and leaves once that is answered
            }
            effects.append(.phone(.leave(address)))
            return effects + choose(now)
        case .woken(let address, _): return [.phone(.leave(address))]
        case .state: return []
        case .inspectionFailed(_, let cause):
            bluetooth.isAsking = false
            return [.tell(.bluetoothFailed(cause))] + askNext()
        case .left:
            bluetooth.isAsking = false
            return askNext()
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
