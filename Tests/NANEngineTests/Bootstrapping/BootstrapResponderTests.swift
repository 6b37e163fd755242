import NANEngine
import NANFrames
import Octets
import Testing

@Suite("Bootstrapping, the responder") struct BootstrapResponderTests {
    let peer = ServicePeer(
        nmi: NMI(MACAddress(bits: 0x02BB_BBBB_BBBB)), instance: InstanceID(1), peerInstance: InstanceID(7))
    let request = PairingBootstrapping(dialogToken: DialogToken(1), message: .request, methods: .pinKeypad)
    let start = MonotonicInstant(nanoseconds: 0)

    func machine() -> BootstrapResponder { BootstrapResponder(entropy: .scripted([0x38, 0xFC, 0x76, 0xA7])) }

    func ask(_ machine: inout BootstrapResponder, _ npba: PairingBootstrapping) -> [BootstrapResponder.Effect] {
        machine.receive(npba, from: peer, serviceInfo: [], offered: .pinDisplay, now: start)
    }

    @Test("a request is put to the owner once, however often it comes") func askedOnce() {
        var machine = machine()
        #expect(ask(&machine, request) == [.requested(peer, method: .pinDisplay, serviceInfo: [])])
        #expect(ask(&machine, request).isEmpty)
    }

    @Test("a method that is not offered is refused with reason 13") func refused() {
        var machine = machine()
        let other = PairingBootstrapping(dialogToken: DialogToken(1), message: .request, methods: .pinDisplay)
        let refusal = PairingBootstrapping(
            dialogToken: DialogToken(1), message: .reject, reason: .pairingBootstrappingRejected)
        #expect(ask(&machine, other) == [.send(refusal, to: peer)])
    }

    @Test("an accepted request that is repeated gets the same answer, without a second question") func repeated() {
        var machine = machine()
        _ = ask(&machine, request)
        let acceptance = PairingBootstrapping(dialogToken: DialogToken(1), message: .accept, methods: .pinDisplay)
        #expect(machine.answer(peer.nmi, .accept) == [.send(acceptance, to: peer)])
        #expect(ask(&machine, request) == [.send(acceptance, to: peer)])
        #expect(machine.currentRequest(of: peer.nmi) == request)
    }

    @Test("who is told to come back is known by the cookie; another cookie is nobody's") func comeback() {
        var machine = machine()
        _ = ask(&machine, request)
        let cookie = PairingBootstrapping.Cookie([0x38, 0xFC, 0x76, 0xA7])
        let answer = PairingBootstrapping(
            dialogToken: DialogToken(1), message: .comeback(afterTimeUnits: 1024, cookie))
        #expect(machine.answer(peer.nmi, .comeBack(after: .timeUnits(1024))) == [.send(answer, to: peer)])
        #expect(ask(&machine, request) == [.send(answer, to: peer)])
        let forged = PairingBootstrapping(
            dialogToken: DialogToken(1), message: .comebackRequest(.init([1, 2, 3, 4])), methods: .pinKeypad)
        #expect(ask(&machine, forged).isEmpty)
        let returning = PairingBootstrapping(
            dialogToken: DialogToken(1), message: .comebackRequest(cookie), methods: .pinKeypad)
        #expect(ask(&machine, returning) == [.requested(peer, method: .pinDisplay, serviceInfo: [])])
        _ = machine.answer(peer.nmi, .accept)
        #expect(machine.currentRequest(of: peer.nmi) == returning)
    }

    @Test("a second comeback that is lost is told again, and the owner is not asked twice") func comebackLost() {
        var machine = BootstrapResponder(entropy: .scripted([1, 2, 3, 4, 5, 6, 7, 8]))
        let question = BootstrapResponder.Effect.requested(peer, method: .pinDisplay, serviceInfo: [])
        func returning(_ cookie: [UInt8]) -> PairingBootstrapping {
            PairingBootstrapping(
                dialogToken: DialogToken(1), message: .comebackRequest(.init(cookie)), methods: .pinKeypad)
        }
        _ = ask(&machine, request)
        _ = machine.answer(peer.nmi, .comeBack(after: .timeUnits(1024)))
        let tooEarly = returning([1, 2, 3, 4])
        #expect(ask(&machine, tooEarly) == [question])
        let answer = PairingBootstrapping(
            dialogToken: DialogToken(1), message: .comeback(afterTimeUnits: 2048, .init([5, 6, 7, 8])))
        #expect(machine.answer(peer.nmi, .comeBack(after: .timeUnits(2048))) == [.send(answer, to: peer)])
        #expect(ask(&machine, tooEarly) == [.send(answer, to: peer)])
        #expect(ask(&machine, returning([5, 6, 7, 8])) == [question])
    }

    @Test("a crowd of askers is bounded, and the latest is served") func crowd() {
        var machine = machine()
        for number in 0..<200 {
            let asker = ServicePeer(
                nmi: NMI(MACAddress(bits: 0x0200_0000_0000 + UInt64(number))), instance: InstanceID(1),
                peerInstance: InstanceID(1))
            let effects = machine.receive(
                request, from: asker, serviceInfo: [], offered: .pinDisplay,
                now: start.advanced(by: .milliseconds(number)))
            #expect(effects == [.requested(asker, method: .pinDisplay, serviceInfo: [])])
        }
        #expect(machine.answer(NMI(MACAddress(bits: 0x0200_0000_0000)), .accept).isEmpty)
        #expect(machine.answer(NMI(MACAddress(bits: 0x0200_0000_00C7)), .accept).count == 1)
    }
}
