package import LinuxRuntime

/// `aware-factory demo`: the demonstration, once or often, with its table at the end.
package struct Demo {
    private let plan: DemoPlan
    private let printer: DemoPrinter

    package init(_ plan: DemoPlan, environment: [String: String]) {
        self.plan = plan
        printer = DemoPrinter(phones: plan.phones, environment: environment)
    }

    /// Returns the exit status; the first run that fails ends it, and so do medians above their targets in the end.
    package func run() -> ExitStatus {
        var measurements = DemoMeasurements()
        for number in 1...plan.runs {
            if plan.runs > 1 { printer.heading("Run \(number) of \(plan.runs)") }
            do throws(FactoryError) {
                switch try DemoRun(plan, printer: printer).run() {
                case .success(let measured): measurements.add(measured)
                case .failure: return .failure
                }
            } catch {
                StandardOutput.complain("aware-factory demo: \(error)")
                return .failure
            }
        }
        printer.heading("Everything happened" + (plan.runs > 1 ? ", \(plan.runs) times of \(plan.runs)." : "."))
        printer.plain(measurements.table)
        let verdict = Self.verdict(on: measurements, targetsBind: plan.targetsBind)
        for line in verdict.complaints { StandardOutput.complain("aware-factory demo: \(line)") }
        return verdict.status
    }

    /// What the times of runs that succeeded mean for the exit status, and what is said of it.
    package static func verdict(
        on measurements: DemoMeasurements, targetsBind: Bool
    ) -> (status: ExitStatus, complaints: [String]) {
        let missed = measurements.missedTargets
        return (
            missed.isEmpty || !targetsBind ? .success : .failure,
            missed.map { "\(targetsBind ? "too slow" : "slow, which is reported only"): \($0)" }
        )
    }
}
