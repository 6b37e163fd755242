import JSONText
import LinuxRuntime
import Varlink

/// `awarectl send`.
enum SendCommand {
    enum Option: String, CommandLineOption {
        case control
        case help

        var letter: Unicode.Scalar { self == .control ? "C" : "h" }
        var argument: String? { self == .control ? "SOCKET" : nil }
        var summary: String { self == .control ? Socket.summary : "print this and exit" }
    }

    static let manual = Manual(
        name: "awarectl send", summary: Command.send.summary, synopsis: ["awarectl send ID TEXT [options]"],
        description: [
            "Sends TEXT, of 255 octets at most, to a device that is connected, in a follow-up frame encrypted with the "
                + "keys of its pairing. What comes of it is the device's business; whether its radio acknowledged the "
                + "frame is in awared's log, as is what devices send."
        ],
        options: CommandLineOptions<Option>.manualEntries, exitStatus: Command.exitStatus,
        examples: [.init("awarectl send 0badcafe landing", "To the device that awarectl peers shows by that id:")])

    static func run(_ arguments: [String]) throws {
        let options = try CommandLineOptions<Option>(parsing: ["send"] + arguments, operands: ["ID", "TEXT"])
        if options.contains(.help) { return try Output.write(manual.text()) }
        guard options.operands.count == 2 else { throw UsageError.missingOperand("the ID of a device and a TEXT") }
        guard ControlCall.messageLengths.contains(options.operands[1].utf8.count) else {
            throw UsageError.refused("a message has 1 to 255 octets")
        }
        let client = try Socket.client(options[.control])
        _ = try client.call(
            ControlInterface.Method.send.qualifiedName,
            ["id": .string(options.operands[0]), "text": .string(options.operands[1])])
        try Output.line("Sent.")
    }
}
