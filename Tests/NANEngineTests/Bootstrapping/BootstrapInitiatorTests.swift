import NANEngine
import NANFrames
import Octets
import Testing

@Suite("Bootstrapping, the initiator") struct BootstrapInitiatorTests {
    let peer = ServicePeer(
        nmi: NMI(MACAddress(bits: 0x02AA_AAAA_AAAA)), instance: InstanceID(7), peerInstance: InstanceID(1))
    let start = MonotonicInstant(nanoseconds: 0)
    let cookie = PairingBootstrapping.Cookie([1, 2, 3, 4])

    func machine() -> BootstrapInitiator {
        BootstrapInitiator(peer: peer, method: .pinKeypad, token: DialogToken(1), serviceInfo: [9])
    }

    func answer(_ message: PairingBootstrapping.Message, _ methods: BootstrappingMethods = []) -> PairingBootstrapping {
        PairingBootstrapping(dialogToken: DialogToken(1), message: message, methods: methods)
    }

    @Test("the request is repeated at its deadline and not before") func repeats() throws {
        var machine = machine()
        let request = BootstrapInitiator.Effect.send(machine.firstRequest, to: peer, serviceInfo: [9])
        #expect(machine.start(now: start) == [request])
        let deadline = try #require(machine.nextDeadline)
        #expect(deadline == start.advanced(by: .seconds(1)))
        #expect(machine.deadlineReached(now: deadline.advanced(by: .nanoseconds(-1))).isEmpty)
        #expect(machine.deadlineReached(now: deadline) == [request])
    }

    @Test("a peer that never answers is given up") func silence() throws {
        var machine = machine()
        _ = machine.start(now: start)
        for _ in 1..<BootstrapInitiator.requestLimit {
            let deadline = try #require(machine.nextDeadline)
            #expect(machine.deadlineReached(now: deadline).count == 1)
        }
        let last = try #require(machine.nextDeadline)
        #expect(machine.deadlineReached(now: last) == [.failed(peer, .unspecified)])
        #expect(machine.nextDeadline == nil)
    }

    @Test("a comeback is obeyed to the nanosecond, and asked for again until answered") func comeback() throws {
        var machine = machine()
        _ = machine.start(now: start)
        let told = answer(.comeback(afterTimeUnits: 1024, cookie))
        #expect(machine.receive(told, now: start) == [.deferred(peer, .timeUnits(1024))])
        #expect(machine.receive(told, now: start.advanced(by: .milliseconds(10))).isEmpty)
        let deadline = try #require(machine.nextDeadline)
        #expect(deadline == start.advanced(by: .timeUnits(1024)))
        let again = PairingBootstrapping(
            dialogToken: DialogToken(1), message: .comebackRequest(cookie), methods: .pinKeypad)
        #expect(machine.deadlineReached(now: deadline) == [.send(again, to: peer, serviceInfo: [9])])
        #expect(machine.nextDeadline == deadline.advanced(by: .seconds(1)))
        #expect(machine.receive(answer(.accept, .pinDisplay), now: deadline) == [.accepted(peer)])
        #expect(machine.nextDeadline == nil)
    }

    @Test("an acceptance of something else is a failure") func wrongMethod() {
        var machine = machine()
        _ = machine.start(now: start)
        #expect(machine.receive(answer(.accept, .pinKeypad), now: start) == [.failed(peer, .unspecified)])
    }

    @Test("an answer to another token is nobody's") func otherToken() {
        var machine = machine()
        _ = machine.start(now: start)
        let other = PairingBootstrapping(dialogToken: DialogToken(2), message: .accept, methods: .pinDisplay)
        #expect(machine.receive(other, now: start).isEmpty)
    }
}
