internal import BluetoothFrames
internal import LinuxRuntime
internal import Ports

/// bluetoothd, which answers centrals itself where it runs, and asks us for the values over D-Bus.
///
/// What it asks becomes ATT PDUs on a link for each central, and what is answered there becomes its answer
/// (BlueZ, org.bluez.GattManager1 and org.bluez.GattCharacteristic1). The name's owner alone is listened to.
final class BluetoothDaemon: Retired {
    static let service = "org.bluez"
    /// Centrals that bluetoothd lets in at a time; controllers hold some ten links.
    private static let centralLimit = 16

    var onEvent: (BluetoothEvent) -> Void = { _ in }
    /// There is none: the channel is free.
    var onAbsence: () -> Void = {}

    private let loop: EventLoop
    private let log: Logger
    private let tree: BluetoothObjects
    private let nextLink: () -> BluetoothLinkID
    private var bus: BusConnection?
    /// The bus's own name for bluetoothd; nil when there is none.
    private var owner: String?
    private var isServing = false
    /// bluetoothd's objects of the controllers that have been given our services.
    private var adapters: Set<String> = []
    private var isStopped = false
    /// By the path of bluetoothd's object for the device; the empty one is for what comes without a device.
    private var centrals: [String: BluetoothDaemonCentral] = [:]

    init(loop: EventLoop, services: [BluetoothService], log: Logger, nextLink: @escaping () -> BluetoothLinkID) {
        self.loop = loop
        self.log = log
        self.nextLink = nextLink
        tree = BluetoothObjects(services: services)
    }

    deinit { bus = nil }

    func stop() { isStopped = true }

    func start() {
        do throws(SystemError) {
            let bus = try BusConnection(loop: loop)
            self.bus = bus
            let from = "type='signal',sender='\(Self.service)'"
            try bus.onEnd { [unowned self] in lost("the system's D-Bus has ended") }
            try bus.subscribe(
                "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(Self.service)'"
            ) { [unowned self] signal in ownerChanged(signal) }
            try bus.subscribe("\(from),member='PropertiesChanged',arg0='org.bluez.Device1'") { [unowned self] in
                deviceChanged($0)
            }
            try bus.subscribe("\(from),interface='org.freedesktop.DBus.ObjectManager'") { [unowned self] in
                objectsChanged($0)
            }
            try bus.serve(BluetoothObjects.root) { [unowned self] in called($0) }
            let names = BusTarget(
                service: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus")
            try bus.call(names, "GetNameOwner", [.string(Self.service)]) { [unowned self] reply in
                guard !isStopped else { return }
                guard case .success(let values) = reply, let name = values.first?.text else { return onAbsence() }
                owner = name
                findAdapters()
            }
        } catch {
            // Without a bus there is nobody on it.
            log.log(.debug, "no D-Bus, so no bluetoothd", [("error", "\(error)")])
            bus = nil
            onAbsence()
        }
    }

    // MARK: bluetoothd's coming and going

    private func ownerChanged(_ signal: BusSignal) {
        guard !isStopped, signal.values.count == 3, let name = signal.values[2].text else { return }
        guard name != owner ?? "" else { return }
        lost(name.isEmpty ? "bluetoothd has ended" : "bluetoothd has started and takes the attribute channel")
    }

    private func lost(_ text: String) {
        guard !isStopped else { return }
        closeAll()
        onEvent(.attributesFailed(BluetoothFailure(.gone, text)))
    }

    private func findAdapters() {
        let objects = BusTarget(service: Self.service, path: "/", interface: "org.freedesktop.DBus.ObjectManager")
        call(objects, "GetManagedObjects") { [unowned self] reply in
            guard case .success(let values) = reply, let objects = values.first else { return failed(reply) }
            for object in objects.entries where object.value["org.bluez.GattManager1"] != nil {
                if let path = object.key.text { register(at: path) }
            }
        }
    }

    private func register(at adapter: String) {
        // A new controller is both among the objects and told of.
        guard adapters.insert(adapter).inserted else { return }
        let manager = BusTarget(service: Self.service, path: adapter, interface: "org.bluez.GattManager1")
        call(manager, "RegisterApplication", [.path(BluetoothObjects.root), .properties([])]) { [unowned self] reply in
            guard case .success = reply else { return failed(reply) }
            log.log(.info, "bluetoothd serves the attributes", [("adapter", adapter)])
            guard !isServing else { return }
            isServing = true
            onEvent(.attributesServed(.bluetoothd))
        }
    }

    private func call(
        _ target: BusTarget, _ member: String, _ arguments: [BusValue] = [],
        _ reply: @escaping (Result<[BusValue], BusError>) -> Void
    ) {
        do throws(SystemError) {
            try bus?.call(target, member, arguments) { [unowned self] result in if !isStopped { reply(result) } }
        } catch { lost("bluetoothd cannot be asked: \(error)") }
    }

    private func failed(_ reply: Result<[BusValue], BusError>) {
        guard case .failure(let error) = reply else { return lost("bluetoothd's answer cannot be read") }
        lost("bluetoothd refuses the attributes: \(error)")
    }

    private func objectsChanged(_ signal: BusSignal) {
        guard !isStopped, owner != nil, signal.sender == owner, signal.values.count == 2,
            let path = signal.values[0].text
        else { return }
        if signal.member == "InterfacesRemoved" {
            adapters.remove(path)
            return close(path)
        }
        // With a controller that comes back nothing is left of what was registered there.
        if signal.values[1]["org.bluez.GattManager1"] != nil { register(at: path) }
    }

    private func deviceChanged(_ signal: BusSignal) {
        guard !isStopped, signal.sender == owner, signal.values.count >= 2 else { return }
        if signal.values[1]["Connected"] == .bool(false) { close(signal.path) }
    }

    // MARK: What centrals ask

    private func called(_ call: BusCall) -> Bool {
        guard !isStopped, owner != nil, call.sender == owner else {
            call.refuse(BusError(name: "org.freedesktop.DBus.Error.AccessDenied", text: "bluetoothd alone may ask"))
            return true
        }
        if call.interface == "org.freedesktop.DBus.ObjectManager", call.member == "GetManagedObjects" {
            call.answer([tree.managedObjects])
            return true
        }
        guard call.interface == "org.bluez.GattCharacteristic1",
            let characteristic = tree.characteristic(at: call.path),
            let request = BluetoothDaemonRequest(call, characteristic)
        else { return false }
        if let refusal = request.refusal {
            call.refuse(refusal)
        } else if let pdu = request.pdu {
            pass(pdu, from: request.device, call)
        } else {
            call.answer([])
        }
        return true
    }

    private func pass(_ pdu: [UInt8], from device: String, _ call: BusCall) {
        let central: BluetoothDaemonCentral
        if let known = centrals[device] {
            central = known
        } else {
            guard centrals.count < Self.centralLimit else {
                return call.refuse(BusError(name: "org.bluez.Error.Failed", text: "too many centrals"))
            }
            central = BluetoothDaemonCentral(id: nextLink())
            centrals[device] = central
            onEvent(
                .attConnected(
                    central.id, peer: BluetoothObjects.address(ofDevice: device), mtu: BluetoothDaemonCentral.mtu))
        }
        if let next = central.take(call, pdu) { onEvent(.attReceived(central.id, next)) }
    }

    func send(_ pdu: [UInt8], on id: BluetoothLinkID) {
        guard let central = centrals.values.first(where: { $0.id == id }) else { return }
        if let value = BluetoothDaemonCentral.Value(pdu) {
            notify(value)
            if value.wantsConfirmation { onEvent(.attReceived(id, [0x1E])) }
        } else if let next = central.answered(pdu) {
            onEvent(.attReceived(id, next))
        }
    }

    private func notify(_ value: BluetoothDaemonCentral.Value) {
        guard let path = tree.path(ofValue: value.handle) else { return }
        do throws(SystemError) {
            try bus?.signal(
                path: path, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged",
                [
                    .string("org.bluez.GattCharacteristic1"), .properties([("Value", .octets(value.octets))]),
                    .array(of: "s", []),
                ])
        } catch { lost("bluetoothd cannot be told: \(error)") }
    }

    func disconnect(_ id: BluetoothLinkID) {
        guard let device = centrals.first(where: { $0.value.id == id })?.key else { return }
        if !device.isEmpty {
            let target = BusTarget(service: Self.service, path: device, interface: "org.bluez.Device1")
            // It fails when the device has left already.
            call(target, "Disconnect") { _ in }
        }
        close(device)
    }

    private func close(_ device: String) {
        guard let central = centrals.removeValue(forKey: device) else { return }
        central.end()
        onEvent(.attClosed(central.id))
    }

    private func closeAll() { for device in centrals.keys.sorted() { close(device) } }
}
