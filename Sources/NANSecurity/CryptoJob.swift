package import Cryptography
package import NANFrames

/// Finds the asker of a `CryptoJob` when its result comes back.
package struct CryptoJobID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
    /// Set in the numbers that a root machine gives its own jobs; the engine counts from 1.
    package static let ownerBit: UInt64 = 1 << 63
    package var description: String { "job \(rawValue)" }
}

/// Elliptic-curve work as a value: too slow for the thread that receives frames, and nothing but a function.
///
/// All that is random comes in with it.
package struct CryptoJob: Equatable, Sendable {
    package enum Work: Equatable, Sendable {
        /// The password element of a PIN or passphrase.
        case passwordElement(password: SecretKey, EllipticCurveGroup)
        /// An SAE commit; `random` and `mask` are in 2…r-1.
        case commit(PasswordElement, own: NMI, peer: NMI, random: SecretKey, mask: SecretKey)
        /// The public key of an ephemeral private one in 2…r-1.
        case publicKey(privateKey: SecretKey, EllipticCurveGroup)
        /// SAE's keys, from the own commit and the peer's numbers as received.
        case agreeSAE(SAECommitment, peer: PublicCommit)
        /// The ephemeral keys' shared secret; the peer's key is compressed or uncompressed, as received.
        case agreeKeys(privateKey: SecretKey, peerPublicKey: [UInt8], EllipticCurveGroup)
    }

    package let id: CryptoJobID
    package let work: Work

    package init(id: CryptoJobID, work: Work) {
        self.id = id
        self.work = work
    }

    /// Does the work, for milliseconds to tens of milliseconds; on any thread.
    package func run() -> CryptoResult {
        CryptoResult(id: id, outcome: outcome())
    }

    private func outcome() -> CryptoResult.Outcome {
        do throws(CryptoError) {
            switch work {
            case .passwordElement(let password, let group):
                return .passwordElement(try PasswordElement(password: password, group: group))
            case .commit(let password, let own, let peer, let random, let mask):
                return .commit(try SAECommitment(password, own: own, peer: peer, random: random, mask: mask))
            case .publicKey(let privateKey, let group):
                return .publicKey(try EllipticCurve(group).publicKey(of: privateKey))
            case .agreeSAE(let commit, let peer):
                do throws(SAEFailure) {
                    return .agreedSAE(try commit.agree(peerScalar: peer.scalar, peerElement: peer.element))
                } catch {
                    return .refusedPeer(error)
                }
            case .agreeKeys(let privateKey, let peerPublicKey, let group):
                let curve = try EllipticCurve(group)
                do throws(CryptoError) {
                    return .agreedKeys(
                        sharedSecret: try curve.multiply(privateKey, curve.decode(publicKey: peerPublicKey)).x)
                } catch {
                    return .refusedPeer(.invalidElement)
                }
            }
        } catch {
            return .failed(error)
        }
    }
}

/// The answer to a `CryptoJob`.
package struct CryptoResult: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case passwordElement(PasswordElement)
        case commit(SAECommitment)
        case publicKey(EllipticCurvePoint)
        case agreedSAE(SAEKeys)
        case agreedKeys(sharedSecret: SecretKey)
        /// The peer's numbers are no good: its fault.
        case refusedPeer(SAEFailure)
        /// Out of memory, or random numbers that cannot be used: ours.
        case failed(CryptoError)
    }

    package let id: CryptoJobID
    package let outcome: Outcome

    package init(id: CryptoJobID, outcome: Outcome) {
        self.id = id
        self.outcome = outcome
    }
}
