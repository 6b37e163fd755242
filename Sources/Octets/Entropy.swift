/// Where random numbers come from: a value, so a run can be repeated.
///
/// Production passes `.kernel`. Tests and the simulated medium pass `.seeded`, so a failing run is
/// reproduced from the seed it prints. `.scripted` replays the octets of a published vector, either
/// as one reader's script or as one script per fork.
package struct Entropy: RandomNumberGenerator, Sendable {
    private enum Source {
        case kernel
        case seeded(seed: UInt64, state: UInt64)
        case scripted(ArraySlice<UInt8>)
        case scripts([String: [UInt8]], path: String)
    }

    private var source: Source

    package static let kernel = Entropy(source: .kernel)
    package static func seeded(_ seed: UInt64) -> Entropy { Entropy(source: .seeded(seed: seed, state: seed)) }
    /// Hands out `octets` in order, then traps: a vector that draws more than it lists is a broken test.
    package static func scripted(_ octets: [UInt8]) -> Entropy { Entropy(source: .scripted(octets[...])) }
    /// One script per fork, found by the labels on the way to it joined with "/"; a fork without one hands out nothing.
    package static func scripted(byLabel scripts: [String: [UInt8]]) -> Entropy {
        Entropy(source: .scripts(scripts, path: ""))
    }

    /// An independent stream for the use or device that `label` names.
    ///
    /// It depends on the seed and the label alone, not on what was drawn before: two devices with
    /// one seed and different labels share nothing, and a new draw in one place moves no other.
    ///
    /// - Precondition: not `.scripted`; a script has one reader.
    package func fork(label: StaticString) -> Entropy {
        switch source {
        case .kernel: return .kernel
        case .seeded(let seed, _):
            let octets = label.withUTF8Buffer { Array($0) }
            return .seeded(octets.reduce(Self.mix(seed)) { Self.mix($0 ^ UInt64($1)) })
        case .scripted: preconditionFailure("scripted entropy has one reader; give \(label) its own script")
        case .scripts(let scripts, let path):
            let path = path.isEmpty ? "\(label)" : "\(path)/\(label)"
            if let script = scripts[path] { return .scripted(script) }
            return Entropy(source: .scripts(scripts, path: path))
        }
    }

    /// Eight octets of the stream, little-endian.
    package mutating func next() -> UInt64 {
        switch source {
        case .kernel:
            var system = SystemRandomNumberGenerator()
            return system.next()
        case .seeded(let seed, let state):
            source = .seeded(seed: seed, state: state &+ Self.gamma)
            return Self.mix(state)
        case .scripted:
            return octets(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        case .scripts(_, let path):
            preconditionFailure("no script for entropy \(path)")
        }
    }

    /// The next `count` octets, for nonces, cookies and keys.
    package mutating func octets(_ count: Int) -> [UInt8] {
        guard case .scripted(let script) = source else {
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &self) }
        }
        precondition(count <= script.count, "scripted entropy ran out: \(count) octets wanted, \(script.count) left")
        source = .scripted(script.dropFirst(count))
        return Array(script.prefix(count))
    }

    private static let gamma: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// SplitMix64's output for `state`: a bijection, so distinct seeds stay distinct.
    private static func mix(_ state: UInt64) -> UInt64 {
        var z = state &+ gamma
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
