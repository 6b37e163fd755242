import JSONText
import LinuxRuntime
import Varlink

/// `awarectl forget`.
enum ForgetCommand {
    enum Option: String, CommandLineOption {
        case all
        case control
        case help

        var letter: Unicode.Scalar {
            switch self {
            case .all: "a"
            case .control: "C"
            case .help: "h"
            }
        }

        var argument: String? { self == .control ? "SOCKET" : nil }

        var summary: String {
            switch self {
            case .all: "forget every paired device"
            case .control: Socket.summary
            case .help: "print this and exit"
            }
        }
    }

    static let manual = Manual(
        name: "awarectl forget", summary: Command.forget.summary,
        synopsis: ["awarectl forget ID [options]", "awarectl forget --all [options]"],
        description: [
            "Removes a device from the paired ones and ends its data paths at once. It has to be paired again before it "
                + "can connect; on the phone the accessory should be removed, too."
        ],
        options: CommandLineOptions<Option>.manualEntries, exitStatus: Command.exitStatus,
        examples: [.init("awarectl forget 0badcafe", "Forget one device, by the id that awarectl peers shows:")])

    static func run(_ arguments: [String]) throws {
        let options = try CommandLineOptions<Option>(parsing: ["forget"] + arguments, operands: ["ID"])
        if options.contains(.help) { return try Output.write(manual.text()) }
        let parameters: JSONObject
        switch (options.operands.first, options.contains(.all)) {
        case (let id?, false): parameters = ["id": .string(id)]
        case (nil, true): parameters = ["all": true]
        case (nil, false): throw UsageError.missingOperand("the ID of a device, or --all,")
        case (.some, true): throw UsageError.refused("give the ID of a device or --all, not both")
        }
        let client = try Socket.client(options[.control])
        let reply = try client.call(ControlInterface.Method.forget.qualifiedName, parameters)
        guard let ids = reply["forgotten"]?.array?.compactMap(\.string) else { throw VarlinkClientError.malformedReply }
        if ids.isEmpty { return try Output.line("No device was paired.") }
        for id in ids { try Output.line("Forgot \(printable(id)).") }
    }
}
