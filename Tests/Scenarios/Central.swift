import BluetoothFrames
import Cryptography
import Octets
import Ports
import SimulatedMedium

/// A central with the kernel's own pairing and nothing above it: what a phone's system does, by management packets.
final class Central: Resident {
    let controller: VirtualBluetooth.ControllerID
    private unowned let neighbourhood: Neighbourhood
    private(set) var link: BluetoothLinkID?
    private(set) var answers: [[UInt8]] = []
    private(set) var events: [ManagementEvent] = []
    private(set) var security = BluetoothSecurity.none
    var nextDeadline: MonotonicInstant? { nil }

    init(_ controller: VirtualBluetooth.ControllerID, in neighbourhood: Neighbourhood) {
        self.controller = controller
        self.neighbourhood = neighbourhood
    }

    func powerOn() {
        perform(.openManagement)
        for command in [ManagementCommand.setLowEnergy(true), .setPowered(true)] { send(command) }
    }

    func send(_ command: ManagementCommand) { perform(.managementSend(command.packet(index: 0))) }
    func connect(_ address: BluetoothAddress) { perform(.attConnect(address)) }
    func leave() { if let link { perform(.attDisconnect(link)) } }
    func ask(_ text: String) { if let link { perform(.attSend(link, [UInt8](hex: text) ?? [])) } }

    var wantsPasskey: Bool { events.contains { if case .passkeyWanted = $0 { true } else { false } } }
    var hasKey: Bool { events.contains { if case .newLongTermKey = $0 { true } else { false } } }
    var hasFailed: Bool { events.contains { if case .authenticationFailed = $0 { true } else { false } } }

    func hear(_ event: RadioEvent, now: MonotonicInstant) {}
    func reachDeadline(now: MonotonicInstant) {}

    func hear(_ event: BluetoothEvent, now: MonotonicInstant) {
        switch event {
        case .managementReceived(let octets, let key):
            guard let packet = try? ManagementPacket(octets: octets, keyLength: key?.count ?? 0),
                let event = try? ManagementEvent(packet)
            else { return }
            events.append(event)
        case .attConnected(let link, _, _):
            self.link = link
            security = .none
            events = []
        case .attSecured(_, let security): self.security = security
        case .attClosed: link = nil
        case .attReceived(_, let octets): answers.append(octets)
        default: break
        }
    }

    private func perform(_ effect: BluetoothEffect) { neighbourhood.performBluetooth(.perform(controller, effect)) }
}
