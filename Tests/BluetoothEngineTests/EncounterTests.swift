import BluetoothEngine
import BluetoothFrames
import Octets
import Ports
import SimulatedMedium
import Testing

/// An accessory and a phone, each on a simulated controller within hearing, on virtual time.
struct Encounter {
    var air = VirtualBluetooth(entropy: .seeded(1))
    var accessory: BluetoothPeripheral
    var phone: BluetoothCentral
    let accessoryController: VirtualBluetooth.ControllerID
    let phoneController: VirtualBluetooth.ControllerID
    var now = at(0)
    var accessoryReports: [BluetoothReport] = []
    var phoneReports: [(at: MonotonicInstant, report: BluetoothCentral.Report)] = []
    /// Advertisements on the air, with their times.
    var heard: [(at: MonotonicInstant, data: [UInt8])] = []

    init(
        _ configuration: BluetoothPeripheral.Configuration = configuration(),
        controller: VirtualController.Configuration = .init()
    ) {
        accessory = BluetoothPeripheral(configuration)
        phone = BluetoothCentral(.init(service: BluetoothUUID(0xFD5A), company: nil))
        accessoryController = air.addController(controller)
        phoneController = air.addController()
    }

    mutating func tell(_ event: BluetoothPeripheral.Event) {
        for effect in accessory.handle(event, now: now) {
            switch effect {
            case .port(let effect): take(air.handle(.perform(accessoryController, effect), now: now))
            case .report(let report): accessoryReports.append(report)
            }
        }
    }

    mutating func tell(_ event: BluetoothCentral.Event) {
        for effect in phone.handle(event, now: now) {
            switch effect {
            case .port(let effect): take(air.handle(.perform(phoneController, effect), now: now))
            case .report(let report): phoneReports.append((now, report))
            }
        }
    }

    mutating func take(_ effects: [VirtualBluetooth.Effect]) {
        for effect in effects {
            switch effect {
            case .event(accessoryController, let event): tell(BluetoothPeripheral.Event.port(event))
            case .event(_, let event): tell(BluetoothCentral.Event.port(event))
            case .air(_, let frame):
                if case .advertisement(let data, let scanResponse) = frame.body {
                    heard.append((now, data + scanResponse))
                }
            }
        }
    }

    mutating func run(until end: Int64) {
        while let next = [accessory.nextDeadline, phone.nextDeadline, air.nextDeadline].compactMap({ $0 }).min(),
            next <= at(end)
        {
            now = max(now, next)
            take(air.handle(.deadlineReached, now: now))
            if accessory.nextDeadline.map({ $0 <= now }) == true { tell(BluetoothPeripheral.Event.deadlineReached) }
            if phone.nextDeadline.map({ $0 <= now }) == true { tell(BluetoothCentral.Event.deadlineReached) }
        }
        now = at(end)
    }

    mutating func begin() {
        tell(BluetoothPeripheral.Event.command(.start))
        tell(BluetoothPeripheral.Event.command(.advertise(true)))
        tell(BluetoothCentral.Event.command(.start))
    }

    var sighting: BluetoothSighting? { phone.sightings.values.first }
    var inspections: [BluetoothInspection] {
        phoneReports.compactMap { if case .inspected(_, let inspection) = $0.report { inspection } else { nil } }
    }
}

@Suite("An accessory and a phone over simulated Bluetooth")
struct EncounterTests {
    @Test(
        "the phone finds the accessory, reads all it tells, and hears of the window at once", arguments: [true, false])
    func meets(_ isRecent: Bool) throws {
        var controller = VirtualController.Configuration()
        controller.hasAdvertisingParameters = isRecent
        var encounter = Encounter(controller: controller)
        encounter.begin()
        encounter.run(until: 1000)
        let sighting = try #require(encounter.sighting)
        #expect(sighting.octets == bytes("020106 03035afd 06ffffff010200 00"))
        encounter.tell(BluetoothCentral.Event.command(.inspect(sighting.address)))
        encounter.run(until: 2000)
        let inspection = try #require(encounter.inspections.first)
        #expect(inspection.serialNumber == "SN-0001")
        #expect(inspection.manufacturer == "Acme" && inspection.model == "D1" && inspection.firmware == "1.2.3")
        #expect(inspection.nanServices == ["_drone-service._udp", "_camera-stream._udp"])
        #expect(inspection.state == [] && inspection.summary?.links == 1)

        encounter.tell(BluetoothPeripheral.Event.command(.set([.pairingWindowOpen], LinkSummary())))
        encounter.run(until: 3000)
        let notified = encounter.phoneReports.first { $0.report == .state(sighting.address, [.pairingWindowOpen]) }
        let notifiedAt = try #require(notified?.at)
        #expect(at(2000).duration(to: notifiedAt) < .milliseconds(100))
        let advertised = encounter.heard.first { $0.data == bytes("020106 03035afd 06ffffff010201 060944726f6e65") }
        let advertisedAt = try #require(advertised?.at)
        #expect(at(2000).duration(to: advertisedAt) < .milliseconds(100))
        #expect(encounter.sighting?.name == "Drone" && encounter.sighting?.state == [.pairingWindowOpen])

        encounter.tell(BluetoothCentral.Event.command(.wake(sighting.address)))
        encounter.run(until: 3500)
        #expect(encounter.accessoryReports.contains(.wakeAsked))
        #expect(encounter.phoneReports.contains { $0.report == .woken(sighting.address, nil) })
    }

    @Test("20 ms at first, then the provisioned interval, with at most 10 ms of delay each")
    func rhythm() {
        var encounter = Encounter()
        encounter.begin()
        encounter.run(until: 40_000)
        let times = encounter.heard.map(\.at)
        let pauses = zip(times, times.dropFirst()).map { ($0, $0.duration(to: $1)) }
        for (start, pause) in pauses where start < at(29_000) {
            #expect(pause >= .milliseconds(20) && pause <= .milliseconds(30))
        }
        for (start, pause) in pauses where start > at(31_000) {
            #expect(pause >= .microseconds(152_500) && pause <= .microseconds(162_500))
        }
        #expect(pauses.count > 1000)
    }

    @Test("a hundred phones come and go one after the other, and it advertises after each")
    func cycles() throws {
        var encounter = Encounter()
        encounter.begin()
        encounter.run(until: 1000)
        let address = try #require(encounter.sighting?.address)
        var time: Int64 = 1000
        for _ in 0..<100 {
            encounter.tell(BluetoothCentral.Event.command(.inspect(address)))
            time += 1000
            encounter.run(until: time)
            #expect(encounter.accessory.linkCount == 1)
            let during = encounter.heard.count
            encounter.run(until: time + 500)
            #expect(encounter.heard.count > during)
            encounter.tell(BluetoothCentral.Event.command(.leave(address)))
            time += 1000
            encounter.run(until: time)
            #expect(encounter.accessory.linkCount == 0)
            let after = encounter.heard.count
            time += 1500
            encounter.run(until: time)
            #expect(encounter.heard.count > after)
        }
        #expect(encounter.inspections.count == 100)
    }

    @Test("a controller that is pulled out and put back advertises again within a second")
    func returns() {
        var encounter = Encounter()
        encounter.begin()
        encounter.run(until: 1000)
        encounter.take(encounter.air.handle(.present(encounter.accessoryController, false), now: encounter.now))
        encounter.run(until: 5000)
        #expect(encounter.accessory.controllerState == .absent("there is no Bluetooth LE controller"))
        let before = encounter.heard.count
        encounter.take(encounter.air.handle(.present(encounter.accessoryController, true), now: encounter.now))
        encounter.run(until: 6000)
        #expect(encounter.heard.count > before)
    }

    @Test("to stop leaves nothing on the air")
    func stops() {
        var encounter = Encounter()
        encounter.begin()
        encounter.run(until: 1000)
        encounter.tell(BluetoothPeripheral.Event.command(.stop))
        let before = encounter.heard.count
        encounter.run(until: 20_000)
        #expect(encounter.heard.count == before)
        #expect(encounter.accessory.controllerState == .off)
    }

    @Test("a datagram of the air is read as it was written, and any octets are read or refused")
    func datagrams() throws {
        let source = BluetoothAddress(.random, bits: 0x4102_0304_0506)
        let peer = BluetoothAddress(.public, bits: 0x0102_0304_0506)
        let frames = [
            BluetoothAirFrame(source: source, destination: nil, body: .advertisement(data: [1, 2], scanResponse: [3])),
            BluetoothAirFrame(source: source, destination: peer, body: .connect(7)),
            BluetoothAirFrame(source: source, destination: peer, body: .accepted(7)),
            BluetoothAirFrame(source: source, destination: peer, body: .attribute(7, [1, 2, 3])),
            BluetoothAirFrame(source: source, destination: peer, body: .alive(7)),
            BluetoothAirFrame(source: source, destination: peer, body: .terminated(7)),
        ]
        for frame in frames {
            let read = try BluetoothAirFrame(datagram: frame.datagram)
            #expect(read == frame)
            for length in 0..<18 { _ = try? BluetoothAirFrame(datagram: Array(frame.datagram.prefix(length))) }
        }
        #expect(throws: WireError.self) { try BluetoothAirFrame(datagram: []) }
    }
}
