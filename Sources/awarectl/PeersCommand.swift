import JSONText
import LinuxRuntime
import Varlink

/// `awarectl peers`.
enum PeersCommand {
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
            case .json: "print them as JSON"
            case .control: Socket.summary
            case .help: "print this and exit"
            }
        }
    }

    static let manual = Manual(
        name: "awarectl peers", summary: Command.peers.summary, synopsis: ["awarectl peers [options]"],
        description: [
            "Lists the paired devices. A device's id stays the same for as long as it is paired. Names are what the device "
                + "says of itself."
        ],
        options: CommandLineOptions<FilteringOption<Option>>.manualEntries, exitStatus: Command.exitStatus,
        examples: [.init("awarectl peers --json | jq -r '.[].id'", "List the ids:")])

    static func run(_ arguments: [String]) throws {
        let options = try CommandLineOptions<FilteringOption<Option>>(parsing: ["peers"] + arguments)
        if options.contains(.own(.help)) { return try Output.write(manual.text()) }
        let filter = PeerFilter(options)
        let client = try Socket.client(options[.own(.control)])
        let all = try Control.peers(in: client.call(ControlInterface.Method.peers.qualifiedName))
        let peers = all.filter(filter.matches)
        if options.contains(.own(.json)) { return try Output.write(JSONValue.array(peers.map(\.json)).prettyText) }
        if peers.isEmpty {
            return try Output.line(Rendering.noPeers(isFiltered: !all.isEmpty))
        }
        try Output.write(Rendering.peers(peers))
    }
}
