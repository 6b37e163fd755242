// Runs the conformance suite on two radios of this machine's kernel, which nothing else may use meanwhile.
//
// Usage: radio-conformance PHY PHY [CASE...]     a case by its Swift name; all of them by default
//        radio-conformance --list
//
// A line a case; exit status 0 when none failed.

internal import Glibc
internal import LinuxRuntime
internal import RadioConformance

/// Each line at once: a case takes seconds.
func say(_ line: String) {
    print(line)
    fflush(nil)
}

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments == ["--list"] {
    for rule in ConformanceCase.allCases { say("\(rule)  \(rule.rawValue)") }
    exit(0)
}
guard arguments.count >= 2, !arguments.contains(where: { $0.hasPrefix("-") }) else {
    say("usage: radio-conformance PHY PHY [CASE...], or radio-conformance --list")
    exit(2)
}
let wanted = Set(arguments.dropFirst(2))
if let unknown = wanted.first(where: { name in !ConformanceCase.allCases.contains { "\($0)" == name } }) {
    say("radio-conformance: no case \(unknown); --list shows them")
    exit(2)
}

var (passed, failed, left) = (0, 0, 0)
for rule in ConformanceCase.allCases where wanted.isEmpty || wanted.contains("\(rule)") {
    do {
        if try rule.run(on: try KernelBench(Array(arguments.prefix(2)))) {
            passed += 1
            say("ok      \(rule)")
        } else {
            left += 1
            say("left    \(rule): these radios cannot run it")
        }
    } catch {
        failed += 1
        say("FAILED  \(rule): \(rule.rawValue): \(error)")
    }
}
say("conformance: \(passed) passed, \(failed) failed, \(left) left out")
exit(failed == 0 ? 0 : 1)
