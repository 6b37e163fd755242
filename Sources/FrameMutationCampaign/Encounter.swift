internal import AccessoryCore
internal import Cryptography
internal import NANEngine
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import PhoneCore
internal import Ports
internal import SimulatedMedium

/// An accessory and a phone on simulated air and virtual time, with a place to look in at every step.
final class Encounter {
    enum Station: Int { case accessory, phone }

    private enum Incident {
        case accessory(PortEvent<AccessoryCommand>)
        case phone(PortEvent<PhoneCommand>)
    }

    private(set) var now = MonotonicInstant(nanoseconds: 0)
    private(set) var accessory: Accessory
    private(set) var phone: Phone
    /// The phone's reports since the last `ask`.
    private(set) var heard: [PhoneReport] = []
    private(set) var pin: PIN?
    private(set) var capture: [UInt8] = []
    /// Called before a station gets a frame, and with nil while its elliptic curve is busy.
    var look: (Encounter, Station, ReceivedFrame?) -> Void = { _, _, _ in }

    /// Called with a station after everything that it has taken in.
    var stepped: (Any) -> Void = { _ in }

    private var air: VirtualAir
    private let accessoryRadio: VirtualAir.RadioID
    private var phoneRadio: VirtualAir.RadioID
    private let impairments: Impairments
    private var incidents: [Incident] = []
    private var jobs: [(Station, CryptoJob)] = []
    private var pairings: [PairingRecord] = []
    private let phoneState: StoredState
    private let plan: EncounterPlan
    private let entropy: Entropy

    init(_ plan: EncounterPlan, entropy: Entropy, capture: CaptureWriter? = nil) {
        self.plan = plan
        self.entropy = entropy
        impairments = plan.impairments
        air = VirtualAir(entropy: entropy.fork(label: "air"), capture: capture)
        accessoryRadio = air.addRadio(VirtualKernel.Configuration(impairments: impairments))
        phoneRadio = air.addRadio(VirtualKernel.Configuration(impairments: impairments))
        phoneState = .fresh(entropy.fork(label: "phone NIK"))
        accessory = Accessory(
            plan.accessory, stored: .fresh(entropy.fork(label: "accessory NIK")),
            entropy: entropy.fork(label: "accessory"))
        phone = Phone(plan.phone, stored: phoneState, entropy: entropy.fork(label: "phone"))
    }

    func ask(_ command: AccessoryCommand) {
        incidents.append(.accessory(.command(command)))
        settle()
    }

    func ask(_ command: PhoneCommand) {
        heard = []
        incidents.append(.phone(.command(command)))
        settle()
    }

    /// The phone's program is started anew, with what it had stored.
    func restartPhone() {
        perform(.removed(phoneRadio))
        settle()
        phoneRadio = air.addRadio(VirtualKernel.Configuration(impairments: impairments))
        var state = phoneState
        state.pairings = pairings
        phone = Phone(plan.phone, stored: state, entropy: entropy.fork(label: "phone again"))
        heard = []
    }

    /// Lets time pass until `condition` holds; false when `limit` passed first.
    @discardableResult
    func run(for limit: Duration, until condition: () -> Bool = { false }) -> Bool {
        let end = now.advanced(by: limit)
        while !condition() {
            let next = [air.nextDeadline, accessory.nextDeadline, phone.nextDeadline].compactMap { $0 }.min()
            guard let next, next <= end else {
                now = end
                return condition()
            }
            now = max(now, next)
            perform(.deadlineReached)
            if let deadline = accessory.nextDeadline, deadline <= now { incidents.append(.accessory(.deadlineReached)) }
            if let deadline = phone.nextDeadline, deadline <= now { incidents.append(.phone(.deadlineReached)) }
            settle()
        }
        return true
    }

    private func settle() {
        repeat {
            while !incidents.isEmpty {
                switch incidents.removeFirst() {
                case .accessory(let event):
                    if case .radio(.received(let frame)) = event { look(self, .accessory, frame) }
                    for effect in accessory.handle(event, now: now) { perform(effect) }
                    stepped(accessory)
                case .phone(let event):
                    if case .radio(.received(let frame)) = event { look(self, .phone, frame) }
                    for effect in phone.handle(event, now: now) { perform(effect) }
                    stepped(phone)
                }
            }
            for (station, job) in jobs {
                look(self, station, nil)
                switch station {
                case .accessory: incidents.append(.accessory(.crypto(job.run())))
                case .phone: incidents.append(.phone(.crypto(job.run())))
                }
            }
            jobs = []
        } while !incidents.isEmpty
    }

    private func perform(_ effect: PortEffect<AccessoryReport>) {
        switch effect {
        case .radio(let effect): perform(.perform(accessoryRadio, effect))
        case .crypto(let job): jobs.append((.accessory, job))
        case .store(let command): incidents.append(.accessory(.store(.saved(command.ticket))))
        case .display(let content):
            if case .pin(let pin) = content { self.pin = pin }
            incidents.append(.accessory(.displayed(content)))
        case .bluetooth, .stream, .report: break
        }
    }

    private func perform(_ effect: PortEffect<PhoneReport>) {
        switch effect {
        case .radio(let effect): perform(.perform(phoneRadio, effect))
        case .crypto(let job): jobs.append((.phone, job))
        case .store(let command):
            if case .save(let record, _) = command { pairings = [record] }
            incidents.append(.phone(.store(.saved(command.ticket))))
        case .report(let report): heard.append(report)
        case .bluetooth, .stream, .display: break
        }
    }

    private func perform(_ event: VirtualAir.Event) {
        for effect in air.handle(event, now: now) {
            switch effect {
            case .event(accessoryRadio, let event): incidents.append(.accessory(.radio(event)))
            case .event(phoneRadio, let event): incidents.append(.phone(.radio(event)))
            case .event: break
            case .captured(let octets): capture += octets
            }
        }
    }
}

extension StoredState {
    /// A first start: a NIK and nothing else.
    fileprivate static func fresh(_ entropy: Entropy) -> StoredState {
        var entropy = entropy
        return StoredState(ownNIK: SecretKey(drawing: 16, from: &entropy))
    }
}
