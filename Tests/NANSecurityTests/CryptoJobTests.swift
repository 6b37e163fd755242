import Cryptography
import NANFrames
import NANSecurity
import Octets
import Testing

@Suite("Crypto jobs") struct CryptoJobTests {
    private let a = NMI(MACAddress(bits: 0x02AA_AAAA_AAAA))
    private let b = NMI(MACAddress(bits: 0x02BB_BBBB_BBBB))

    private func run(_ work: CryptoJob.Work) -> CryptoResult.Outcome {
        CryptoJob(id: CryptoJobID(7), work: work).run().outcome
    }

    @Test("a result carries its job's number") func identity() {
        let job = CryptoJob(
            id: CryptoJobID(42),
            work: .publicKey(privateKey: SecretKey(copying: [UInt8](repeating: 3, count: 32)), .p256))
        #expect(job.run().id == CryptoJobID(42))
    }

    @Test("five jobs make an SAE exchange and an ephemeral one", arguments: EllipticCurveGroup.allCases)
    func exchange(_ group: EllipticCurveGroup) throws {
        var entropy = Entropy.seeded(9)
        let password = SecretKey(copying: Array("123456".utf8))
        guard case .passwordElement(let element) = run(.passwordElement(password: password, group)) else {
            Issue.record("no password element")
            return
        }
        var commits: [SAECommitment] = []
        for (own, peer) in [(a, b), (b, a)] {
            let work = CryptoJob.Work.commit(
                element, own: own, peer: peer, random: group.drawScalar(from: &entropy),
                mask: group.drawScalar(from: &entropy))
            guard case .commit(let commit) = run(work) else {
                Issue.record("no commit")
                return
            }
            commits.append(commit)
        }
        let one = run(.agreeSAE(commits[0], peer: PublicCommit(commits[1])))
        let other = run(.agreeSAE(commits[1], peer: PublicCommit(commits[0])))
        #expect(one == other)
        #expect(run(.agreeSAE(commits[0], peer: PublicCommit(commits[0]))) == .refusedPeer(.reflected))

        let keys = [group.drawScalar(from: &entropy), group.drawScalar(from: &entropy)]
        let publics = keys.map { key in
            guard case .publicKey(let point) = run(.publicKey(privateKey: key, group)) else { return [UInt8]() }
            return point.compressedIgnoringParity
        }
        let shared = run(.agreeKeys(privateKey: keys[0], peerPublicKey: publics[1], group))
        #expect(shared == run(.agreeKeys(privateKey: keys[1], peerPublicKey: publics[0], group)))
        for bad in [[], [2], [UInt8](repeating: 4, count: 1 + 2 * group.coordinateLength)] {
            #expect(run(.agreeKeys(privateKey: keys[0], peerPublicKey: bad, group)) == .refusedPeer(.invalidElement))
        }
    }

    @Test("numbers we drew badly are our own failure") func badNumbers() {
        let zero = SecretKey(count: 32) { _ in }
        #expect(run(.publicKey(privateKey: zero, .p256)) == .failed(.scalarOutOfRange))
    }
}
