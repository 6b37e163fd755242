package import LinuxRuntime

/// The options of `aware-factory demo`.
package enum DemoOption: String, CommandLineOption {
    case runs
    case interactive
    case phones
    case programs
    case identity
    case profile
    case clip
    case camera
    case keep
    case reportOnly = "report-only"
    case help

    package var letter: Unicode.Scalar {
        switch self {
        case .runs: "r"
        case .interactive: "i"
        case .phones: "n"
        case .programs: "b"
        case .identity: "I"
        case .profile: "p"
        case .clip: "c"
        case .camera: "C"
        case .keep: "k"
        case .reportOnly: "R"
        case .help: "h"
        }
    }

    package var argument: String? {
        switch self {
        case .runs, .phones: "N"
        case .programs: "FOLDER"
        case .identity, .profile, .clip: "FILE"
        case .camera: "PROGRAM"
        case .interactive, .keep, .reportOnly, .help: nil
        }
    }

    package var summary: String {
        switch self {
        case .runs: "Repeat it this often, and print minimum, median and maximum; 1 if left out."
        case .interactive: "Let a person type the PIN."
        case .phones: "How many phones there are, 1 or 2; the second is asked to wait for the first. 1 if left out."
        case .programs: "Where awared, awarectl and aware-factory are; where this program is if left out."
        case .identity: "The accessory's identity; its control handler's port and its clip are replaced."
        case .profile: "The accessory's board profile."
        case .clip: "The clip it plays."
        case .camera:
            "Let the clip come live from PROGRAM, which gets its path and plays it for ever, as from a board's camera."
        case .keep: "Keep the folder with both sides' logs, state and video."
        case .reportOnly: "Report medians above their targets, and do not fail for them: for a busy machine."
        case .help: "This text."
        }
    }
}

extension Manual {
    /// The manual of `aware-factory demo`.
    package static let demo = Manual(
        name: "aware-factory demo",
        summary: "the whole of it on this machine: an accessory, a phone, and simulated air between them",
        synopsis: ["aware-factory demo [options]"],
        description: [
            "Starts awared with an example identity in a folder of its own, a program that echoes control datagrams, and "
                + "aware-factory phone. The phone discovers the accessory, asks it to show a PIN, and is told what its "
                + "display shows; then it controls and views for one whole turn of the clip, every picture of which is "
                + "compared with what was sent. Started anew it connects without a PIN.",
            "It needs no privileges, no network and no radio, and leaves nothing behind. Run it where the examples are, "
                + "or say where they are.",
        ],
        options: CommandLineOptions<DemoOption>.manualEntries,
        environment: [Entry("TMPDIR", "Where the run's folder is made; /tmp if it is not set.")],
        exitStatus: [
            Entry("0", "All of it happened, and no median is above its target."),
            Entry(
                "1",
                "Something did not: it says what, and shows the ends of both logs. Or all of it happened, but too "
                    + "slowly, which it says in a line for each target that was missed; not with --report-only."),
            Entry("2", "The command line is wrong."),
        ],
        examples: [
            Entry("make demo", "Once, from the source folder:"),
            Entry("aware-factory demo --interactive", "Type the PIN yourself:"),
            Entry("aware-factory demo --runs 20", "Twenty times, with medians:"),
            Entry("aware-factory demo --camera board/demo/camera", "With live video:"),
        ])
}
