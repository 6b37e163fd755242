import LinuxRuntime
import NANFrames
import Octets
import Ports
import Testing

@testable import NL80211Radio

/// What a session decides without the kernel.
@Suite("Sessions") struct SessionTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000_000)
    private static let cluster = ClusterID(MACAddress(bits: 0x506F_9A01_1234))
    private static let other = ClusterID(MACAddress(bits: 0x506F_9A01_5678))

    private func after(_ seconds: Int) -> MonotonicInstant { Self.start.advanced(by: .seconds(seconds)) }

    /// A header with that third address.
    private func frame(_ third: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0xA5, count: 16) + third + [0, 0]
    }

    @Test("windows count as a sign of life from the first cluster on") func signsOfLife() {
        var membership = ClusterMembership(startedAt: Self.start)
        #expect(membership.aliveUntil == after(15))
        membership.windowAhead(now: after(1))
        membership.windowAhead(now: after(14))
        #expect(membership.aliveUntil == after(15))
        membership.join(Self.cluster, now: after(2))
        #expect(membership.aliveUntil == after(6))
        membership.windowAhead(now: after(3))
        #expect(membership.aliveUntil == after(7))
    }

    @Test("a frame of another cluster tells of a merge, once, and not before the first") func merge() {
        let strange = frame(Self.other.address.encoded)
        var membership = ClusterMembership(startedAt: Self.start)
        #expect(membership.learn(from: strange) == nil)
        #expect(membership.cluster == nil)
        membership.join(Self.cluster, now: after(1))
        #expect(membership.learn(from: frame(Self.cluster.address.encoded)) == nil)
        #expect(membership.learn(from: frame([0x51, 0x6F, 0x9A, 1, 0, 0])) == nil, "NAN's network id")
        #expect(membership.learn(from: Array(strange.prefix(21))) == nil)
        #expect(membership.cluster == Self.cluster)
        #expect(membership.learn(from: strange) == Self.other)
        #expect(membership.learn(from: strange) == nil)
        #expect(membership.cluster == Self.other)
    }

    @Test("a peer may have another's interface identifier, but none of ours on that interface") func identifiers() {
        let mine = NANSession.DataLink(index: 7, local: 1, peer: 2)
        let back = NANSession.DataLink(index: 7, local: 1, peer: 2)
        #expect(!back.asksForOurs(among: [mine]))
        #expect(back.hasPeerAddress(of: mine))
        #expect(NANSession.DataLink(index: 7, local: 3, peer: 3).asksForOurs(among: []))
        #expect(NANSession.DataLink(index: 7, local: 3, peer: 1).asksForOurs(among: [mine]))
        let elsewhere = NANSession.DataLink(index: 8, local: 3, peer: 1)
        #expect(!elsewhere.asksForOurs(among: [mine]))
        #expect(!NANSession.DataLink(index: 8, local: 1, peer: 2).hasPeerAddress(of: mine))
    }

    @Test("only what comes by the thousand leaves room for other events") func room() {
        #expect(RadioEvent.received(ReceivedFrame(octets: [])).isOneOfMany)
        #expect(RadioEvent.discoveryWindowAhead(frequency: 2437).isOneOfMany)
        #expect(!RadioEvent.stopped(.requested).isOneOfMany)
        #expect(!RadioEvent.transmitted(TransmitID(1), acknowledged: true).isOneOfMany)
    }

    @Test("a command before the start is refused, on a later turn of the loop") func early() throws {
        let loop = try EventLoop()
        let radio = try NL80211Radio(loop: loop, configuration: .init(logThreshold: .error))
        var told: [RadioEvent] = []
        radio.onEvent = { told.append($0) }
        radio.perform(.setLocalSchedule(.empty))
        #expect(told.isEmpty)
        let end = loop.now.advanced(by: .seconds(10))
        while told.isEmpty, loop.now < end { try loop.turn(within: .seconds(1)) }
        #expect(told == [.refused(.localSchedule, RadioFailure(.notStarted, "NAN is not started"))])
        withExtendedLifetime(radio) {}
    }
}
