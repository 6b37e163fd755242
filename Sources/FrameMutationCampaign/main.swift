internal import Glibc
internal import LinuxRuntime
internal import Octets
internal import SimulatedMedium

/// The options; the raw value is the long name.
enum Option: String, CommandLineOption {
    case frames
    case seed
    case memory
    case capture
    case help

    var letter: Unicode.Scalar {
        switch self {
        case .frames: "n"
        case .seed: "s"
        case .memory: "m"
        case .capture: "c"
        case .help: "h"
        }
    }

    var argument: String? {
        switch self {
        case .frames: "COUNT"
        case .seed: "NUMBER"
        case .memory: "MIB"
        case .capture: "FILE"
        case .help: nil
        }
    }

    var summary: String {
        switch self {
        case .frames: "mutated frames to try; 1000000"
        case .seed: "the same number plays the same campaign; 1"
        case .memory: "address space the campaign may take, in MiB; 1024"
        case .capture: "only play an undisturbed encounter of each kind and write what was on the air, in clear"
        case .help: "this list"
        }
    }
}

/// Plays one encounter of each kind that says something new and writes their frames as pcapng, a section for each.
func writeCapture(to path: String, seed: UInt64) throws -> Bool {
    var sections: [UInt8] = []
    for (number, plan) in try EncounterPlan.witnessed().enumerated() {
        let writer = CaptureWriter(beacons: false, acknowledgements: false, radiotap: false, opensProtected: true)
        let encounter = Encounter(plan, entropy: .seeded(seed &+ UInt64(number)), capture: writer)
        guard plan.play(encounter) else {
            print("FrameMutationCampaign: encounter \(number) did not end as it should")
            return false
        }
        sections += encounter.capture
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return sections.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == sections.count
}

/// Caps the address space, so that a machine that hoards ends the campaign.
func capMemory(mebibytes: Int) -> Bool {
    let octets = rlim_t(mebibytes) << 20
    var limit = rlimit(rlim_cur: octets, rlim_max: octets)
    return setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0
}

func peakMemory() -> Int {
    var usage = rusage()
    return getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 ? usage.ru_maxrss / 1024 : 0
}

func run() throws -> Int32 {
    let options = try CommandLineOptions<Option>(parsing: CommandLine.arguments)
    if options.contains(.help) {
        print(CommandLineOptions<Option>.help(program: "FrameMutationCampaign"))
        return 0
    }
    let frames = try options.integer(.frames, in: 1...1_000_000_000) ?? 1_000_000
    let seed = UInt64(try options.integer(.seed, in: 0...Int.max) ?? 1)
    if let path = options[.capture] { return try writeCapture(to: path, seed: seed) ? 0 : 1 }
    guard capMemory(mebibytes: try options.integer(.memory, in: 64...65536) ?? 1024) else { return 1 }

    let isTerminal = isatty(STDERR_FILENO) == 1
    let campaign = Campaign(frames: frames, seed: seed)
    let (encounters, completed) = try campaign.run { tried in
        let line = "campaign: \(tried) of \(frames) frames\(isTerminal ? "\r" : "\n")"
        _ = write(STDERR_FILENO, line, line.utf8.count)
    }
    let histogram = campaign.histogram
    let share = 100 * histogram.decoded / max(1, histogram.frames)
    print(histogram.printed("decoded frames by kind", histogram.byKind))
    print(histogram.printed("dropped, by reason", histogram.drops))
    print(histogram.printed("reported", histogram.reports))
    print(histogram.printed("states seen", campaign.census.entered))
    print(
        """
        campaign: seed \(seed), \(histogram.frames) frames, \(share) % decoded, \(histogram.reachedSAE) reached SAE, \
        \(histogram.reachedKeyAgreement) reached key agreement, \(histogram.answered) answered
        campaign: \(encounters) encounters, \(completed) of them undisturbed to the end, \(peakMemory()) MiB at most
        """)
    // A short campaign is for somebody who looks for something; it cannot have seen everything.
    let missing = frames < 1_000_000 ? [] : Expectations.missing(histogram, campaign.census)
    for line in missing { print("campaign: \(line)") }
    // Nothing that is done to copies may show in the encounters themselves.
    let isUndisturbed = completed == encounters
    if !isUndisturbed { print("campaign: \(encounters - completed) encounters did not end as they should") }
    return missing.isEmpty && isUndisturbed ? 0 : 1
}

do {
    exit(try run())
} catch {
    print("FrameMutationCampaign: \(error)")
    exit(2)
}
