import AccessoryCore
import NANEngine
import NANFrames
import Octets
import PhoneCore
import Ports
import SimulatedMedium
import Testing

/// A phone that is killed and comes back while the accessory still counts on it.
@Suite("Starting over") struct StartingOverScenarios {
    /// A phone whose addresses are always the same.
    private static func phone(_ nmi: UInt64?) -> Phone.Configuration {
        var configuration = Phone.Configuration.phone()
        configuration.device.nmi = nmi.map { NMI(MACAddress(bits: $0)) }
        configuration.device.ndi = NDI(MACAddress(bits: 0x0200_0000_0D01))
        return configuration
    }

    @Test("a phone that has lost its keys pairs anew under its old address, while its data path still seems to live")
    func withoutKeys() throws {
        let world = Neighbourhood(seed: 61)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let old = try ConnectionScenarios.join(world, accessory, Self.phone(0x0200_0000_0A01))
        world.run(for: .seconds(1))
        world.silence(old)
        let new = try ConnectionScenarios.join(world, accessory, Self.phone(0x0200_0000_0A01))
        #expect(new.pinsAskedFor == 1)
        world.run(for: .seconds(20))
        #expect(new.isConnected)
        #expect(accessory.root.snapshot(now: world.now).connections.count == 1)
    }

    @Test("a phone that comes back with another management address and the same data address is served at once")
    func sameDataAddress() throws {
        let world = Neighbourhood(seed: 62)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let old = try ConnectionScenarios.join(world, accessory, Self.phone(0x0200_0000_0A01))
        world.run(for: .seconds(1))
        let stored = StoredState(ownNIK: try #require(old.identityKey), pairings: old.root.pairings)
        world.silence(old)
        let new = world.addPhone(Self.phone(0x0200_0000_0A02), stored: stored)
        new.command(.start)
        try #require(world.run(for: .seconds(3)) { new.accessory != nil })
        new.command(.connect(try #require(new.accessory)))
        #expect(world.run(for: .seconds(2)) { new.isConnected })
        world.run(for: .seconds(20))
        #expect(new.isConnected && new.pinsAskedFor == 0)
        #expect(accessory.root.snapshot(now: world.now).connections.count == 1)
    }

    @Test("forgotten on both sides, a phone that is in range all the time pairs again") func forgotten() throws {
        let world = Neighbourhood(seed: 63)
        let accessory = world.addAccessory(try .drone())
        accessory.command(.start)
        let phone = try ConnectionScenarios.join(world, accessory)
        phone.command(.disconnect)
        world.run(for: .seconds(2))
        accessory.command(.forgetAll)
        world.run(for: .seconds(1))
        phone.command(.pair(try #require(phone.accessory)))
        #expect(world.run(for: .seconds(30)) { phone.pinsAskedFor == 2 })
        phone.command(.enterPIN(try #require(accessory.pin)))
        #expect(world.run(for: .seconds(30)) { phone.isConnected })
    }
}
