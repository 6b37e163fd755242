import JSONText
import LinuxRuntime
import Varlink

/// `awarectl watch`.
enum WatchCommand {
    enum Option: String, CommandLineOption {
        case count
        case json
        case control
        case help

        var letter: Unicode.Scalar {
            switch self {
            case .count: "c"
            case .json: "j"
            case .control: "C"
            case .help: "h"
            }
        }

        var argument: String? {
            switch self {
            case .count: "NUMBER"
            case .control: "SOCKET"
            case .json, .help: nil
            }
        }

        var summary: String {
            switch self {
            case .count: "end after so many snapshots, 1 to 1000000"
            case .json: "print each snapshot as one line of JSON"
            case .control: Socket.summary
            case .help: "print this and exit"
            }
        }
    }

    static let manual = Manual(
        name: "awarectl watch", summary: Command.watch.summary, synopsis: ["awarectl watch [options]"],
        description: [
            "Prints a whole snapshot, as status does, and another one after every change, until it is interrupted or awared "
                + "ends. Nothing has to be added up: each snapshot stands for itself.",
            "With a filter the snapshots have only the devices that match all of it, and a change that concerns no such "
                + "device, service or window prints nothing.",
        ],
        options: CommandLineOptions<FilteringOption<Option>>.manualEntries, exitStatus: Command.exitStatus,
        examples: [
            .init("awarectl watch --vendor Apple", "Follow the devices of one vendor:"),
            .init("awarectl watch --json --count 1", "Take one snapshot for a script:"),
        ])

    static func run(_ arguments: [String]) throws {
        let options = try CommandLineOptions<FilteringOption<Option>>(parsing: ["watch"] + arguments)
        if options.contains(.own(.help)) { return try Output.write(manual.text()) }
        let filter = PeerFilter(options)
        let limit = try options.integer(.own(.count), in: 1...1_000_000)
        let client = try Socket.client(options[.own(.control)])
        var last: Control.Snapshot?
        var printed = 0
        var failure: SystemError?
        try client.stream(ControlInterface.Method.watch.qualifiedName) { parameters throws(VarlinkClientError) in
            let whole = try Control.snapshot(in: parameters)
            let snapshot = filter.applied(to: whole)
            if let last, !snapshot.differs(from: last) { return true }
            last = snapshot
            do throws(SystemError) {
                if options.contains(.own(.json)) {
                    try Output.line(snapshot.json.text)
                } else {
                    let heading = "== \(Rendering.date(Int(WallClock.seconds), withSeconds: true)) UTC =="
                    try Output.write(
                        (printed > 0 ? "\n" : "") + "\(heading)\n"
                            + Rendering.text(of: snapshot, isFiltered: !whole.peers.isEmpty))
                }
            } catch {
                failure = error
                return false
            }
            printed += 1
            return limit.map { printed < $0 } ?? true
        }
        if let failure { throw failure }
    }
}
