import Cryptography
import Dot11Frames
import NANEngine
import NANFrames
import NANSecurity
import Octets
import Testing

@Suite("Pairing, whole") struct PairingMachineTests {
    /// Both follow-ups, up to both credentials.
    private func exchangeIdentities(_ pair: inout PairingPair) throws -> (PairingCredential, PairingCredential) {
        let (sent, _) = pair.pass(.milliseconds(30))
        let first = try #require(sent.descriptors.first)
        let answered = pair.board.handle(.receivedSharedKey(first, from: PairingPair.phone))
        let board = try #require(answered.credentials.first)
        let answer = try #require(answered.descriptors.first)
        let ended = pair.phone.handle(.receivedSharedKey(answer, from: PairingPair.board))
        return (try #require(ended.credentials.first), board)
    }

    @Test(
        "a PIN pairs with either suite, also when the responder offers both",
        arguments: [
            CipherSuiteID.ncsPKPASN128, .ncsPKPASN256,
        ])
    func password(_ suite: CipherSuiteID) throws {
        var pair = PairingPair()
        let both = try PairingPair.password("123456", [.p256, .p384])
        _ = pair.board.handle(.arm(try PairingPair.boardParameters(both, [.ncsPKPASN128, .ncsPKPASN256])))
        let start = pair.phone.handle(.start(try PairingPair.phoneParameters(both, [suite])))
        try pair.authenticate(try #require(start.frames.first))
        let (phone, board) = try exchangeIdentities(&pair)
        #expect(phone.npk == board.npk && phone.cipherSuite == suite && board.cipherSuite == suite)
        #expect(phone.peerNIK == PairingPair.boardIdentity && board.peerNIK == PairingPair.phoneIdentity)
    }

    @Test("without a secret both sides pair too, with SHA-384 and a MIC of 24 octets in the longer suite")
    func opportunistic() throws {
        var pair = PairingPair()
        try pair.authenticate(try pair.begin(.opportunistic, .opportunistic, [.ncsPKPASN256]))
        let (phone, board) = try exchangeIdentities(&pair)
        #expect(phone.npk == board.npk && phone.akm == .opportunistic)
    }

    @Test("a cached NPK verifies without another exchange of identities") func verification() throws {
        let npk = [UInt8](repeating: 9, count: 32)
        for akm in PairingAKM.allCases {
            var pair = PairingPair()
            let first = try pair.begin(
                try PairingPair.cached(npk, PairingPair.boardIdentity, akm),
                try PairingPair.cached(npk, PairingPair.phoneIdentity, akm))
            try pair.authenticate(first)
            #expect(!pair.phone.machine.isBusy(with: PairingPair.board))
            let later = pair.pass(.seconds(60))
            #expect(later.phone == [] && later.board == [])
        }
    }

    @Test("a setup between two of which one keeps no pairings fails on both sides", arguments: [true, false])
    func noCaching(_ isPhone: Bool) throws {
        var pair = PairingPair()
        var board = try PairingPair.boardParameters(.opportunistic)
        var phone = try PairingPair.phoneParameters(.opportunistic)
        let none = DeviceCapabilityExtension(pairing: [.setupEnabled])
        if isPhone { phone.capabilityExtension = none } else { board.capabilityExtension = none }
        _ = pair.board.handle(.arm(board))
        let first = try #require(pair.phone.handle(.start(phone)).frames.first)
        let second = try #require(pair.toBoard(first).frames.first)
        let third = pair.toPhone(second)
        let boardEnd = pair.toBoard(try #require(third.frames.first))
        let phoneEnd = pair.phone.handle(.transmitted(try #require(third.token), acknowledged: true))
        let failure = PairingFailure(.noCaching, .exchangingIdentities)
        #expect("\(failure)" == "the other side keeps no pairings")
        #expect(boardEnd.authentications.map(\.exchangesIdentities) == [false])
        #expect(phoneEnd.authentications.map(\.exchangesIdentities) == [false])
        #expect(boardEnd.last == .failed(PairingPair.phone, failure) && boardEnd.count == 2)
        #expect(phoneEnd.last == .failed(PairingPair.board, failure) && phoneEnd.count == 2)
        #expect(pair.board.machine.nextDeadline == nil && pair.phone.machine.nextDeadline == nil)
    }

    // MARK: Wrong secrets

    @Test("another PIN fails on both sides, after one guess") func wrongPIN() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123457"))
        let second = pair.toBoard(first)
        #expect(second.guesses == 1)
        let end = pair.toPhone(try #require(second.frames.first))
        #expect(end.failures == [PairingFailure(.wrongSecret, .authenticating)])
        let board = pair.toBoard(try #require(end.frames.first))
        #expect(board.failures == [PairingFailure(.aborted(.unspecifiedFailure), .authenticating)])
        #expect(!pair.board.machine.isBusy(with: PairingPair.phone))
    }

    @Test("another NPK fails the initiator, a stranger's NIK the responder") func wrongPairing() throws {
        var pair = PairingPair()
        let mine = try PairingPair.cached([UInt8](repeating: 1, count: 32), PairingPair.boardIdentity)
        let first = try pair.begin(
            mine, try PairingPair.cached([UInt8](repeating: 2, count: 32), PairingPair.phoneIdentity))
        let second = pair.toBoard(first)
        #expect(second.guesses == 0)
        let end = pair.toPhone(try #require(second.frames.first))
        #expect(end.failures == [PairingFailure(.wrongSecret, .authenticating)])

        var other = PairingPair()
        let frame = try other.begin(
            mine, try PairingPair.cached([UInt8](repeating: 1, count: 32), SecretKey(copying: Array(0..<16))))
        let refused = other.toBoard(frame)
        #expect(refused.rejections == [.wrongSecret])
        #expect("\(PairingFailure(.wrongSecret, .authenticating))" == "wrong PIN or key, or somebody in between")
        let refusal = PairingFailure(.aborted(.unspecifiedFailure), .exchangingIdentities)
        #expect("\(refusal)" == "the other side refused (status 1), while identities were exchanged")
        #expect(other.board.machine.isBusy(with: PairingPair.phone))
        let told = other.toPhone(try #require(refused.frames.first))
        #expect(told.failures == [PairingFailure(.aborted(.unspecifiedFailure), .authenticating)])
    }

    @Test("who has the NPK but another identity is refused") func otherIdentity() throws {
        var pair = PairingPair()
        let npk = [UInt8](repeating: 1, count: 32)
        var board = try PairingPair.boardParameters(try PairingPair.cached(npk, PairingPair.phoneIdentity))
        board.identity = try #require(IdentityKey(SecretKey(copying: Array(0..<16))))
        _ = pair.board.handle(.arm(board))
        let start = pair.phone.handle(
            .start(try PairingPair.phoneParameters(try PairingPair.cached(npk, PairingPair.boardIdentity))))
        let second = pair.toBoard(try #require(start.frames.first))
        let end = pair.toPhone(try #require(second.frames.first))
        #expect(end.failures == [PairingFailure(.wrongSecret, .authenticating)])
    }

    // MARK: Guesses

    @Test("a repeated frame 1 gets the same frame 2 and costs nothing") func repeated() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        let second = pair.toBoard(first)
        let jobs = pair.board.jobCount
        for _ in 0..<5 {
            let again = pair.toBoard(first)
            #expect(again.frames == second.frames && again.guesses == 0 && again.count == 1)
        }
        #expect(pair.board.jobCount == jobs)
        let third = pair.toPhone(try #require(second.frames.first))
        let pairedCount = pair.toBoard(try #require(third.frames.first)).authentications.count
        #expect(pairedCount == 1)
    }

    @Test("answers to repeats are bounded") func repeatedForEver() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        let frames = (0..<1000).reduce(0) { count, _ in count + pair.toBoard(first).frames.count }
        #expect(frames == 16)
    }

    @Test("another commit against the same PIN is not answered, and does not disturb the first") func secondGuess()
        throws
    {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        let second = pair.toBoard(first)
        for seed in UInt64(2)..<6 {
            var attacker = PairingRig(entropy: .seeded(seed))
            let guess = attacker.handle(.start(try PairingPair.phoneParameters(try PairingPair.password("111111"))))
            let jobs = pair.board.jobCount
            let effects = pair.toBoard(try #require(guess.frames.first))
            #expect(effects.frames.isEmpty && effects.guesses == 0 && effects.rejections.count == 1)
            #expect(pair.board.jobCount == jobs)
        }
        let third = pair.toPhone(try #require(second.frames.first))
        let pairedCount = pair.toBoard(try #require(third.frames.first)).authentications.count
        #expect(pairedCount == 1)
    }

    @Test("one who stops after frame 2 has used the PIN up") func stopsAfterSecond() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        #expect(pair.toBoard(first).guesses == 1)
        #expect(pair.board.pass(.seconds(10) - .nanoseconds(1)) == [])
        #expect(pair.board.pass(.nanoseconds(1)).failures == [PairingFailure(.timedOut, .authenticating)])
        // Nothing is armed any more: the owner is asked, and decides with a new PIN.
        #expect(pair.toBoard(first).requests == [.setup(.sae, .ncsPKPASN128)])
    }

    @Test("an armed responder waits for as long as its owner likes") func patience() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        #expect(pair.board.machine.nextDeadline == nil)
        #expect(pair.board.pass(.seconds(600)) == [])
        #expect(pair.toBoard(first).frames.count == 1)
    }

    // MARK: Numbers that are none

    @Test("our own commit sent back is refused") func reflection() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        var reader = ByteReader(first)
        let decoded = try AuthenticationBody(from: &reader)
        let commit = try #require(decoded.wrappedData)
        let second = try #require(pair.toBoard(first).frames.first)
        let reflected = try changed(second) { body in
            var reader = ByteReader(try #require(body.wrappedData))
            let confirm = try SAECommitAndConfirm(from: &reader).confirm
            var own = ByteReader(commit)
            let wrapped = SAECommitAndConfirm(commit: try SAECommit(from: &own), confirm: confirm).encoded
            body.replace(.wrappedData, with: Element(.wrappedData, wrapped))
        }
        let effects = pair.toPhone(reflected)
        #expect(effects.failures == [PairingFailure(.invalidNumbers(.reflected), .authenticating)])
    }

    @Test("a commit off the curve is not answered, and is no guess") func offCurve() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        let effects = pair.toBoard(try changed(first) { $0.flip(.wrappedData, at: -1) })
        #expect(effects.failures == [PairingFailure(.invalidNumbers(.invalidElement), .authenticating)])
        #expect(effects.guesses == 0)
        let reply = try #require(effects.frames.first)
        var reader = ByteReader(reply)
        let status = try AuthenticationBody(from: &reader).status
        #expect(status == .unspecifiedFailure)
    }

    @Test("an ephemeral key that is no point is refused") func badEphemeralKey() throws {
        var pair = PairingPair()
        let first = try pair.begin(.opportunistic, .opportunistic)
        let effects = pair.toBoard(
            try changed(first) { body in
                let key = PASNParameters.PublicKey(group: .p256, point: [2] + [UInt8](repeating: 0xFF, count: 32))
                body.replace(
                    .pasnParameters, with: PASNParameters(wrappedDataFormat: .none, publicKey: key).element)
            })
        #expect(effects.failures == [PairingFailure(.invalidNumbers(.invalidElement), .authenticating)])
    }

    @Test("another group is refused with status 77, nothing is computed, and the right one still works") func badGroup()
        throws
    {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        let jobs = pair.board.jobCount
        let effects = pair.toBoard(
            try changed(first) { body in
                let key = PASNParameters.PublicKey(
                    group: FiniteCyclicGroup(rawValue: 21), point: [2] + [UInt8](repeating: 1, count: 66))
                body.replace(.pasnParameters, with: PASNParameters(wrappedDataFormat: .sae, publicKey: key).element)
            })
        #expect(effects.rejections == [.unsupportedGroup] && effects.guesses == 0)
        #expect(pair.board.jobCount == jobs)
        var phone = pair.phone
        let told = phone.handle(.received(try #require(effects.frames.first), from: PairingPair.board))
        #expect(told.failures == [PairingFailure(.unsupportedGroup, .authenticating)])
        #expect(pair.toBoard(first).guesses == 1)
    }

    @Test("a suite, cipher or AKM that was not armed is refused") func otherSuite() throws {
        var pair = PairingPair()
        let both = try PairingPair.password("123456", [.p256, .p384])
        _ = pair.board.handle(.arm(try PairingPair.boardParameters(both, [.ncsPKPASN128])))
        let long = pair.phone.handle(.start(try PairingPair.phoneParameters(both, [.ncsPKPASN256])))
        let longerSuite = pair.toBoard(try #require(long.frames.first)).rejections
        #expect(longerSuite == [.mismatch("cipher suite")])
        let open = pair.phone.handle(.start(try PairingPair.phoneParameters(.opportunistic)))
        let withoutSecret = pair.toBoard(try #require(open.frames.first)).rejections
        #expect(withoutSecret == [.mismatch("AKM")])
        let right = pair.phone.handle(.start(try PairingPair.phoneParameters(both, [.ncsPKPASN128])))
        let frame = try #require(right.frames.first)
        let otherCipher = try changed(frame) {
            $0.replace(.rsn, with: RSNE(pairwiseCipher: .gcmp256, akm: .sae).element)
        }
        #expect(pair.toBoard(otherCipher).rejections == [.mismatch("pairwise cipher")])
        #expect(pair.toBoard(frame).guesses == 1)
    }

    @Test("a frame 3 that is not right changes nothing, the right one after it counts") func badThird() throws {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        let second = try #require(pair.toBoard(first).frames.first)
        let third = try #require(pair.toPhone(second).frames.first)
        for element in [ElementID.mic, .wrappedData] {
            let flipped = pair.toBoard(try changed(third) { $0.flip(element, at: -1) }).rejections
            #expect(flipped == [.wrongSecret])
        }
        let shortened = pair.toBoard(try changed(third) { $0.elements.removeLast() }).rejections
        #expect(shortened == [.incomplete("MIC")])
        #expect(pair.toBoard(third).authentications.count == 1)
    }

    // MARK: What other implementations send

    @Test("stale PMKID, RSNXE of one octet and an uncompressed key are accepted") func variants() throws {
        let curve = try EllipticCurve(.p256)
        let variants: [(String, (inout AuthenticationBody) throws -> Void)] = [
            (
                "stale PMKID",
                {
                    $0.replace(
                        .rsn,
                        with: RSNE(pairwiseCipher: .ccmp128, akm: .sae, pmkid: [UInt8](repeating: 7, count: 16)).element
                    )
                }
            ),
            ("RSNXE of one octet", { $0.replace(.rsnx, with: RSNXE([0x20]).element) }),
            (
                "uncompressed key",
                { body in
                    let parameters = try body.pasnParameters()
                    let key = try #require(parameters.flatMap(\.publicKey))
                    let point = [4] + (try curve.decode(publicKey: key.point)).publicCoordinates
                    body.replace(
                        .pasnParameters,
                        with: PASNParameters(wrappedDataFormat: .sae, publicKey: .init(group: .p256, point: point))
                            .element)
                }
            ),
        ]
        for (name, variant) in variants {
            var pair = PairingPair()
            let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
            let effects = pair.toBoard(try changed(first, variant))
            #expect(effects.guesses == 1 && effects.frames.count == 1, "\(name)")
        }
    }
}
