import AccessoryCore
import BluetoothEngine
import BluetoothFrames
import Identity
import NANEngine
import NANFrames
import Octets
import PhoneCore
import Ports
import SimulatedMedium
import Testing

/// An accessory on NAN and Bluetooth, and phones that know both, on virtual time.
@Suite("One accessory on two transports")
struct BluetoothScenarios {
    private let neighbourhood = Neighbourhood(seed: 4)

    private func accessory(
        window: PairingPolicy.Window = .command, sleep: SleepPolicy = .standard,
        _ change: (inout Accessory.Configuration) -> Void = { _ in }
    ) throws -> Station<Accessory> {
        var configuration = Accessory.Configuration(
            identity: try .drone(window: window, sleep: sleep),
            device: NANDevice.Configuration(schedule: LocalSchedule(.realtime)))
        configuration.bluetooth = BluetoothSetup(firmware: "1.0")
        change(&configuration)
        return neighbourhood.addAccessory(configuration)
    }

    private func phone() -> Station<Phone> {
        var configuration = Phone.Configuration.phone()
        configuration.bluetooth = BluetoothCentral.Configuration(service: BluetoothUUID(0xFD5A), company: nil)
        return neighbourhood.addPhone(configuration)
    }

    private static let base = "020106 03035afd 06ffffff0102"
    private static func advertised(_ state: String, isOpen: Bool = false) -> [UInt8]? {
        [UInt8](hex: base + state + (isOpen ? "0b09" + Array("Drone 0042".utf8).hex : "00"))
    }

    /// When a service discovery frame first left that has, or has not, the bootstrapping methods of an open window.
    private func firstPublished(by station: Station<Accessory>, isOpen: Bool, after: MonotonicInstant)
        -> MonotonicInstant?
    {
        for (frame, at) in zip(station.frames, station.frameTimes) where at >= after {
            guard case .serviceDiscovery(let frame)? = try? NANFrame.decode(Array(frame.dropFirst(24))),
                !frame.attributes.serviceDescriptors.isEmpty
            else { continue }
            if (frame.attributes.pairingBootstrapping != nil) == isOpen { return at }
        }
        return nil
    }

    private func time(_ station: Station<Accessory>, _ matches: (AccessoryReport) -> Bool) -> MonotonicInstant? {
        zip(station.reports, station.reportTimes).first { matches($0.0) }?.1
    }

    @Test("the first advertisement and the first publish frame come within 1 s of cluster and controller")
    func first() throws {
        let station = try accessory()
        station.command(.start)
        neighbourhood.run(for: .seconds(5))
        let joined = try #require(time(station) { if case .joined = $0 { true } else { false } })
        let ready = try #require(
            time(station) { if case .bluetooth(.controller(.ready)) = $0 { true } else { false } })
        let later = max(joined, ready)
        let advertisement = try #require(neighbourhood.advertisements.first)
        let published = try #require(firstPublished(by: station, isOpen: false, after: later))
        #expect(advertisement.octets == Self.advertised("00"))
        #expect(later <= advertisement.at && later.duration(to: advertisement.at) < .seconds(1))
        #expect(later.duration(to: published) < .seconds(1))
    }

    @Test("the window's opening and closing are on both within 1 s of each other, and in its last octet")
    func window() throws {
        let station = try accessory()
        station.command(.start)
        neighbourhood.run(for: .seconds(40))
        for (isOpen, state) in [(true, "01"), (false, "00")] {
            let began = neighbourhood.now
            let count = neighbourhood.advertisements.count
            station.command(isOpen ? .openPairingWindow(nil) : .closePairingWindow)
            neighbourhood.run(for: .seconds(5))
            let wanted = try #require(Self.advertised(state, isOpen: isOpen))
            let seen = try #require(neighbourhood.advertisements.dropFirst(count).first { $0.octets == wanted })
            let published = try #require(firstPublished(by: station, isOpen: isOpen, after: began))
            #expect(began.duration(to: seen.at) < .seconds(1))
            #expect(began.duration(to: published) < .seconds(1))
            // Nothing of the other state is told any more.
            #expect(neighbourhood.advertisements.last?.octets == wanted)
        }
    }

    @Test(
        "a phone finds the accessory on both, reads its serial number, pairs, and the state says that it is connected")
    func bothTransports() throws {
        let station = try accessory(window: .always)
        let phone = phone()
        station.command(.start)
        phone.command(.start)
        #expect(neighbourhood.run(for: .seconds(5)) { phone.accessory != nil && phone.sighting != nil })
        let sighting = try #require(phone.sighting)
        #expect(sighting.name == "Drone 0042" && sighting.state == [.pairingWindowOpen])
        phone.command(.inspect(sighting.address))
        #expect(neighbourhood.run(for: .seconds(5)) { phone.inspection != nil })
        #expect(phone.inspection?.serialNumber == "EX-0042")
        #expect(phone.inspection?.nanServices == ["_drone-service._udp"])
        let nmi = try #require(phone.accessory)
        phone.command(.pair(nmi))
        #expect(neighbourhood.run(for: .seconds(20)) { station.pin != nil && phone.pinsAskedFor == 1 })
        phone.command(.enterPIN(try #require(station.pin)))
        #expect(neighbourhood.run(for: .seconds(30)) { phone.isConnected })
        neighbourhood.run(for: .seconds(2))
        #expect(neighbourhood.advertisements.last?.octets == Self.advertised("03", isOpen: true))
        #expect(phone.reports.contains(.bluetooth(.state(sighting.address, [.pairingWindowOpen, .connected]))))
    }

    @Test("a controller that vanishes leaves NAN alone, is told of, and advertises again when it returns")
    func vanishes() throws {
        let station = try accessory()
        station.command(.start)
        neighbourhood.run(for: .seconds(5))
        neighbourhood.performBluetooth(.present(station.controller, false))
        neighbourhood.run(for: .seconds(5))
        let count = neighbourhood.advertisements.count
        let snapshot = station.root.snapshot(now: neighbourhood.now)
        #expect(snapshot.bluetooth?.trouble == "there is no Bluetooth LE controller")
        #expect(snapshot.bluetooth?.isAdvertising == false)
        #expect(snapshot.services.map(\.listener) == [.ready])
        #expect(firstPublished(by: station, isOpen: false, after: neighbourhood.now.advanced(by: .seconds(-2))) != nil)
        neighbourhood.performBluetooth(.present(station.controller, true))
        neighbourhood.run(for: .seconds(1))
        #expect(neighbourhood.advertisements.count > count)
        #expect(station.root.snapshot(now: neighbourhood.now).bluetooth?.trouble == nil)
    }

    @Test("with NAN's radio the advertisement goes, and with it comes back")
    func radioLost() throws {
        let station = try accessory()
        station.command(.start)
        neighbourhood.run(for: .seconds(5))
        neighbourhood.perform(.switched(station.radio, on: false))
        neighbourhood.run(for: .seconds(1))
        let count = neighbourhood.advertisements.count
        neighbourhood.run(for: .seconds(5))
        #expect(neighbourhood.advertisements.count == count)
        neighbourhood.perform(.switched(station.radio, on: true))
        neighbourhood.run(for: .seconds(5))
        #expect(neighbourhood.advertisements.count > count)
    }

    @Test("a shutdown ends both before it is reported")
    func shutDown() throws {
        let station = try accessory()
        station.command(.start)
        neighbourhood.run(for: .seconds(5))
        station.command(.shutDown)
        #expect(neighbourhood.run(for: .seconds(3)) { station.reports.last == .stopped })
        let count = neighbourhood.advertisements.count
        neighbourhood.run(for: .seconds(5))
        #expect(neighbourhood.advertisements.count == count)
        #expect(station.count { $0 == .stopped } == 1)
    }

    @Test("NAN sleeps until a phone asks over Bluetooth, serves it, and sleeps again when it is unused")
    func sleeps() throws {
        let station = try accessory(sleep: try SleepPolicy(sleep: .untilBLE, afterSeconds: 10))
        let phone = phone()
        station.command(.start)
        phone.command(.start)
        neighbourhood.run(for: .seconds(5))
        #expect(phone.accessory == nil)
        #expect(station.root.snapshot(now: neighbourhood.now).isAsleep)
        let sighting = try #require(phone.sighting)
        #expect(sighting.state == [.asleep])
        phone.command(.inspect(sighting.address))
        #expect(neighbourhood.run(for: .seconds(5)) { phone.inspection != nil })
        phone.command(.wake(sighting.address))
        #expect(neighbourhood.run(for: .seconds(5)) { phone.accessory != nil })
        #expect(!station.root.snapshot(now: neighbourhood.now).isAsleep)
        neighbourhood.run(for: .seconds(15))
        #expect(station.root.snapshot(now: neighbourhood.now).isAsleep)
        let frames = station.frames.count
        neighbourhood.run(for: .seconds(10))
        #expect(station.frames.count == frames)
        #expect(neighbourhood.advertisements.last?.octets == Self.advertised("04"))
    }

    @Test("an accessory that may sleep and has no controller stays awake")
    func cannotSleep() throws {
        let station = try accessory(sleep: try SleepPolicy(sleep: .untilBLE, afterSeconds: 10))
        neighbourhood.performBluetooth(.present(station.controller, false))
        station.command(.start)
        neighbourhood.run(for: .seconds(30))
        let snapshot = station.root.snapshot(now: neighbourhood.now)
        #expect(!snapshot.isAsleep && snapshot.services.map(\.listener) == [.ready])
    }

    @Test("a board without Bluetooth says nothing about it")
    func without() throws {
        let station = try accessory { $0.bluetooth = nil }
        station.command(.start)
        neighbourhood.run(for: .seconds(5))
        #expect(station.root.snapshot(now: neighbourhood.now).bluetooth == nil)
        #expect(neighbourhood.advertisements.isEmpty)
    }
}

extension Station<Phone> {
    var sighting: BluetoothSighting? {
        for case .bluetooth(.found(let sighting)) in reports.reversed() { return sighting }
        return nil
    }

    var inspection: BluetoothInspection? {
        for case .bluetooth(.inspected(_, let inspection)) in reports.reversed() { return inspection }
        return nil
    }
}
