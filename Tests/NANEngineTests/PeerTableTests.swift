import Cryptography
import Dot11Frames
import NANEngine
import NANFrames
import Octets
import Ports
import Testing

/// Who gets a place when more devices are heard than there are places.
@Suite("Table of peers") struct PeerTableTests {
    private static let cluster = ClusterID(MACAddress(bits: 0x506F_9A01_0001))

    private func rig(_ nmi: UInt64) -> DeviceRig {
        var configuration = NANDevice.Configuration(mode: .bulk)
        configuration.nmi = NMI(MACAddress(bits: nmi))
        let key = SecretKey(copying: Array(repeating: UInt8(truncatingIfNeeded: nmi), count: 16))
        var rig = DeviceRig(
            NANDevice(configuration, identityKey: key, entropy: .seeded(nmi)), cluster: Self.cluster)
        rig.join()
        return rig
    }

    /// Frame 1 of a verification by a device that the board has never paired with.
    private func strangersFrame(to board: NMI) throws -> [UInt8] {
        var stranger = rig(0x0200_0000_0001)
        stranger.command(
            .setPairings([
                PairingRecord(
                    id: PairingID(1), peerNIK: SecretKey(copying: Array(repeating: 7, count: 16)),
                    npk: SecretKey(copying: Array(repeating: 9, count: 32)), akm: .sae, cipherSuite: .ncsPKPASN128)
            ]))
        stranger.command(
            .verify(
                ServicePeer(nmi: board, instance: InstanceID(1), peerInstance: InstanceID(1)), PairingID(1)))
        return try #require(stranger.frames.last)
    }

    @Test("refused devices, however many at once, take no place from the phone that comes next") func strangers() throws
    {
        let nmi = NMI(MACAddress(bits: 0x0200_0000_00B0))
        var board = rig(nmi.address.bits)
        board.command(.publish(PublishConfiguration(instance: InstanceID(1), serviceName: "_cam._udp")))
        let frame = try strangersFrame(to: nmi)
        let first = MACAddress(bits: 0x0200_0000_1000)
        for number in 0..<200 as Range<UInt64> {
            var forged = frame
            forged.replaceSubrange(10..<16, with: [0x02, 0, 0, 0, 0x10, UInt8(number)])
            let told = board.receive(forged, isProtected: false)
            #expect(told.contains(.verificationRefused(NMI(MACAddress(bits: first.bits + number)))))
        }
        let stations = board.effects.reduce(into: Set<NMI>()) { stations, effect in
            switch effect {
            case .addPeer(let nmi): stations.insert(nmi)
            case .removePeer(let nmi): stations.remove(nmi)
            default: break
            }
        }
        #expect(stations.count == 64 && !stations.contains(NMI(first)))
        #expect(!board.reports.contains { if case .dropped(key: "peer/limit") = $0 { true } else { false } })
    }
}
