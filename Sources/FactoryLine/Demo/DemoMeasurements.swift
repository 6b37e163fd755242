internal import LinuxRuntime

/// The times of one or more runs.
package struct DemoMeasurements: Equatable, Sendable {
    private var samples: [DemoMeasure: [Duration]] = [:]

    package init() {}

    package mutating func add(_ measure: DemoMeasure, _ sample: Duration) {
        samples[measure, default: []].append(sample)
    }

    package mutating func add(_ other: DemoMeasurements) {
        for (measure, durations) in other.samples { samples[measure, default: []] += durations }
    }

    /// One row for each measure: its value, or minimum, median and maximum of several.
    package var table: String {
        let isOne = samples.values.allSatisfy { $0.count == 1 }
        var table =
            isOne
            ? TextTable("measured", "time", "target", "")
            : TextTable("measured", "min", "median", "max", "target", "runs", "")
        for measure in DemoMeasure.allCases {
            let target = measure.target?.text ?? "-"
            guard let sorted = samples[measure]?.sorted(), let first = sorted.first, let last = sorted.last else {
                isOne
                    ? table.append(measure.title, "-", target, "")
                    : table.append(measure.title, "-", "-", "-", target, "0", "")
                continue
            }
            let median = sorted.median
            let verdict = measure.target.map { median <= $0 ? "met" : "MISSED" } ?? ""
            if isOne {
                table.append(measure.title, first.text, target, verdict)
            } else {
                table.append(
                    measure.title, first.text, median.text, last.text, target, "\(sorted.count)", verdict)
            }
        }
        return table.text
    }

    /// What took longer than it should, a line for each median above its target.
    package var missedTargets: [String] {
        DemoMeasure.allCases.compactMap { measure in
            guard let target = measure.target, let sorted = samples[measure]?.sorted(), !sorted.isEmpty else {
                return nil
            }
            let median = sorted.median
            guard median > target else { return nil }
            return "\(measure.title): \(median.text), and should take at most \(target.text)"
        }
    }
}

extension [Duration] {
    /// Of sorted elements; between the middle two when they are even in number.
    var median: Duration {
        guard !isEmpty else { return .zero }
        return count % 2 == 1 ? self[count / 2] : (self[count / 2 - 1] + self[count / 2]) / 2
    }
}
