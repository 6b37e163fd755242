import AccessoryCore
import Cryptography
import Identity
import NANEngine
import NANFrames
import NANSecurity
import Octets
import PhoneCore
import Ports
import SimulatedMedium
import Testing

@Suite("Connections") struct ConnectionScenarios {
    /// Adds a phone to a world with an accessory, pairs and connects it.
    static func join(
        _ world: Neighbourhood, _ accessory: Station<Accessory>, _ configuration: Phone.Configuration = .phone()
    ) throws -> Station<Phone> {
        let phone = world.addPhone(configuration)
        phone.command(.start)
        try #require(world.run(for: .seconds(20)) { phone.accessory != nil })
        phone.command(.pair(try #require(phone.accessory)))
        try #require(world.run(for: .seconds(30)) { phone.pinsAskedFor == 1 })
        phone.command(.enterPIN(try #require(accessory.pin)))
        try #require(world.run(for: .seconds(30)) { phone.isConnected })
        return phone
    }

    @Test("a phone that dies without a word is let go within 5 s, and finds the board again") func vanished() throws {
        let world = Neighbourhood(seed: 41)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let phone = try Self.join(world, accessory)
        let isServed = { accessory.streams.contains { if case .connect = $0 { true } else { false } } }
        try #require(world.run(for: .seconds(2), until: isServed))
        world.silence(phone)
        #expect(
            world.run(for: .milliseconds(5600)) { accessory.root.snapshot(now: world.now).connections.isEmpty })
        #expect(accessory.streams.contains { if case .disconnect = $0 { true } else { false } })
        let stored = StoredState(
            ownNIK: try #require(phone.identityKey), pairings: phone.root.pairings)
        let again = world.addPhone(.phone(), stored: stored)
        again.command(.start)
        world.run(for: .seconds(20)) { again.accessory != nil }
        again.command(.connect(try #require(again.accessory)))
        #expect(world.run(for: .seconds(20)) { again.isConnected })
    }

    /// A protected dual of public action frame, which the radio encrypts, and what it says.
    private static func isProtected(_ frame: [UInt8], holding text: String) -> Bool {
        frame[0] == 0xD0 && frame[24] == 9 && String(decoding: frame, as: UTF8.self).contains(text)
    }

    @Test("messages go both ways, encrypted, to whoever is connected and to nobody else") func messages() throws {
        let world = Neighbourhood(seed: 55)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let phone = try Self.join(world, accessory)
        let pairing = try #require(accessory.root.snapshot(now: world.now).peers.first?.id)
        let before = phone.frames.count
        phone.command(.send(Array("land".utf8)))
        accessory.command(.send(pairing, Array("landing".utf8)))
        world.run(for: .seconds(1))
        #expect(phone.count { $0 == .message(Array("landing".utf8)) } == 1)
        #expect(phone.count { $0 == .messageSent(acknowledged: true) } == 1)
        #expect(accessory.count { $0 == .message(pairing, Array("land".utf8)) } == 1)
        #expect(accessory.count { $0 == .messageSent(pairing, acknowledged: true) } == 1)
        #expect(phone.frames[before...].contains { Self.isProtected($0, holding: "land") })
        // Not over the air when there is nobody to get it, and never more than a frame holds.
        phone.command(.send([UInt8](repeating: 1, count: 256)))
        #expect(phone.count { $0 == .messageSent(acknowledged: false) } == 1)
        phone.command(.disconnect)
        world.run(for: .seconds(1))
        accessory.command(.send(pairing, [1]))
        #expect(accessory.count { $0 == .messageSent(pairing, acknowledged: false) } == 1)
    }

    @Test("what a stranger says is nobody's message") func strangersMessage() throws {
        let world = Neighbourhood(seed: 56)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let phone = try Self.join(world, accessory)
        phone.command(.send(Array("land".utf8)))
        world.run(for: .seconds(1))
        var forged = try #require(phone.frames.last { Self.isProtected($0, holding: "land") })
        forged.replaceSubrange(10..<16, with: [0x02, 0, 0, 0, 1, 1])
        forged[24] = 4  // public action, in clear
        forged[1] = 0
        accessory.hear(.received(ReceivedFrame(octets: forged)), now: world.now)
        #expect(accessory.count { if case .message = $0 { true } else { false } } == 1)
    }

    @Test("the place of a phone that vanished is the next one's") func placeOfTheVanished() throws {
        let world = Neighbourhood(seed: 54)
        let accessory = world.addAccessory(try .drone(maximumConnections: 1))
        accessory.command(.start)
        let phone = try Self.join(world, accessory)
        world.run(for: .seconds(30))
        let connections = { accessory.root.snapshot(now: world.now).connections.count }
        #expect(connections() == 1)
        world.silence(phone)
        #expect(world.run(for: .milliseconds(5600)) { connections() == 0 })
        let other = try Self.join(world, accessory, .phone("Phone B"))
        #expect(other.isConnected && connections() == 1)
    }

    @Test("a connected phone that says nothing stays, without a frame that counts as a fault") func silent() throws {
        let world = Neighbourhood(seed: 55)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let phone = try Self.join(world, accessory)
        world.run(for: .seconds(2))
        let dropped = accessory.root.snapshot(now: world.now).dropped
        #expect(!world.run(for: .seconds(300)) { !phone.isConnected })
        #expect(accessory.root.snapshot(now: world.now).connections.count == 1)
        #expect(accessory.root.snapshot(now: world.now).dropped == dropped)
    }

    @Test("NCS-PK-PASN-256 pairs and connects as well, with the suite of PASN on the data path") func strong() throws {
        let world = Neighbourhood(seed: 42)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        var configuration = Phone.Configuration.phone()
        configuration.cipherSuite = .ncsPKPASN256
        configuration.asksForSharedKeySuite = false
        let phone = try Self.join(world, accessory, configuration)
        #expect(phone.root.pairings.first?.cipherSuite == .ncsPKPASN256)
    }

    @Test("with all connections in use a further phone is refused, and publishing stops if so configured") func full()
        throws
    {
        let world = Neighbourhood(seed: 43)
        let accessory = world.addAccessory(try .drone(maximumConnections: 1, stopsPublishingWhenFull: true))
        accessory.command(.start)
        let other = world.addPhone(.phone("Phone B"))
        other.command(.start)
        let phone = try Self.join(world, accessory)
        let listener = { accessory.root.snapshot(now: world.now).services.first?.listener }
        #expect(listener() == .waiting("all connections are in use"))
        #expect(
            world.run(for: .seconds(20)) { other.count { if case .lost = $0 { true } else { false } } == 1 })
        phone.command(.disconnect)
        #expect(world.run(for: .seconds(10)) { listener() == .ready })
    }

    @Test("who is forgotten loses its connection, and is not let in by its old pairing") func forgotten() throws {
        let world = Neighbourhood(seed: 44)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let phone = try Self.join(world, accessory)
        accessory.command(.forgetAll)
        #expect(world.run(for: .seconds(10)) { !phone.isConnected })
        #expect(accessory.root.snapshot(now: world.now).peers.isEmpty)
        world.run(for: .seconds(3))
        phone.command(.connect(try #require(phone.accessory)))
        #expect(world.run(for: .seconds(20)) { phone.failures == 1 })
        #expect(!phone.isConnected)
        // And back to the PIN, not to a dead end.
        phone.command(.pair(try #require(phone.accessory)))
        #expect(world.run(for: .seconds(30)) { phone.pinsAskedFor == 2 })
        phone.command(.enterPIN(try #require(accessory.pin)))
        #expect(world.run(for: .seconds(30)) { phone.isConnected })
    }

    @Test("a shut-down tells the phone, blanks the display and stops") func shutDown() throws {
        let world = Neighbourhood(seed: 45)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let phone = try Self.join(world, accessory)
        accessory.command(.shutDown)
        #expect(world.run(for: .seconds(3)) { accessory.reports.last == .stopped })
        #expect(accessory.shown.last == .blank)
        #expect(world.run(for: .seconds(2)) { !phone.isConnected })
    }

    @Test("a shut-down cancels every listener, says why, and nothing that comes later changes that")
    func cancelled() throws {
        let world = Neighbourhood(seed: 53)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let listener = { accessory.root.snapshot(now: world.now).services.first?.listener }
        try #require(world.run(for: .seconds(10)) { listener() == .ready })
        let port = ServicePort(number: 7000, transport: .udp)
        accessory.command(.shutDown)
        #expect(listener() == .cancelled("shutting down"))
        #expect(listener()?.name == "cancelled" && listener()?.reason == "shutting down")
        accessory.stream(.serviceFailed(port, "the socket is gone"))
        world.perform(.switched(accessory.radio, on: false))
        #expect(world.run(for: .seconds(3)) { accessory.reports.contains(.stopped) })
        #expect(listener() == .cancelled("shutting down"))
        let states = accessory.reports.compactMap { report in
            if case .listener(port, let state) = report { state.name } else { nil }
        }
        #expect(states == ["ready", "cancelled"])
    }

    @Test("a radio that goes and comes back is served again, with the pairings kept") func radioLoss() throws {
        let world = Neighbourhood(seed: 46)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        _ = try Self.join(world, accessory)
        world.perform(.switched(accessory.radio, on: false))
        let listener = { accessory.root.snapshot(now: world.now).services.first?.listener.name }
        #expect(listener() == "waiting")
        world.run(for: .seconds(5))
        world.perform(.switched(accessory.radio, on: true))
        #expect(world.run(for: .seconds(10)) { listener() == "ready" })
        #expect(accessory.root.snapshot(now: world.now).peers.count == 1)
        #expect(accessory.root.snapshot(now: world.now).connections.isEmpty)
    }

    @Test("a data path that carries nothing ends at its time, one that carries something does not") func idle() throws {
        let world = Neighbourhood(seed: 47)
        let accessory = world.addAccessory(try .drone(idleTimeoutSeconds: 10))
        accessory.command(.start)
        let phone = try Self.join(world, accessory)
        world.run(for: .seconds(1))
        let id = try #require(accessory.root.snapshot(now: world.now).connections.first?.id)
        for _ in 0..<20 {
            world.run(for: .seconds(1))
            accessory.stream(.performance(id, PerformanceReport(sentPerSecond: 1000)))
        }
        #expect(phone.isConnected)
        #expect(!world.run(for: .seconds(9)) { !phone.isConnected })
        #expect(world.run(for: .seconds(3)) { !phone.isConnected })
    }

    @Test("a paired device that the service's filter leaves out gets no data path") func deviceFilter() throws {
        let world = Neighbourhood(seed: 48)
        let accessory = world.addAccessory(try .drone(devices: DeviceFilter(names: ["Phone A"])))
        accessory.command(.start)
        _ = try Self.join(world, accessory)
        let other = world.addPhone(.phone("Phone B"))
        other.command(.start)
        world.run(for: .seconds(20)) { other.accessory != nil }
        other.command(.pair(try #require(other.accessory)))
        world.run(for: .seconds(30)) { other.pinsAskedFor == 1 }
        other.command(.enterPIN(try #require(accessory.pin)))
        #expect(
            world.run(for: .seconds(30)) { other.count { if case .disconnected = $0 { true } else { false } } == 1 })
        #expect(other.pairingsMade == 1 && !other.isConnected)
        #expect(
            accessory.count { if case .refusedConnection(_, .securityPolicy) = $0 { true } else { false } } == 1)
    }

    @Test("after boot the window is open for its time and no longer") func afterBoot() throws {
        let world = Neighbourhood(seed: 49)
        let accessory = world.addAccessory(try .drone(window: .afterBoot))
        accessory.command(.start)
        let isOpen = { accessory.root.snapshot(now: world.now).pairingWindowIsOpen }
        #expect(!world.run(for: .seconds(119)) { !isOpen() })
        #expect(world.run(for: .seconds(2)) { !isOpen() })
    }

    @Test("schedules that do not meet are brought together by a counter-proposal") func counterProposal() throws {
        let world = Neighbourhood(seed: 50)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        var configuration = Phone.Configuration.phone()
        configuration.device.schedule = LocalSchedule(
            .realtime, channel: .social5GHz, potential: [.social24GHz])
        let phone = try Self.join(world, accessory, configuration)
        #expect(phone.isConnected)
    }

    @Test("an accessory goes where a phone is that cannot move") func goesWhereThePhoneIs() throws {
        let world = Neighbourhood(seed: 53)
        var board = try Accessory.Configuration.drone()
        board.device.schedule = LocalSchedule(.realtime, potential: [.social5GHz])
        let accessory = world.addAccessory(board)
        accessory.command(.start)
        var configuration = Phone.Configuration.phone()
        configuration.device.schedule = LocalSchedule(.realtime, channel: .social5GHz)
        let phone = try Self.join(world, accessory, configuration)
        #expect(phone.isConnected)
    }

    /// hostap's usual schedule: on two channels in turn.
    private static func turns() throws -> LocalSchedule {
        let wide = Channel(controlFrequency: 5180, centerFrequency: 5210, width: .mhz80)
        return LocalSchedule(
            sequenceID: 1,
            [
                try #require(LocalSchedule.Allotment(.social24GHz, slots: 0x0000_000E, rxNSS: 1)),
                try #require(LocalSchedule.Allotment(wide, slots: 0xFFFF_FFF0, rxNSS: 1)),
            ], potential: [])
    }

    private static func oneChannel() -> LocalSchedule {
        LocalSchedule(
            .realtime, channel: Channel(controlFrequency: 5180, centerFrequency: 5210, width: .mhz80),
            potential: [.social24GHz])
    }

    @Test("whoever is on one channel meets a peer that is on two in turn in all its slots", arguments: [true, false])
    func meetsInEverySlot(_ isPhoneOnTwo: Bool) throws {
        let world = Neighbourhood(seed: 57)
        var board = try Accessory.Configuration.drone()
        var configuration = Phone.Configuration.phone()
        let (turns, oneChannel) = (try Self.turns(), Self.oneChannel())
        board.device.schedule = isPhoneOnTwo ? oneChannel : turns
        configuration.device.schedule = isPhoneOnTwo ? turns : oneChannel
        let accessory = world.addAccessory(board)
        accessory.command(.start)
        let phone = try Self.join(world, accessory, configuration)
        #expect(phone.isConnected)
        let mover = isPhoneOnTwo ? accessory.schedules : phone.schedules
        #expect(mover.first?.slots == oneChannel.radio.slots)
        #expect(mover.last?.channels.map(\.frequency) == [2437, 5180])
        #expect(mover.last?.slots == turns.radio.slots)
        #expect((isPhoneOnTwo ? phone.schedules : accessory.schedules).count == 1, "the other one stays")
    }

    @Test("nothing is told to a phone that the display does not show") func hungDisplay() throws {
        let world = Neighbourhood(seed: 51)
        let accessory = world.addAccessory(try .drone())
        accessory.displayHangs = true
        accessory.command(.start)
        let phone = world.addPhone(.phone())
        phone.command(.start)
        world.run(for: .seconds(20)) { phone.accessory != nil }
        phone.command(.pair(try #require(phone.accessory)))
        #expect(!world.run(for: .seconds(8)) { phone.pinsAskedFor > 0 })
    }

    @Test("a phone is refused at once where its PIN cannot be shown; that is no guess, and it may ask again")
    func deadDisplay() throws {
        let world = Neighbourhood(seed: 52)
        let accessory = world.addAccessory(try .drone())
        accessory.displayFails = true
        accessory.command(.start)
        let phone = world.addPhone(.phone())
        phone.command(.start)
        world.run(for: .seconds(20)) { phone.accessory != nil }
        let nmi = try #require(phone.accessory)
        phone.command(.pair(nmi))
        #expect(world.run(for: .seconds(8)) { phone.failures == 1 })
        #expect(phone.pinsAskedFor == 0 && accessory.shown.last == .ready)
        let after = accessory.root.snapshot(now: world.now)
        #expect(after.failedAttempts == 0 && !after.attemptIsUnderWay)
        accessory.displayFails = false
        phone.command(.pair(nmi))
        try #require(world.run(for: .seconds(20)) { phone.pinsAskedFor == 1 })
        phone.command(.enterPIN(try #require(accessory.pin)))
        #expect(world.run(for: .seconds(30)) { phone.isConnected })
    }

    @Test("a phone is told to go ahead once its first frame can be answered, and no other work is in front of that")
    func preparedAnswer() throws {
        let world = Neighbourhood(seed: 53)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let phone = world.addPhone(.phone())
        phone.command(.start)
        world.run(for: .seconds(20)) { phone.accessory != nil }
        accessory.cryptoWaits = true
        let before = accessory.work.count
        phone.command(.pair(try #require(phone.accessory)))
        #expect(world.run(for: .seconds(20)) { accessory.pin != nil })
        world.run(for: .seconds(2))
        #expect(phone.pinsAskedFor == 0)
        // A key and a commit for each suite; nothing for the next PIN.
        #expect(accessory.work[before...].count == 4)
        #expect(accessory.work[before...].allSatisfy { !$0.isPasswordElement })
        accessory.cryptoWaits = false
        #expect(world.run(for: .seconds(20)) { phone.pinsAskedFor == 1 })
        phone.command(.enterPIN(try #require(accessory.pin)))
        #expect(world.run(for: .seconds(20)) { phone.isConnected })
        #expect(accessory.work.count { $0.isPasswordElement } == 4, "the next PIN is ready for the next phone")
    }

    @Test("a guess that cannot be counted on disk is not given") func unrecordedGuess() throws {
        let world = Neighbourhood(seed: 52)
        let accessory = world.addAccessory(try .drone())
        accessory.storeFails = true
        accessory.command(.start)
        let phone = world.addPhone(.phone())
        phone.command(.start)
        world.run(for: .seconds(20)) { phone.accessory != nil }
        phone.command(.pair(try #require(phone.accessory)))
        #expect(world.run(for: .seconds(20)) { phone.failures == 1 })
        #expect(phone.pinsAskedFor == 0)
        #expect(accessory.shown.allSatisfy { if case .pin = $0 { false } else { true } })
    }
}
