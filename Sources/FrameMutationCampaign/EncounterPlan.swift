internal import AccessoryCore
internal import Identity
internal import NANEngine
internal import NANFrames
internal import NANSecurity
internal import Octets
internal import PhoneCore
internal import Ports
internal import SimulatedMedium

/// Who meets, over what air, and what goes wrong by itself.
struct EncounterPlan {
    var accessory: Accessory.Configuration
    var phone: Phone.Configuration
    var impairments = Impairments()
    var typesWrongPIN = false
    /// The phone is paired and asks for a service that is not for it.
    private(set) var isRefused = false

    /// The encounters differ by number: suites of both strengths, schedules that agree and that do not, loss, wrong PINs.
    init(number: Int, devices: DeviceFilter = .anyPaired) throws {
        isRefused = devices != .anyPaired
        let identity = try AccessoryIdentity(
            vendorName: AdvertisedName("Example", field: "vendor-name"),
            modelName: AdvertisedName("Drone One", field: "model-name"),
            pairingName: AdvertisedName("Drone 0042", field: "pairing-name"),
            serialNumber: SerialNumber("EX-0042"),
            services: [
                ServiceDeclaration(
                    name: ServiceName("_drone-service._udp"), port: 7000,
                    handler: .control(
                        ControlHandler(
                            local: try LocalEndpoint("127.0.0.1:14550", field: "local"), serviceClass: .bestEffort)),
                    performanceMode: .realtime, serviceClass: .interactiveVideo, devices: devices)
            ],
            limits: ConnectionLimits(maximumConnections: 4, stopsPublishingWhenFull: number % 2 == 1),
            pairing: PairingPolicy(window: .always, attempts: PINAttemptLimits(lockOutCount: 10)))
        // In one encounter of four the two are not on one channel, and the phone has to come to the accessory's.
        let isApart = number % 4 == 3
        // In realtime mode it would have gone there before it asks, and nobody would propose anything else.
        let mode: LocalSchedule.Mode = isApart ? .bulk : .realtime
        let schedule = LocalSchedule(mode, channel: isApart ? .social5GHz : .social24GHz)
        accessory = Accessory.Configuration(identity: identity, device: NANDevice.Configuration(schedule: schedule))
        phone = Phone.Configuration(
            serviceName: "_drone-service._udp", names: ServiceNames(vendor: "Maker", model: "P1", name: "Phone"),
            device: NANDevice.Configuration(
                schedule: LocalSchedule(mode, potential: isApart ? [.social5GHz] : [])))
        if number % 3 == 1 { phone.cipherSuite = .ncsPKPASN256 }
        phone.asksForSharedKeySuite = number % 2 == 0
        if number % 5 == 4 { impairments = .lossy(0.2, residual: 0.03) }
        typesWrongPIN = number % 3 == 2
    }

    /// What a witness gets to read: each suite of pairing with each kind of data path suite, schedules that a
    /// counter-proposal brings together and that change by it, and a data path that is refused.
    static func witnessed() throws -> [EncounterPlan] {
        var plans = try [0, 1, 3, 4].map { try EncounterPlan(number: $0) }
        plans.append(try EncounterPlan(number: 0, devices: DeviceFilter(names: ["Another phone"])))
        for index in plans.indices { plans[index].impairments = Impairments() }
        return plans
    }

    /// The whole story: found, paired, connected, left; the phone restarted, verified, connected, left.
    func play(_ encounter: Encounter) -> Bool {
        encounter.ask(AccessoryCommand.start)
        encounter.ask(PhoneCommand.start)
        guard let found = find(encounter, paired: false) else { return false }
        if typesWrongPIN {
            pair(encounter, with: found, wrongly: true)
            encounter.run(for: .seconds(30)) { encounter.heard.contains { $0.isPairingFailure } }
        }
        pair(encounter, with: found, wrongly: false)
        if isRefused {
            let isTold = encounter.run(for: .seconds(60)) { encounter.heard.contains { $0.isEndOfDataPath } }
            encounter.run(for: .seconds(2))
            return isTold && !encounter.heard.contains { $0.isConnected }
        }
        let isConnected = encounter.run(for: .seconds(60)) { encounter.heard.contains { $0.isConnected } }
        encounter.run(for: .seconds(3))
        encounter.ask(PhoneCommand.disconnect)
        encounter.run(for: .seconds(2))
        encounter.restartPhone()
        encounter.ask(PhoneCommand.start)
        guard isConnected, let known = find(encounter, paired: true) else { return false }
        encounter.ask(.connect(known))
        let isConnectedAgain = encounter.run(for: .seconds(60)) { encounter.heard.contains { $0.isConnected } }
        encounter.run(for: .seconds(2))
        encounter.ask(AccessoryCommand.shutDown)
        encounter.run(for: .seconds(3))
        return isConnectedAgain
    }

    private func find(_ encounter: Encounter, paired: Bool) -> NMI? {
        var found: NMI?
        encounter.run(for: .seconds(30)) {
            for case .discovered(let accessory) in encounter.heard where (accessory.pairing != nil) == paired {
                found = accessory.nmi
            }
            return found != nil
        }
        return found
    }

    private func pair(_ encounter: Encounter, with accessory: NMI, wrongly: Bool) {
        encounter.ask(.pair(accessory))
        encounter.run(for: .seconds(60)) { encounter.heard.contains(.pinNeeded) }
        guard let pin = wrongly ? PIN(typed: "000000") : encounter.pin else { return }
        encounter.ask(.enterPIN(pin))
    }
}

extension PhoneReport {
    fileprivate var isConnected: Bool { if case .connected = self { true } else { false } }
    fileprivate var isEndOfDataPath: Bool { if case .disconnected = self { true } else { false } }
    fileprivate var isPairingFailure: Bool { if case .pairingFailed = self { true } else { false } }
}
