import Glibc
import LinuxRuntime

/// `awarectl doctor`: has awared look at what its start needs, for this tool links no radio, Bluetooth or GPIO.
enum DoctorCommand {
    enum Option: String, CaseIterable, CommandLineOption {
        case identity
        case profile
        case state
        case control
        case radio
        case air
        case wiphy
        case country
        case bluetooth
        case help

        var letter: Unicode.Scalar {
            switch self {
            case .identity: "i"
            case .profile: "p"
            case .state: "s"
            case .control: "C"
            case .radio: "r"
            case .air: "a"
            case .wiphy: "w"
            case .country: "n"
            case .bluetooth: "b"
            case .help: "h"
            }
        }

        var argument: String? {
            switch self {
            case .identity, .profile: "FILE"
            case .state, .air: "FOLDER"
            case .control: "SOCKET"
            case .radio: "RADIO"
            case .wiphy: "NAME"
            case .country: "LETTERS"
            case .bluetooth: "BLUETOOTH"
            case .help: nil
            }
        }

        var summary: String {
            switch self {
            case .help: "print this and exit"
            default: "what awared would be given as --\(rawValue)"
            }
        }
    }

    static let manual = Manual(
        name: "awarectl doctor", summary: Command.doctor.summary, synopsis: ["awarectl doctor [options]"],
        description: [
            "Looks at everything that a start of awared needs: identity, profile, folders, and the radio: whether the kernel "
                + "and the driver have Wi-Fi Aware with discovery in user space, data interfaces and encrypted management "
                + "frames, the regulatory domain, the radio's switch, the right to use it, and what else uses it; where the "
                + "board has Bluetooth, its controller, too. Prints a line for each, and with a fault what to do about "
                + "it. Nothing is changed.",
            "It runs the awared that is installed beside it, or the first in PATH, with --check. Run it as the user that "
                + "awared runs as, or what it says of rights is about somebody else.",
        ],
        options: CommandLineOptions<Option>.manualEntries,
        exitStatus: [
            .init("0", "a start would find everything"), .init("2", "the command line is wrong"),
            .init("75", "there is a fault, or there is no awared to ask"),
            .init("78", "a configuration file is wrong; one line says where and what is accepted"),
        ],
        examples: [
            .init("awarectl doctor", "Check a board:"),
            .init("awarectl doctor --radio nl80211 --wiphy phy0", "Check one radio, whatever the profile says:"),
        ])

    static func run(_ arguments: [String]) throws {
        let options = try CommandLineOptions<Option>(parsing: ["doctor"] + arguments)
        if options.contains(.help) { return try Output.write(manual.text()) }
        var passed = ["awared", "--check"]
        for option in Option.allCases where option != .help {
            if let value = options[option] { passed.append("--\(option.rawValue)=\(value)") }
        }
        var argv = passed.map { strdup($0) } + [nil]
        // Each returns only when there is nothing to run.
        if let beside = ProcessIdentity.programFolder { execv("\(beside)/awared", &argv) }
        execvp("awared", &argv)
        let error = SystemError(call: "awared", code: errno)
        for string in argv { free(string) }
        throw Missing(description: "\(error); doctor needs awared beside awarectl or in PATH")
    }

    /// There is no awared to run.
    struct Missing: Error, CustomStringConvertible {
        let description: String
    }
}
