internal import Cryptography
internal import NANSecurity
internal import Octets

/// Ephemeral key pairs of the next verifications, one for each curve, computed while nothing else is under way.
///
/// A verification begins without a warning: what its responder computes first, its peer waits for. Each pair is used
/// once.
struct SpareKeys: Sendable {
    struct Pair: Sendable {
        let privateKey: SecretKey
        let publicKey: EllipticCurvePoint
    }

    private enum Spare {
        case computing(CryptoJobID, SecretKey)
        case ready(Pair)
    }

    private var groups: [EllipticCurveGroup] = []
    private var spares: [EllipticCurveGroup: Spare] = [:]
    private let source: Entropy
    /// A stream of its own, from when it is needed on.
    private var entropy: Entropy?

    init(_ source: Entropy) { self.source = source }

    /// Keeps keys for these curves from now on.
    mutating func keep(_ groups: Set<EllipticCurveGroup>) {
        self.groups = groups.sorted { $0.rawValue < $1.rawValue }
        spares = spares.filter { groups.contains($0.key) }
    }

    /// The work that is missing.
    mutating func restock(_ numbers: inout PairingNumbers) -> [CryptoJob] {
        let missing = groups.filter { spares[$0] == nil }
        guard !missing.isEmpty else { return [] }
        var entropy = self.entropy ?? source.fork(label: "spare")
        defer { self.entropy = entropy }
        return missing.map { group in
            let key = group.drawScalar(from: &entropy)
            let id = numbers.job()
            spares[group] = .computing(id, key)
            return CryptoJob(id: id, work: .publicKey(privateKey: key, group))
        }
    }

    /// The pair for this curve, which is nobody else's from now on; nil when it is not there yet.
    mutating func take(_ group: EllipticCurveGroup) -> Pair? {
        guard case .ready(let pair)? = spares[group] else { return nil }
        spares[group] = nil
        return pair
    }

    /// Takes a result that was asked for here.
    ///
    /// - Returns: false for somebody else's.
    mutating func receive(_ result: CryptoResult) -> Bool {
        for (group, spare) in spares {
            guard case .computing(result.id, let privateKey) = spare else { continue }
            if case .publicKey(let point) = result.outcome {
                spares[group] = .ready(Pair(privateKey: privateKey, publicKey: point))
            } else {
                // What fails once is not tried for ever; a verification that finds no key asks for its own.
                groups.removeAll { $0 == group }
                spares[group] = nil
            }
            return true
        }
        return false
    }
}
