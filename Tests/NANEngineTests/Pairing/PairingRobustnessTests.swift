import Cryptography
import Dot11Frames
import NANEngine
import NANFrames
import NANSecurity
import Octets
import Testing

@Suite("Pairing, when frames are lost, late or false") struct PairingRobustnessTests {
    private func authenticated() throws -> (pair: PairingPair, frames: [[UInt8]]) {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        let second = try #require(pair.toBoard(first).frames.first)
        let third = pair.toPhone(second)
        let last = try #require(third.frames.first)
        #expect(pair.toBoard(last).authentications.count == 1)
        let done = pair.phone.handle(.transmitted(try #require(third.token), acknowledged: true))
        #expect(done.authentications.count == 1)
        return (pair, [first, second, last])
    }

    // MARK: Lost

    @Test("frame 1 is repeated after the interval, octet for octet, until time is up") func frameOneLost() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        #expect(pair.phone.pass(.milliseconds(1200) - .nanoseconds(1)) == [])
        #expect(pair.phone.pass(.nanoseconds(1)).frames == [first])
        var repeats = 0
        var failures: [PairingFailure] = []
        for _ in 0..<100 {
            let effects = pair.phone.pass(.milliseconds(100))
            repeats += effects.frames.count
            failures += effects.failures
        }
        #expect(repeats == 7 && failures == [PairingFailure(.timedOut, .authenticating)])
    }

    @Test("frames that are not acknowledged are sent again, but not at once", arguments: 1...3)
    func notAcknowledged(_ number: Int) throws {
        var pair = PairingPair()
        _ = pair.board.handle(.arm(try PairingPair.boardParameters(try PairingPair.password("123456"))))
        var effects = pair.phone.handle(.start(try PairingPair.phoneParameters(try PairingPair.password("123456"))))
        if number > 1 { effects = pair.toBoard(try #require(effects.frames.first)) }
        if number > 2 { effects = pair.toPhone(try #require(effects.frames.first)) }
        let frame = try #require(effects.frames.first)
        let token = try #require(effects.token)
        func sender(_ body: (inout PairingRig) -> [PairingMachine.Effect]) -> [PairingMachine.Effect] {
            number == 2 ? body(&pair.board) : body(&pair.phone)
        }
        // A frame 2 may have come all the same, and hostap gives up when it gets another.
        let pause = Duration.milliseconds(number == 2 ? 300 : 20)
        #expect(sender { $0.handle(.transmitted(token, acknowledged: false)) } == [])
        #expect(sender { $0.pass(pause - .nanoseconds(1)) } == [])
        let again = sender { $0.pass(.nanoseconds(1)) }
        #expect(again.frames == [frame] && again.token != token)
        // The old try's status says nothing any more.
        #expect(sender { $0.handle(.transmitted(token, acknowledged: false)) } == [])
        #expect(sender { $0.pass(.milliseconds(25)) } == [])
    }

    @Test("a radio that refuses every frame ends in a failure and not in a storm") func refusingRadio() throws {
        var pair = PairingPair()
        _ = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        var token: UInt64 = 1
        var frames = 0
        var failures: [PairingFailure] = []
        for _ in 0..<2000 {
            _ = pair.phone.handle(.transmitted(token, acknowledged: false))
            let effects = pair.phone.pass(.milliseconds(20))
            frames += effects.frames.count
            failures += effects.failures
            token = effects.token ?? token
        }
        #expect(frames == 15 && failures == [PairingFailure(.timedOut, .authenticating)])
    }

    @Test("a responder that repeats frame 2 gets frame 3 again") func frameThreeLost() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        let second = try #require(pair.toBoard(first).frames.first)
        let third = pair.toPhone(second)
        let again = pair.toPhone(second)
        #expect(again.frames == third.frames)
        // The first try's acknowledgement is not the last one's.
        let oldStatus = pair.phone.handle(.transmitted(try #require(third.token), acknowledged: true))
        #expect(oldStatus == [])
        let done = pair.phone.handle(.transmitted(try #require(again.token), acknowledged: true))
        #expect(done.authentications.count == 1)
    }

    @Test("the initiator's NIK is repeated until it is answered, and answered each time") func identityLost() throws {
        var (pair, _) = try authenticated()
        let sent = try #require(pair.phone.pass(.milliseconds(30)).descriptors.first)
        // Soon at first, because the peer may be about to have the key, then at longer and longer intervals.
        for milliseconds in [100, 200, 400, 800, 1200, 1200] {
            let interval = Duration.milliseconds(milliseconds)
            #expect(pair.phone.pass(interval - .nanoseconds(1)).descriptors == [])
            #expect(pair.phone.pass(.nanoseconds(1)).descriptors == [sent])
        }
        let answer = pair.board.handle(.receivedSharedKey(sent, from: PairingPair.phone))
        #expect(answer.credentials.count == 1)
        // The answer is lost: the same again, and no second pairing.
        #expect(pair.phone.pass(.milliseconds(1200)).descriptors == [sent])
        let repeated = pair.board.handle(.receivedSharedKey(sent, from: PairingPair.phone))
        #expect(repeated.descriptors == answer.descriptors && repeated.count == 1)
        let reply = try #require(repeated.descriptors.first)
        let end = pair.phone.handle(.receivedSharedKey(reply, from: PairingPair.board))
        #expect(end.credentials.count == 1)
        #expect(pair.phone.handle(.receivedSharedKey(reply, from: PairingPair.board)) == [])
        let later = pair.pass(.seconds(60))
        #expect(later.phone == [] && later.board == [])
    }

    @Test("a pairing without NIKs is rolled back at the deadline, on both sides") func noIdentities() throws {
        var (pair, _) = try authenticated()
        for _ in 0..<9 { #expect(pair.phone.pass(.seconds(1)).failures == []) }
        #expect(pair.phone.pass(.seconds(1) - .nanoseconds(1)).failures == [])
        let failure = PairingFailure(.timedOut, .exchangingIdentities)
        #expect(pair.phone.pass(.nanoseconds(1)) == [.failed(PairingPair.board, failure)])
        #expect(pair.board.pass(.seconds(10) - .nanoseconds(1)) == [])
        #expect(pair.board.pass(.nanoseconds(1)) == [.failed(PairingPair.phone, failure)])
        #expect(pair.phone.machine.nextDeadline == nil && pair.board.machine.nextDeadline == nil)
    }

    @Test("a NIK that comes late, without a lifetime and with other key information, counts") func otherIdentityFrames()
        throws
    {
        var (pair, _) = try authenticated()
        let sent = try #require(pair.phone.pass(.milliseconds(30)).descriptors.first)
        #expect(pair.board.pass(.milliseconds(2600)) == [])
        var other = sent
        other.descriptor.information = KeyInformation(rawValue: 0x12C8)
        let effects = pair.board.handle(.receivedSharedKey(other, from: PairingPair.phone))
        #expect(effects.credentials.count == 1)
        // Something else than what was answered is not answered.
        #expect(
            pair.board.handle(.receivedSharedKey(sent, from: PairingPair.phone))
                == [.rejected(PairingPair.phone, .identityDescriptor)])
    }

    @Test("a follow-up that holds no NIK ends the pairing") func badIdentityFrames() throws {
        let (pair, _) = try authenticated()
        var phone = pair.phone
        let good = try #require(phone.pass(.milliseconds(30)).descriptors.first)
        var plain = good
        plain.descriptor.information = [.pairwise]
        var garbled = good
        garbled.descriptor.keyData[9] ^= 1
        var empty = good
        empty.descriptor.keyData = []
        let expected: [(SharedKeyDescriptor, PairingFailure.Reason)] = [
            (plain, .identityDescriptor), (garbled, .identityKeyData(.unwrapFailed)),
            (empty, .identityKeyData(.unwrapFailed)),
        ]
        for (descriptor, reason) in expected {
            var board = pair.board
            let effects = board.handle(.receivedSharedKey(descriptor, from: PairingPair.phone))
            #expect(effects == [.failed(PairingPair.phone, PairingFailure(reason, .exchangingIdentities))])
        }
    }

    // MARK: Late and out of order

    @Test("repeats of a finished exchange's frames change nothing") func lateFrames() throws {
        var (pair, frames) = try authenticated()
        #expect(pair.toBoard(frames[0]) == [])
        for frame in frames {
            for effects in [pair.toBoard(frame), pair.toPhone(frame)] {
                #expect(effects.frames.isEmpty && effects.authentications.isEmpty && effects.failures.isEmpty)
            }
            #expect(pair.toBoard(frame).requests.isEmpty)
        }
    }

    @Test("frames out of order are rejected") func outOfOrder() throws {
        let (_, frames) = try authenticated()
        var pair = PairingPair()
        #expect(pair.toBoard(frames[1]).rejections == [.mismatch("frame 2")])
        #expect(pair.toBoard(frames[2]).rejections == [.mismatch("frame 3")])
        _ = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        #expect(pair.toBoard(frames[1]).rejections == [.mismatch("frame 2")])
        #expect(pair.toBoard(frames[2]).rejections == [.mismatch("frame 3")])
        #expect(pair.toPhone(frames[0]).rejections == [.mismatch("frame 1")])
        #expect(pair.toPhone(frames[2]).rejections == [.mismatch("frame 3")])
        #expect(pair.toBoard(frames[0]).guesses == 1)
    }

    @Test("results of jobs that nobody waits for any more do nothing") func lateJobs() throws {
        var rig = PairingRig(entropy: .seeded(1))
        let parameters = try PairingPair.boardParameters(try PairingPair.password("123456"))
        let jobs = rig.machine.handle(.arm(parameters), now: rig.now)
        #expect(jobs.count == 2)
        #expect(rig.handle(.abandon(PairingPair.phone)) == [])
        for case .crypto(let job) in jobs { #expect(rig.handle(.crypto(job.run())) == []) }
        #expect(!rig.machine.isBusy(with: PairingPair.phone))
    }

    @Test("frame 1 may come before the responder's numbers are ready") func earlyFrame() throws {
        var pair = PairingPair()
        let start = pair.phone.handle(.start(try PairingPair.phoneParameters(try PairingPair.password("123456"))))
        let first = try #require(start.frames.first)
        let parameters = try PairingPair.boardParameters(try PairingPair.password("123456"))
        let jobs = pair.board.machine.handle(.arm(parameters), now: pair.board.now)
        #expect(pair.toBoard(first) == [])
        #expect(pair.toBoard(first) == [])
        var effects: [PairingMachine.Effect] = []
        for case .crypto(let job) in jobs { effects += pair.board.handle(.crypto(job.run())) }
        #expect(effects.guesses == 1 && effects.frames.count == 1)
    }

    @Test("a responder is ready when the numbers of every suite are there") func ready() throws {
        var pair = PairingPair()
        let both = try PairingPair.password("123456", [.p256, .p384])
        let parameters = try PairingPair.boardParameters(both, [.ncsPKPASN128, .ncsPKPASN256])
        var told: [[PairingMachine.Effect]] = []
        for case .crypto(let job) in pair.board.machine.handle(.arm(parameters), now: pair.board.now) {
            told.append(pair.board.handle(.crypto(job.run())))
        }
        #expect(told == [[], [], [], [.ready(PairingPair.phone)]])
    }

    // MARK: Responders that are not armed

    @Test("frame 1 asks for a responder once, and is replayed to it") func unarmed() throws {
        var pair = PairingPair()
        let start = pair.phone.handle(.start(try PairingPair.phoneParameters(try PairingPair.password("123456"))))
        let first = try #require(start.frames.first)
        #expect(pair.toBoard(first) == [.needsResponder(PairingPair.phone, .setup(.sae, .ncsPKPASN128))])
        #expect(pair.toBoard(first) == [])
        let armed = pair.board.handle(.arm(try PairingPair.boardParameters(try PairingPair.password("123456"))))
        #expect(armed.guesses == 1)
        let third = pair.toPhone(try #require(armed.frames.first))
        let pairedCount = pair.toBoard(try #require(third.frames.first)).authentications.count
        #expect(pairedCount == 1)
    }

    @Test("a verification says with whom, and may be refused") func unknownVerification() throws {
        var pair = PairingPair()
        let start = pair.phone.handle(
            .start(
                try PairingPair.phoneParameters(
                    try PairingPair.cached([UInt8](repeating: 1, count: 32), PairingPair.boardIdentity))))
        let effects = pair.toBoard(try #require(start.frames.first))
        guard case .verification(let identity, .sae, .ncsPKPASN128)? = effects.requests.first else {
            Issue.record("no verification: \(effects)")
            return
        }
        let key = try #require(IdentityKey(PairingPair.phoneIdentity))
        #expect(key.verifies(tag: identity.tag, for: PairingPair.phone, nonce: identity.nonce))
        let refusal = pair.board.handle(.refuse(try PairingPair.boardParameters(.opportunistic)))
        #expect(refusal.count == 1)
        let told = pair.toPhone(try #require(refusal.frames.first))
        #expect(told.failures == [PairingFailure(.aborted(.unspecifiedFailure), .authenticating)])
        let secondRefusal = pair.board.handle(.refuse(try PairingPair.boardParameters(.opportunistic)))
        #expect(secondRefusal == [])
    }

    @Test("a device armed for a PIN may ask for verification instead, and the PIN stays good") func otherwise() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        var other = PairingRig(entropy: .seeded(7))
        let verification = other.handle(
            .start(
                try PairingPair.phoneParameters(
                    try PairingPair.cached([UInt8](repeating: 1, count: 32), PairingPair.boardIdentity))))
        let requestCount = pair.toBoard(try #require(verification.frames.first)).requests.count
        #expect(requestCount == 1)
        #expect(pair.toBoard(first).guesses == 1)
    }

    @Test("a device that verifies again, having started over, is taken up again") func verifiesAgain() throws {
        let npk = [UInt8](repeating: 1, count: 32)
        var pair = PairingPair()
        let board = try PairingPair.boardParameters(try PairingPair.cached(npk, PairingPair.phoneIdentity))
        let phone = try PairingPair.phoneParameters(try PairingPair.cached(npk, PairingPair.boardIdentity))
        _ = pair.board.handle(.arm(board))
        let lost = try #require(pair.phone.handle(.start(phone)).frames.first)
        #expect(pair.toBoard(lost).frames.count == 1)
        let anew = try #require(pair.phone.handle(.start(phone)).frames.first)
        #expect(anew != lost && pair.toBoard(anew).requests.count == 1)
        let second = try #require(pair.board.handle(.arm(board)).frames.first)
        let third = try #require(pair.toPhone(second).frames.first)
        #expect(pair.toBoard(third).authentications.count == 1)
    }

    @Test("a kept frame 1 is forgotten in time") func stale() throws {
        var pair = PairingPair()
        let start = pair.phone.handle(.start(try PairingPair.phoneParameters(.opportunistic)))
        let first = try #require(start.frames.first)
        _ = pair.toBoard(first)
        #expect(pair.board.pass(.seconds(10)) == [])
        let armed = pair.board.handle(.arm(try PairingPair.boardParameters(.opportunistic)))
        #expect(armed == [.ready(PairingPair.phone)])
    }

    @Test("frames from a thousand addresses, and sessions for twenty, stay within their bounds") func flood() throws {
        var pair = PairingPair()
        let start = pair.phone.handle(.start(try PairingPair.phoneParameters(try PairingPair.password("123456"))))
        let first = try #require(start.frames.first)
        for index in UInt64(0)..<1000 {
            let effects = pair.board.handle(.received(first, from: NMI(MACAddress(bits: 0x0200_0000_0000 + index))))
            #expect(effects.requests.count == 1)
        }
        // The newest sixteen are still there, everybody else's was let go.
        let password = try PairingPair.password("123456")
        var replayed = 0
        for index in (UInt64(0)..<1000).reversed() {
            var parameters = try PairingPair.boardParameters(password)
            parameters.peer = NMI(MACAddress(bits: 0x0200_0000_0000 + index))
            let effects = pair.board.handle(.arm(parameters))
            replayed += effects.guesses
            if effects.failures.isEmpty { _ = pair.board.handle(.abandon(parameters.peer)) }
        }
        #expect(replayed == PairingMachine.pendingLimit)
        for index in UInt64(0)..<20 {
            var parameters = try PairingPair.boardParameters(.opportunistic)
            parameters.peer = NMI(MACAddress(bits: 0x0300_0000_0000 + index))
            let failures = pair.board.handle(.arm(parameters)).failures
            #expect((failures == [PairingFailure(.tooManySessions, .preparing)]) == (index >= 16))
        }
        #expect(pair.board.handle(.reset) == [] && pair.board.machine.nextDeadline == nil)
    }

    @Test("changed octets never trap, and pair nobody", arguments: 1...3) func mutations(
        _ number: Int
    ) throws {
        let (_, frames) = try authenticated()
        var entropy = Entropy.seeded(UInt64(number))
        var fresh = PairingPair()
        let begun = try fresh.begin(.opportunistic, .opportunistic)
        if number > 1 { _ = fresh.toBoard(begun) }
        for _ in 0..<3000 {
            var octets = frames[number - 1]
            for _ in 0..<Int.random(in: 1...8, using: &entropy) {
                octets[Int.random(in: 0..<octets.count, using: &entropy)] = .random(in: .min ... .max, using: &entropy)
            }
            if Bool.random(using: &entropy) { octets.removeLast(Int.random(in: 0..<octets.count, using: &entropy)) }
            #expect(fresh.board.handle(.received(octets, from: PairingPair.phone)).authentications.isEmpty)
            #expect(fresh.phone.handle(.received(octets, from: PairingPair.board)).authentications.isEmpty)
        }
    }

    @Test("no key and no PIN reaches text") func redaction() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("739182"), try PairingPair.password("739182"))
        var text = ""
        var effects = pair.toBoard(first)
        effects += pair.toPhone(try #require(effects.frames.first))
        let third = try #require(effects.frames.last)
        effects += pair.toBoard(third)
        effects += pair.phone.handle(.transmitted(try #require(effects.token), acknowledged: true))
        let sent = pair.phone.pass(.milliseconds(30))
        effects += pair.board.handle(.receivedSharedKey(try #require(sent.descriptors.first), from: PairingPair.phone))
        #expect(effects.credentials.count == 1)
        for effect in effects {
            // What is sent is no secret.
            if case .transmit = effect { continue }
            if case .sendSharedKey = effect { continue }
            text += "\(effect)"
            dump(effect, to: &text)
        }
        text += "\(try PairingPair.boardParameters(try PairingPair.password("739182")))"
        for octets in [PairingPair.phoneIdentity, PairingPair.boardIdentity] {
            octets.withOctets { octets in
                let array = Array(octets)
                #expect(!text.contains(array.hex) && !text.contains("\(array)"))
                #expect(!text.contains(array.map { "- \($0)" }.joined(separator: "\n")))
            }
        }
        #expect(!text.contains("739182"))
    }
}
