import AccessoryCore
import NANEngine
import NANFrames
import Octets
import PhoneCore
import Ports
import SimulatedMedium
import Testing

@Suite("PIN policy on the air") struct PINPolicyScenarios {
    /// An accessory and a phone that has been asked for a PIN.
    static func asked(
        seed: UInt64, lockOutCount: Int = 10, attemptSeconds: Int = 60, phoneDelay: Duration = .zero
    ) throws -> (Neighbourhood, Station<Accessory>, Station<Phone>, NMI) {
        let world = Neighbourhood(seed: seed)
        let accessory = world.addAccessory(try .drone(attemptSeconds: attemptSeconds, lockOutCount: lockOutCount))
        let phone = world.addPhone(.phone(), impairments: Impairments(delay: phoneDelay...phoneDelay))
        accessory.command(.start)
        phone.command(.start)
        world.run(for: .seconds(20)) { phone.accessory != nil }
        let nmi = try #require(phone.accessory)
        phone.command(.pair(nmi))
        try #require(world.run(for: .seconds(20)) { phone.pinsAskedFor == 1 })
        return (world, accessory, phone, nmi)
    }

    @Test("a PIN that nobody types leaves the display at its time, and can then not be used") func expiry() throws {
        let (world, accessory, phone, _) = try Self.asked(seed: 21)
        let pin = try #require(accessory.pin)
        #expect(!world.run(for: .seconds(58)) { accessory.pin == nil })
        #expect(world.run(for: .seconds(4)) { accessory.pin == nil })
        phone.command(.enterPIN(pin))
        #expect(world.run(for: .seconds(60)) { phone.failures == 1 })
        #expect(phone.pairingsMade == 0)
    }

    @Test("how long a PIN is shown is the identity's to say") func attemptSeconds() throws {
        let (world, accessory, _, _) = try Self.asked(seed: 26, attemptSeconds: 20)
        #expect(!world.run(for: .seconds(18)) { accessory.pin == nil })
        #expect(world.run(for: .seconds(3)) { accessory.pin == nil })
    }

    @Test("a phone that dies under its PIN keeps another one waiting for half a minute, not for all of the PIN's time")
    func diesUnderItsPIN() throws {
        let (world, accessory, phone, nmi) = try Self.asked(seed: 27, attemptSeconds: 300)
        let pin = try #require(accessory.pin)
        let shown = world.now
        world.silence(phone)
        let second = world.addPhone(.phone("Phone B"))
        second.command(.start)
        try #require(world.run(for: .seconds(20)) { second.accessory != nil })
        second.command(.pair(nmi))
        #expect(world.run(for: .seconds(10)) { second.count { if case .askedToWait = $0 { true } else { false } } > 0 })
        #expect(accessory.pin == pin)
        #expect(world.run(for: .seconds(40)) { second.pinsAskedFor == 1 })
        #expect(accessory.pin != pin)
        // The second asks again every 3 s, in a discovery window.
        #expect(shown.duration(to: world.now) < .seconds(35))
        #expect(shown.duration(to: world.now) > .seconds(29))
    }

    @Test("who has begun to use the PIN before its time was over is let finish", arguments: 0..<12)
    func inTheNickOfTime(_ step: Int) throws {
        // A slow phone: its third frame comes some time after the guess.
        let (world, accessory, phone, _) = try Self.asked(
            seed: 28, attemptSeconds: 15, phoneDelay: .milliseconds(300))
        world.run(for: .milliseconds(12_700 + 160 * step))
        phone.command(.enterPIN(try #require(accessory.pin)))
        let guesses = { accessory.count { if case .guess = $0 { true } else { false } } }
        world.run(for: .seconds(30)) { phone.isConnected || phone.failures > 0 }
        #expect(phone.isConnected == (guesses() == 1))
    }

    @Test("a wrong PIN is shown to have failed, however soon the phone asks for the next") func failedIsShown() throws {
        let (world, accessory, phone, nmi) = try Self.asked(seed: 29)
        phone.command(.enterPIN(try #require(accessory.pin?.wrong)))
        try #require(world.run(for: .seconds(30)) { phone.failures == 1 })
        phone.command(.pair(nmi))
        try #require(world.run(for: .seconds(30)) { phone.pinsAskedFor == 2 })
        let afterPIN = accessory.shown.drop { if case .pin = $0 { false } else { true } }.dropFirst()
        #expect(afterPIN.first == .failed)
        #expect(!afterPIN.contains(.ready))
    }

    /// The same, when three wrong PINs have been typed and pairing is locked.
    static func locked(
        seed: UInt64
    ) throws -> (Neighbourhood, Station<Accessory>, Station<Phone>, NMI) {
        let (world, accessory, phone, nmi) = try asked(seed: seed, lockOutCount: 3)
        for guess in 1...3 {
            let wrong = try #require(accessory.pin?.wrong)
            phone.command(.enterPIN(wrong))
            try #require(world.run(for: .seconds(60)) { phone.failures == guess })
            world.run(for: .seconds(60)) { accessory.root.snapshot(now: world.now).attemptIsUnderWay == false }
            guard guess < 3 else { break }
            phone.command(.pair(nmi))
            try #require(world.run(for: .seconds(90)) { phone.pinsAskedFor == guess + 1 })
        }
        return (world, accessory, phone, nmi)
    }

    @Test("unlocking opens a window again that the lock had shut, and nothing is left of the count") func unlock()
        throws
    {
        let (world, accessory, phone, nmi) = try Self.locked(seed: 23)
        world.run(for: .seconds(10))
        #expect(accessory.shown.last == .locked)
        accessory.command(.unlock)
        #expect(!accessory.root.snapshot(now: world.now).isLocked)
        phone.command(.pair(nmi))
        try #require(world.run(for: .seconds(60)) { phone.pinsAskedFor == 4 })
        phone.command(.enterPIN(try #require(accessory.pin)))
        #expect(world.run(for: .seconds(60)) { phone.isConnected })
    }

    @Test("guess after guess ends in the lock-out, which no phone gets past and a person opens") func lockOut() throws {
        let (world, accessory, phone, nmi) = try Self.locked(seed: 22)
        let locked = accessory.root.snapshot(now: world.now)
        #expect(locked.isLocked && !locked.pairingWindowIsOpen && locked.pairingWindowLeft == nil)
        world.run(for: .seconds(10))
        #expect(accessory.shown.last == .locked)
        phone.command(.pair(nmi))
        #expect(world.run(for: .seconds(60)) { phone.failures == 4 })
        #expect(phone.pinsAskedFor == 3)
        accessory.command(.openPairingWindow(nil))
        let opened = accessory.root.snapshot(now: world.now)
        #expect(!opened.isLocked && opened.pairingWindowIsOpen)
        #expect(opened.pairingWindowLeft == nil, "the policy is `always`")
        phone.command(.pair(nmi))
        #expect(world.run(for: .seconds(60)) { phone.pinsAskedFor == 4 })
        phone.command(.enterPIN(try #require(accessory.pin)))
        #expect(world.run(for: .seconds(60)) { phone.isConnected })
    }

    @Test("a client that always stops after frame 2 ends in the lock-out like one that types wrong PINs")
    func stopsAfterFrame2() throws {
        let (world, accessory, phone, nmi) = try Self.asked(seed: 23, lockOutCount: 3)
        var phone2 = phone
        for guess in 1...3 {
            // The phone dies on the spot when its guess was answered: it never sends frame 3.
            phone2.command(.enterPIN(try #require(accessory.pin?.wrong)))
            let guesses = { accessory.count { if case .guess = $0 { true } else { false } } }
            try #require(world.run(for: .seconds(30)) { guesses() == guess })
            world.silence(phone2)
            guard guess < 3 else { break }
            phone2 = world.addPhone(.phone())
            phone2.command(.start)
            world.run(for: .seconds(20)) { phone2.accessory != nil }
            phone2.command(.pair(nmi))
            let next = phone2
            try #require(world.run(for: .seconds(90)) { next.pinsAskedFor == 1 })
        }
        #expect(accessory.root.snapshot(now: world.now).isLocked)
    }

    @Test("an identical repeat of frame 1 gets the same frame 2 again, and costs no further guess")
    func repeatedFrame1() throws {
        let (world, accessory, phone, _) = try Self.asked(seed: 26)
        let pin = try #require(accessory.pin)
        phone.command(.enterPIN(pin))
        let guesses = { accessory.count { if case .guess = $0 { true } else { false } } }
        let answers = { accessory.frames.filter { $0.isAuthentication(2) } }
        try #require(world.run(for: .seconds(30)) { answers().count == 1 })
        let commit = try #require(phone.frames.last { $0.isAuthentication(1) })
        #expect(guesses() == 1)
        for repetition in 1...3 {
            accessory.hear(.received(ReceivedFrame(octets: commit)), now: world.now)
            #expect(answers().count == 1 + repetition)
        }
        // The bodies: the sequence number of a header is the radio's.
        #expect(Set(answers().map { $0.dropFirst(24) }).count == 1)
        #expect(guesses() == 1)
        #expect(accessory.root.snapshot(now: world.now).failedAttempts == 1)
        #expect(world.run(for: .seconds(30)) { phone.pairingsMade == 1 })
        #expect(guesses() == 1)
        #expect(accessory.root.snapshot(now: world.now).failedAttempts == 0)
    }

    @Test("another commit under the same PIN is no repeat: it is answered no more") func otherFrame1() throws {
        let (world, accessory, phone, _) = try Self.asked(seed: 27)
        phone.command(.enterPIN(try #require(accessory.pin?.wrong)))
        let answers = { accessory.frames.filter { $0.isAuthentication(2) } }
        try #require(world.run(for: .seconds(30)) { answers().count == 1 })
        var commit = try #require(phone.frames.last { $0.isAuthentication(1) })
        // The last octet of the frame belongs to what the phone offers, not to its numbers.
        commit[commit.count - 1] ^= 1
        accessory.hear(.received(ReceivedFrame(octets: commit)), now: world.now)
        #expect(answers().count == 1)
        #expect(accessory.count { if case .guess = $0 { true } else { false } } == 1)
    }

    @Test("without the window open nobody is shown a PIN, and the names are not on the air") func windowClosed() throws
    {
        let world = Neighbourhood(seed: 24)
        let accessory = world.addAccessory(try .drone(window: .command))
        let phone = world.addPhone(.phone())
        accessory.command(.start)
        phone.command(.start)
        world.run(for: .seconds(20)) { phone.accessory != nil }
        let vendor = Array("Example".utf8)
        func isOnAir() -> Bool {
            accessory.frames.contains { frame in
                frame.indices.contains { frame[$0...].starts(with: vendor) }
            }
        }
        #expect(!isOnAir())
        phone.command(.pair(try #require(phone.accessory)))
        #expect(world.run(for: .seconds(30)) { phone.failures == 1 })
        #expect(accessory.shown.allSatisfy { if case .pin = $0 { false } else { true } })
        accessory.command(.openPairingWindow(.seconds(60)))
        world.run(for: .seconds(2))
        #expect(isOnAir())
    }

    @Test("a pairing that cannot be stored is none, on either side") func storeFails() throws {
        let (world, accessory, phone, _) = try Self.asked(seed: 25)
        accessory.storeFails = true
        phone.command(.enterPIN(try #require(accessory.pin)))
        world.run(for: .seconds(30))
        #expect(accessory.root.snapshot(now: world.now).peers.isEmpty)
        #expect(phone.pairingsMade == 0 && phone.failures == 1)
    }
}

extension [UInt8] {
    /// PASN's frame of this number.
    fileprivate func isAuthentication(_ number: UInt8) -> Bool {
        count > 28 && self[0] == 0xB0 && self[26] == number
    }
}
