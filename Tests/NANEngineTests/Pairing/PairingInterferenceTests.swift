import Cryptography
import NANEngine
import NANFrames
import Octets
import Testing

@Suite("Pairing, when something comes in between") struct PairingInterferenceTests {
    private func begun() throws -> (PairingPair, [UInt8]) {
        var pair = PairingPair()
        let first = try pair.begin(try PairingPair.password("123456"), try PairingPair.password("123456"))
        return (pair, first)
    }

    @Test("a frame 2 that came, whatever its status says, is not sent a second time when frame 3 comes soon")
    func statusLost() throws {
        var (pair, first) = try begun()
        let second = pair.toBoard(first)
        let token = try #require(second.token)
        #expect(pair.board.handle(.transmitted(token, acknowledged: false)) == [])
        #expect(pair.board.pass(.milliseconds(250)) == [])
        let frame = try #require(second.frames.first)
        let third = try #require(pair.toPhone(frame).frames.first)
        #expect(pair.toBoard(third).authentications.count == 1)
        #expect(pair.board.pass(.seconds(1)) == [])
    }

    @Test("a verification does not break into an exchange of identities, and is welcome after it") func verification()
        throws
    {
        var (pair, first) = try begun()
        try pair.authenticate(first)
        let npk = [UInt8](repeating: 1, count: 32)
        var other = PairingRig(entropy: .seeded(7))
        let begin = other.handle(
            .start(try PairingPair.phoneParameters(try PairingPair.cached(npk, PairingPair.boardIdentity))))
        let frame = try #require(begin.frames.first)
        let refusal = [PairingMachine.Effect.rejected(PairingPair.phone, .mismatch("frame 1"))]
        #expect(pair.toBoard(frame) == refusal)
        let verification = try PairingPair.boardParameters(try PairingPair.cached(npk, PairingPair.phoneIdentity))
        #expect(pair.board.handle(.arm(verification)) == refusal)

        let sent = try #require(pair.phone.pass(.milliseconds(30)).descriptors.first)
        let answer = pair.board.handle(.receivedSharedKey(sent, from: PairingPair.phone))
        #expect(answer.credentials.count == 1)
        #expect(pair.toBoard(frame).requests.count == 1)
        #expect(pair.board.handle(.arm(verification)).frames.count == 1)
    }
}
