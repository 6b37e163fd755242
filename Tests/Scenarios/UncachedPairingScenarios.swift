import AccessoryCore
import Cryptography
import Dot11Frames
import NANEngine
import NANFrames
import NANSecurity
import Octets
import PhoneCore
import Ports
import SimulatedMedium
import Testing

@Suite("Phones that keep no pairings") struct UncachedPairingScenarios {
    /// The pairing of a phone, without the rest of it.
    private struct Initiator {
        var machine: PairingMachine
        /// In front of what it sends.
        let header: ManagementHeader

        /// The frames that an event has it send.
        mutating func handle(_ event: PairingMachine.Event, now: MonotonicInstant) -> [[UInt8]] {
            var frames: [[UInt8]] = []
            var queue = [event]
            while !queue.isEmpty {
                for effect in machine.handle(queue.removeFirst(), now: now) {
                    if case .crypto(let job) = effect { queue.append(.crypto(job.run())) }
                    if case .transmit(let body, _, _) = effect { frames.append(header.encoded + body) }
                }
            }
            return frames
        }
    }

    @Test("one that has typed the PIN is let go at once, and the next one pairs") func letGo() throws {
        let (world, accessory, phone, nmi) = try PINPolicyScenarios.asked(seed: 71)
        let pin = try #require(accessory.pin)
        var reader = ByteReader(try #require(phone.frames.last))
        let heard = try ManagementHeader(from: &reader)
        world.silence(phone)
        let header = ManagementHeader(
            .authentication, destination: nmi.address, source: heard.source, bssid: heard.bssid)
        let parameters = PairingParameters(
            own: NMI(heard.source), peer: nmi, instance: InstanceID(1),
            authentication: .password([try PasswordElement(password: pin.password, group: .p256)]),
            suites: [.ncsPKPASN128], capabilityExtension: DeviceCapabilityExtension(pairing: [.setupEnabled]),
            identity: try #require(IdentityKey(SecretKey(copying: Array(0xB0...0xBF)))))
        var initiator = Initiator(
            machine: PairingMachine(PairingMachine.Configuration(), entropy: .seeded(71)), header: header)

        let first = try #require(initiator.handle(.start(parameters), now: world.now).first)
        accessory.hear(.received(ReceivedFrame(octets: first)), now: world.now)
        let second = try #require(accessory.frames.last { $0[0] == 0xB0 })
        let answered = initiator.handle(.received(Array(second.dropFirst(24)), from: nmi), now: world.now)
        accessory.hear(.received(ReceivedFrame(octets: try #require(answered.first))), now: world.now)

        let told = accessory.count { report in
            if case .attemptFailed(_, "the other side keeps no pairings") = report { true } else { false }
        }
        #expect(told == 1 && accessory.shown.last == .failed)
        let after = accessory.root.snapshot(now: world.now)
        #expect(!after.attemptIsUnderWay && after.failedAttempts == 0 && after.peers.isEmpty)
        let next = try ConnectionScenarios.join(world, accessory, .phone("Phone B"))
        #expect(next.isConnected)
    }
}
