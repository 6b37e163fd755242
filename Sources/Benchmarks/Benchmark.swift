internal import AllocationProbe

/// What one case cost.
struct Cost {
    let nanoseconds: Double
    let allocations: Double

    var perSecond: Double { 1e9 / nanoseconds }
}

/// The cases' results: times are printed for people, an allocation budget that is exceeded fails the run.
struct Benchmark {
    private(set) var isWithinBudget = true

    /// Runs `body` `iterations` times, each of which does `units` of what is counted; prints the cost of one unit.
    @discardableResult
    mutating func measure(
        _ name: String, iterations: Int, units: Int = 1, allocationBudget: Double, _ body: () throws -> Void
    ) rethrows -> Cost {
        for _ in 0..<max(1, iterations / 100) { try body() }
        let clock = ContinuousClock()
        let before = allocprobe_count()
        let start = clock.now
        for _ in 0..<iterations { try body() }
        let elapsed = start.duration(to: clock.now)
        return record(
            name, elapsed, allocations: allocprobe_count() - before, units: iterations * units,
            allocationBudget: allocationBudget)
    }

    /// Judges a case that was run by other means.
    @discardableResult
    mutating func record(
        _ name: String, _ elapsed: Duration, allocations: UInt64, units: Int, allocationBudget: Double
    ) -> Cost {
        // In two steps: Swift 6.0 would divide a duration by the second divisor.
        let nanoseconds = elapsed / Duration.nanoseconds(1)
        let cost = Cost(
            nanoseconds: nanoseconds / Double(max(units, 1)),
            allocations: Double(allocations) / Double(max(units, 1)))
        let isWithin = cost.allocations <= allocationBudget
        isWithinBudget = isWithinBudget && isWithin
        let verdict = isWithin ? "ok" : "OVER BUDGET \(allocationBudget)"
        print(
            "\(name): \(Self.rounded(cost.nanoseconds)) ns, \(Self.rounded(cost.allocations)) allocations, \(verdict)")
        return cost
    }

    func compare(_ name: String, _ ours: Cost, with peer: Cost) {
        print(
            "\(name): \(Int(ours.perSecond)) a second, peer \(Int(peer.perSecond)), "
                + "ratio \(Self.rounded(ours.perSecond / peer.perSecond))")
    }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
