import Cryptography
import NANEngine
import NANFrames
import Octets
import Ports
import Testing

/// What a device does when its radio refuses what it cannot do without.
@Suite("A radio's refusals") struct RefusalTests {
    private func rig() -> DeviceRig {
        let key = SecretKey(copying: Array(repeating: 1, count: 16))
        var rig = DeviceRig(
            NANDevice(.init(mode: .bulk), identityKey: key, entropy: .seeded(1)),
            cluster: ClusterID(MACAddress(bits: 0x506F_9A01_0001)))
        rig.join()
        return rig
    }

    @Test("without a data interface NAN is ended, its owner is told why, and a new start is a new start")
    func dataInterface() throws {
        var rig = rig()
        let added = rig.effects.compactMap { effect -> NDI? in
            if case .addDataInterface(let ndi) = effect { ndi } else { nil }
        }
        let failure = RadioFailure(.busy, "NEW_INTERFACE: too many interfaces")
        rig.handle(.radio(.refused(.dataInterface(try #require(added.first)), failure)))
        #expect(rig.effects.last == .stop)
        #expect(rig.handle(.radio(.stopped(.requested))) == [.stopped(.lost("NEW_INTERFACE: too many interfaces"))])
        rig.join()
        #expect(rig.reports.last.map { if case .joined = $0 { true } else { false } } == true)
        rig.command(.stop)
        #expect(rig.handle(.radio(.stopped(.requested))) == [.stopped(.requested)])
    }

    @Test("a schedule that is refused is replaced by what every radio can keep, and that one's refusal ends NAN")
    func schedule() {
        var rig = rig()
        let failure = RadioFailure(.invalid, "NAN_SET_LOCAL_SCHED: Invalid argument")
        for _ in 0..<2 where rig.effects.last != .stop {
            rig.handle(.radio(.refused(.localSchedule, failure)))
        }
        #expect(rig.effects.last == .stop)
        #expect(rig.handle(.radio(.stopped(.requested))) == [.stopped(.lost(failure.text))])
    }
}
