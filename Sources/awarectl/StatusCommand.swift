import JSONText
import LinuxRuntime
import Varlink

/// `awarectl status`.
enum StatusCommand {
    enum Option: String, CommandLineOption {
        case json
        case control
        case help

        var letter: Unicode.Scalar {
            switch self {
            case .json: "j"
            case .control: "C"
            case .help: "h"
            }
        }

        var argument: String? { self == .control ? "SOCKET" : nil }

        var summary: String {
            switch self {
            case .json: "print the snapshot as JSON"
            case .control: Socket.summary
            case .help: "print this and exit"
            }
        }
    }

    static let manual = Manual(
        name: "awarectl status", summary: Command.status.summary, synopsis: ["awarectl status [options]"],
        description: [
            "Prints one snapshot: who the accessory is, its pairing window, its services and their listener states (setup, "
                + "waiting, ready, failed, cancelled), the paired devices, the data paths, and the frames that were "
                + "dropped as malformed.",
            "The JSON is type Snapshot of the Varlink interface io.awareaccessory.Control.",
        ],
        options: CommandLineOptions<Option>.manualEntries, exitStatus: Command.exitStatus,
        examples: [.init("awarectl status --json | jq .pairing.is_open", "Ask whether the pairing window is open:")])

    static func run(_ arguments: [String]) throws {
        let options = try CommandLineOptions<Option>(parsing: ["status"] + arguments)
        if options.contains(.help) { return try Output.write(manual.text()) }
        let snapshot: Control.Snapshot = try Socket.client(options[.control]).call(.status)
        try Output.write(options.contains(.json) ? snapshot.json.prettyText : Rendering.text(of: snapshot))
    }
}
