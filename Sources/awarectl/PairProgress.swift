import Varlink

/// How a pairing goes on, in sentences: what changed from one snapshot to the next.
///
/// A guess is counted when it is answered, and taken back when it was right; so whether it was wrong is known only once
/// the attempt is over.
struct PairProgress {
    private var attempt: Control.Attempt
    /// Failures said so far, or from before.
    private var failures: Int

    init(_ pairing: Control.Pairing) {
        attempt = pairing.attempt
        failures = pairing.settledFailures
    }

    /// - Parameter isPaired: the attempt has ended well.
    mutating func take(_ pairing: Control.Pairing, isPaired: Bool) -> [String] {
        var lines: [String] = []
        let hasEnded = pairing.attempt != .verifying && (attempt == .verifying || pairing.failedAttempts > failures)
        if hasEnded, !isPaired {
            let count = pairing.failedAttempts
            let wait = pairing.nextAttemptInMilliseconds.map {
                "; the next one in \(Rendering.remainder(milliseconds: $0))"
            }
            let counted = count > 0 ? " (\(Rendering.count(count, "failed attempt")))" : ""
            lines.append("That did not work\(counted)\(wait ?? "").")
        }
        if pairing.attempt != attempt {
            switch pairing.attempt {
            case .none: break
            case .requested: lines.append("A phone asks to pair.")
            case .pinShown: lines.append("Type the PIN from the accessory's display on the phone.")
            case .verifying: lines.append("The PIN is being checked.")
            }
        }
        attempt = pairing.attempt
        failures = pairing.settledFailures
        return lines
    }
}

extension Control.Pairing {
    /// Failed attempts, without the guess that is being checked.
    var settledFailures: Int { attempt == .verifying ? max(0, failedAttempts - 1) : failedAttempts }

    /// Locked, and the guess that made it so was wrong.
    var isLockedForGood: Bool { isLockedOut && attempt != .verifying }
}
