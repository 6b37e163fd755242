package import Cryptography
package import Dot11Frames
package import NANSecurity
package import Octets

/// Why a pairing or verification came to nothing.
package struct PairingFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Reason: Error, Equatable, Sendable {
        case malformed(WireError)
        /// An element or attribute that has to be there is not.
        case incomplete(String)
        /// The named field is not what was agreed on or is known.
        case mismatch(String)
        case unsupportedGroup
        /// The peer sent a frame with this status.
        case aborted(StatusCode)
        /// A confirm, MIC or tag is not right: another PIN, another NPK, or somebody in between.
        case wrongSecret
        /// The peer's scalar, element or public key is no good.
        case invalidNumbers(SAEFailure)
        case identityKeyData(KeyData.Failure)
        /// The peer's follow-up with its NIK is none.
        case identityDescriptor
        /// The peer keeps no NIK and no NPK: it could never be verified.
        case noCaching
        case timedOut
        /// As many sessions as there may be at once.
        case tooManySessions
        /// None of the suites can be used with what there is.
        case noSuite
        case crypto(CryptoError)
    }

    package enum Phase: String, Equatable, Sendable {
        /// No frame of the peer has come yet.
        case preparing
        case authenticating
        /// PASN has succeeded; the keys are in use.
        case exchangingIdentities
    }

    package enum Fault: Equatable, Sendable {
        case peer
        case ours
        /// Either side's, or the air's.
        case unknown
    }

    package let reason: Reason
    package let phase: Phase

    package init(_ reason: Reason, _ phase: Phase) {
        self.reason = reason
        self.phase = phase
    }

    package var fault: Fault {
        switch reason {
        case .malformed, .incomplete, .mismatch, .unsupportedGroup, .aborted, .invalidNumbers, .identityKeyData,
            .identityDescriptor, .noCaching:
            .peer
        case .wrongSecret, .timedOut: .unknown
        case .tooManySessions, .noSuite, .crypto: .ours
        }
    }

    /// For people: what went wrong, and when, unless it was as usual.
    package var description: String {
        switch phase {
        case .preparing: "\(reason), before the first frame"
        case .authenticating: "\(reason)"
        case .exchangingIdentities where reason == .noCaching: "\(reason)"  // there was no exchange
        case .exchangingIdentities: "\(reason), while identities were exchanged"
        }
    }
}

extension PairingFailure.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let error): "a malformed frame (\(error.key))"
        case .incomplete(let what): "a frame without \(what)"
        case .mismatch(let what): "another \(what) than was agreed on"
        case .unsupportedGroup: "a group of elliptic curves that is not offered"
        case .aborted(let status): "the other side refused (status \(status.rawValue))"
        case .wrongSecret: "wrong PIN or key, or somebody in between"
        case .invalidNumbers: "numbers that nobody may send in this exchange"
        case .identityKeyData: "an identity that cannot be read"
        case .identityDescriptor: "no identity came"
        case .noCaching: "the other side keeps no pairings"
        case .timedOut: "timed out"
        case .tooManySessions: "too many pairings at once"
        case .noSuite: "no cipher suite in common"
        case .crypto(let error): "cryptography failed: \(error)"
        }
    }
}

extension PairingFailure.Reason {
    /// Names the cause for a counter, without anything the peer chose.
    package var key: String {
        switch self {
        case .malformed: "PASN/malformed"
        case .incomplete(let what): "PASN/no \(what)"
        case .mismatch(let what): "PASN/\(what)"
        case .unsupportedGroup: "PASN/group"
        case .aborted: "PASN/aborted"
        case .wrongSecret: "PASN/wrong secret"
        case .invalidNumbers(let failure): "SAE/\(failure)"
        case .identityKeyData: "NIK/key data"
        case .identityDescriptor, .noCaching: "NIK/descriptor"
        case .timedOut: "PASN/timed out"
        case .tooManySessions: "PASN/too many sessions"
        case .noSuite: "PASN/no suite"
        case .crypto: "PASN/crypto"
        }
    }
}
