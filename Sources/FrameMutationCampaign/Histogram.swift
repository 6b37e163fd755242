/// What became of the mutated frames.
struct Histogram {
    var frames = 0
    var decoded = 0
    /// Frames whose commit was handed to the elliptic curve.
    var reachedSAE = 0
    var reachedKeyAgreement = 0
    var answered = 0
    var reports: [String: Int] = [:]
    var drops: [String: Int] = [:]
    var byKind: [String: Int] = [:]

    func printed(_ title: String, _ counts: [String: Int]) -> String {
        let lines = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { key, count in
            "  " + String(repeating: " ", count: max(0, 9 - "\(count)".count)) + "\(count)  \(key)"
        }
        return ([title] + lines).joined(separator: "\n")
    }
}
