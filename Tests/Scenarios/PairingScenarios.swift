import AccessoryCore
import NANEngine
import NANFrames
import NANSecurity
import Octets
import PhoneCore
import Ports
import SimulatedMedium
import Testing

@Suite("An accessory and a phone") struct PairingScenarios {
    /// Both up, discovered, PIN typed, paired and connected; the phone and the accessory for more.
    static func pair(
        seed: UInt64, impairments: Impairments = Impairments()
    ) throws -> (Neighbourhood, Station<Accessory>, Station<Phone>) {
        let world = Neighbourhood(seed: seed)
        let accessory = world.addAccessory(try .drone(), impairments: impairments)
        let phone = world.addPhone(.phone(), impairments: impairments)
        accessory.command(.start)
        phone.command(.start)
        try #require(world.run(for: .seconds(20)) { phone.accessory != nil }, "seed \(seed): not discovered")
        let nmi = try #require(phone.accessory)
        phone.command(.pair(nmi))
        try #require(world.run(for: .seconds(30)) { phone.pinsAskedFor == 1 }, "seed \(seed): no PIN asked for")
        let pin = try #require(accessory.pin)
        phone.command(.enterPIN(pin))
        try #require(world.run(for: .seconds(30)) { phone.isConnected }, "seed \(seed): not connected")
        return (world, accessory, phone)
    }

    @Test("find each other, pair with the PIN on the display, and connect") func firstMeeting() throws {
        let (world, accessory, phone) = try Self.pair(seed: 1)
        #expect(phone.pairingsMade == 1)
        #expect(accessory.count { if case .paired = $0 { true } else { false } } == 1)
        world.run(for: .seconds(10))
        #expect(accessory.shown.last == .ready)
        #expect(accessory.streams.contains { if case .connect = $0 { true } else { false } })
    }

    @Test("a wrong PIN never pairs, is counted, and the next attempt has another PIN and has to wait") func wrongPIN()
        throws
    {
        let world = Neighbourhood(seed: 2)
        let accessory = world.addAccessory(try .drone())
        let phone = world.addPhone(.phone())
        accessory.command(.start)
        phone.command(.start)
        world.run(for: .seconds(20)) { phone.accessory != nil }
        let nmi = try #require(phone.accessory)
        phone.command(.pair(nmi))
        world.run(for: .seconds(20)) { phone.pinsAskedFor == 1 }
        let first = try #require(accessory.pin)
        phone.command(.enterPIN(try #require(first.wrong)))
        #expect(world.run(for: .seconds(30)) { phone.failures == 1 })
        world.run(for: .seconds(20)) { accessory.count { if case .attemptFailed = $0 { true } else { false } } == 1 }
        #expect(phone.pairingsMade == 0)
        #expect(accessory.root.snapshot(now: world.now).failedAttempts == 1)
        phone.command(.pair(nmi))
        #expect(world.run(for: .seconds(30)) { phone.pinsAskedFor == 2 })
        #expect(accessory.pin != first)
        phone.command(.enterPIN(try #require(accessory.pin)))
        #expect(world.run(for: .seconds(30)) { phone.isConnected })
        #expect(accessory.root.snapshot(now: world.now).failedAttempts == 0)
    }

    @Test("a second phone is asked to wait, gets a PIN of its own, and both are connected") func twoPhones() throws {
        let world = Neighbourhood(seed: 3)
        let accessory = world.addAccessory(try .drone())
        let one = world.addPhone(.phone("Phone A"))
        let two = world.addPhone(.phone("Phone B"))
        for phone in [one, two] { phone.command(.start) }
        accessory.command(.start)
        world.run(for: .seconds(20)) { one.accessory != nil && two.accessory != nil }
        let nmi = try #require(one.accessory)
        one.command(.pair(nmi))
        world.run(for: .seconds(20)) { one.pinsAskedFor == 1 }
        let first = try #require(accessory.pin)
        two.command(.pair(nmi))
        #expect(world.run(for: .seconds(10)) { two.count { if case .askedToWait = $0 { true } else { false } } > 0 })
        #expect(accessory.pin == first)
        one.command(.enterPIN(first))
        #expect(world.run(for: .seconds(30)) { one.isConnected })
        #expect(world.run(for: .seconds(30)) { two.pinsAskedFor == 1 })
        let second = try #require(accessory.pin)
        #expect(second != first)
        two.command(.enterPIN(second))
        #expect(world.run(for: .seconds(30)) { two.isConnected })
        #expect(one.isConnected)
        #expect(accessory.root.snapshot(now: world.now).connections.count == 2)
    }

    @Test("a phone remembers so many accessories at once, and tells which it gave up") func manyAccessories() throws {
        let world = Neighbourhood(seed: 5)
        let accessory = world.addAccessory(try .drone())
        let phone = world.addPhone(.phone())
        accessory.command(.start)
        phone.command(.start)
        try #require(world.run(for: .seconds(20)) { phone.accessory != nil })
        let nmi = try #require(phone.accessory)
        // The accessory's publish frame, from two hundred addresses of somebody who makes them up.
        let publish = try #require(accessory.frames.first)
        for number in 0..<200 as Range<UInt8> {
            var frame = publish
            frame.replaceSubrange(10..<16, with: [0x02, 0, 0, 0, 1, number])
            phone.hear(.received(ReceivedFrame(octets: frame)), now: world.now)
        }
        let discovered = phone.count { if case .discovered = $0 { true } else { false } }
        let lost = phone.count { if case .lost = $0 { true } else { false } }
        #expect(discovered > 200)
        #expect(discovered - lost <= 64)
        world.run(for: .seconds(2))  // if it was the one that was given up, it is heard and found again
        phone.command(.pair(nmi))
        #expect(world.run(for: .seconds(20)) { phone.pinsAskedFor == 1 })
    }

    @Test("a phone that restarts connects again without a PIN, under another address") func reconnect() throws {
        let (world, accessory, phone) = try Self.pair(seed: 4)
        let record = try #require(phone.root.pairings.first)
        let stored = StoredState(ownNIK: try #require(phone.identityKey), pairings: [record])
        world.silence(phone)
        let again = world.addPhone(.phone(), stored: stored)
        again.command(.start)
        world.run(for: .seconds(20)) { again.accessory != nil }
        let before = accessory.work.count
        let nmi = try #require(again.accessory)
        again.command(.connect(nmi))
        #expect(world.run(for: .seconds(20)) { again.isConnected })
        // An accessory that has not heard the phone yet could make no station of it.
        let first = try #require(again.frames.firstIndex { $0[0] == 0xB0 })
        let introduction = again.frames[..<first].contains { frame in
            guard Array(frame[4..<10]) == nmi.address.encoded,
                case .serviceDiscovery(let sdf)? = try? NANFrame.decode(Array(frame[24...]))
            else { return false }
            return !sdf.attributes.deviceCapabilities.isEmpty
        }
        #expect(introduction, "the accessory is told what the phone's radio can do, before frame 1")
        #expect(accessory.work.count - before == 2, "one key and one agreement, of the pairing's suite alone")
        #expect(again.pinsAskedFor == 0)
        world.run(for: .seconds(15))
        #expect(accessory.root.snapshot(now: world.now).connections.count == 1)
    }

    @Test("a data path that stays unanswered is given up when the phone is told to") func givenUp() throws {
        let (world, accessory, phone) = try Self.pair(seed: 4)
        let stored = StoredState(
            ownNIK: try #require(phone.identityKey), pairings: phone.root.pairings)
        world.silence(phone)
        let again = world.addPhone(.phone(), stored: stored)
        again.command(.start)
        world.run(for: .seconds(20)) { again.accessory != nil }
        let nmi = try #require(again.accessory)
        let count = { (wanted: PhoneReport) in again.count { $0 == wanted } }
        again.command(.connect(nmi))
        try #require(world.run(for: .seconds(20)) { count(.connecting) == 1 })
        world.silence(accessory)
        world.run(for: .seconds(1))
        again.command(.disconnect)
        again.command(.connect(nmi))
        #expect(count(.authenticating) == 2)
    }

    @Test("100 pairings of 100 at 20 % loss with MAC retries and 3 % residual loss", arguments: 0..<10)
    func lossSweep(_ block: UInt64) throws {
        for seed in block * 10..<block * 10 + 10 {
            let impairments = Impairments.lossy(0.2, residual: 0.03)
            let (_, accessory, phone) = try Self.pair(seed: 1000 + seed, impairments: impairments)
            #expect(phone.pairingsMade == 1, "seed \(1000 + seed)")
            #expect(accessory.count { if case .paired = $0 { true } else { false } } == 1, "seed \(1000 + seed)")
        }
    }

    @Test("a phone that is forgotten while the disk still writes its keys is not let in by the disk's answer")
    func forgottenEarly() throws {
        let world = Neighbourhood(seed: 54)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let phone = world.addPhone(.phone())
        phone.command(.start)
        world.run(for: .seconds(20)) { phone.accessory != nil }
        phone.command(.pair(try #require(phone.accessory)))
        try #require(world.run(for: .seconds(20)) { phone.pinsAskedFor == 1 })
        accessory.storeWaits = true
        phone.command(.enterPIN(try #require(accessory.pin)))
        let isWriting = world.run(for: .seconds(10)) {
            accessory.stored.contains { if case .save = $0 { true } else { false } }
        }
        try #require(isWriting)
        accessory.command(.forgetAll)
        accessory.storeWaits = false
        world.run(for: .seconds(20))
        #expect(accessory.root.snapshot(now: world.now).peers.isEmpty && !phone.isConnected)
    }
}
