import JSONText
import LinuxRuntime
import Varlink

/// `awarectl pair`.
enum PairCommand {
    enum Option: String, CommandLineOption {
        case seconds
        case noWait = "no-wait"
        case close
        case control
        case help

        var letter: Unicode.Scalar {
            switch self {
            case .seconds: "t"
            case .noWait: "n"
            case .close: "c"
            case .control: "C"
            case .help: "h"
            }
        }

        var argument: String? {
            switch self {
            case .seconds: "SECONDS"
            case .control: "SOCKET"
            case .noWait, .close, .help: nil
            }
        }

        var summary: String {
            let range = ControlCall.windowSeconds
            return switch self {
            case .seconds:
                "how long the window is open, \(range.lowerBound) to \(range.upperBound); else as provisioned"
            case .noWait: "open the window and exit"
            case .close: "close the window instead"
            case .control: Socket.summary
            case .help: "print this and exit"
            }
        }
    }

    static let manual = Manual(
        name: "awarectl pair", summary: Command.pair.summary, synopsis: ["awarectl pair [options]"],
        description: [
            "Opens the pairing window, whatever its policy, and ends a lock-out after too many wrong PINs. Then says how "
                + "an attempt goes on, until a device is paired (exit 0) or the window closes without one (exit 1).",
            "The PIN is on the accessory's display, and nowhere else. It is typed on the phone.",
        ],
        options: CommandLineOptions<Option>.manualEntries, exitStatus: Command.exitStatus,
        examples: [
            .init("awarectl pair --seconds 60", "Pair a phone within a minute:"),
            .init("awarectl pair --no-wait", "Open the window from a button's script:"),
        ])

    static func run(_ arguments: [String]) throws {
        let options = try CommandLineOptions<Option>(parsing: ["pair"] + arguments)
        if options.contains(.help) { return try Output.write(manual.text()) }
        let seconds = try options.integer(.seconds, in: ControlCall.windowSeconds)
        if options.contains(.close), seconds != nil || options.contains(.noWait) {
            throw UsageError.refused("--close goes with no other option")
        }
        let client = try Socket.client(options[.control])
        if options.contains(.close) {
            _ = try client.call(ControlInterface.Method.closePairingWindow.qualifiedName)
            return try Output.line("The pairing window is closed.")
        }
        let before: Control.Snapshot = try client.call(.status)
        var parameters = JSONObject()
        parameters["seconds"] = seconds.map { .integer(Int64($0)) }
        let reply = try client.call(ControlInterface.Method.openPairingWindow.qualifiedName, parameters)
        let time = reply["closes_in_ms"]?.integer.map { " for \(Rendering.remainder(milliseconds: Int(clamping: $0)))" }
        try Output.line("The pairing window is open\(time ?? "").")
        if options.contains(.noWait) { return }
        try Output.line("Choose \"\(printable(before.identity.pairingName))\" on the phone.")
        try follow(client, from: before)
    }

    private static func follow(_ client: VarlinkClient, from before: Control.Snapshot) throws {
        // A device that pairs anew keeps its id perhaps, but not the time.
        let known = Set(before.peers.map { "\($0.id) \($0.pairedAt ?? 0)" })
        var progress = PairProgress(before.pairing)
        var outcome: Result<Control.Peer, Tool.Failure>?
        var failure: SystemError?
        try client.stream(ControlInterface.Method.watch.qualifiedName) { parameters throws(VarlinkClientError) in
            let snapshot = try Control.snapshot(in: parameters)
            let pairing = snapshot.pairing
            let peer = snapshot.peers.first { !known.contains("\($0.id) \($0.pairedAt ?? 0)") }
            do throws(SystemError) {
                for line in progress.take(pairing, isPaired: peer != nil) { try Output.line(line) }
            } catch {
                failure = error
                return false
            }
            if let peer {
                outcome = .success(peer)
            } else if pairing.isLockedForGood {
                outcome = .failure(Tool.Failure(sentence: "too many wrong PINs; pairing is locked"))
            } else if !pairing.isOpen, !pairing.isLockedOut {  // else the last guess is being checked
                outcome = .failure(Tool.Failure(sentence: "the pairing window closed and nobody was paired"))
            }
            return outcome == nil
        }
        if let failure { throw failure }
        guard let outcome else { throw VarlinkClientError.closed }
        let peer = try outcome.get()
        let names = [peer.pairingName, peer.vendorName, peer.modelName].compactMap { $0 }.map(printable)
        try Output.line("Paired: \(([peer.id] + names).joined(separator: ", ")).")
    }
}
