import Glibc
import JSONText
import LinuxRuntime
import Octets
import Varlink

/// `awarectl capture`.
enum CaptureCommand {
    enum Option: String, CommandLineOption {
        case seconds
        case control
        case help

        var letter: Unicode.Scalar {
            switch self {
            case .seconds: "t"
            case .control: "C"
            case .help: "h"
            }
        }

        var argument: String? {
            switch self {
            case .seconds: "SECONDS"
            case .control: "SOCKET"
            case .help: nil
            }
        }

        var summary: String {
            let range = ControlCall.captureSeconds
            return switch self {
            case .seconds: "end after so long, \(range.lowerBound) to \(range.upperBound); else when interrupted"
            case .control: Socket.summary
            case .help: "print this and exit"
            }
        }
    }

    static let manual = Manual(
        name: "awarectl capture", summary: Command.capture.summary, synopsis: ["awarectl capture FILE [options]"],
        description: [
            "Writes the frames that awared sends and receives to FILE as pcapng, which Wireshark and tshark open; - is "
                + "standard output. FILE must not exist yet, unless it is a pipe, and is readable by its owner only. An interrupted capture is whole up to there."
        ],
        options: CommandLineOptions<Option>.manualEntries, exitStatus: Command.exitStatus,
        examples: [
            .init("awarectl capture pairing.pcapng --seconds 60", "Capture a pairing:"),
            .init("awarectl capture - | wireshark -k -i -", "Look at the frames as they come:"),
        ])

    static func run(_ arguments: [String]) throws {
        let options = try CommandLineOptions<Option>(parsing: ["capture"] + arguments, operands: ["FILE"])
        if options.contains(.help) { return try Output.write(manual.text()) }
        guard let path = options.operands.first else { throw UsageError.missingOperand("FILE") }
        var parameters = JSONObject()
        parameters["seconds"] = try options.integer(.seconds, in: ControlCall.captureSeconds).map {
            .integer(Int64($0))
        }
        let client = try Socket.client(options[.control])  // before the file: a service that is away costs no file
        if path == "-" { return try copy(from: client, parameters, to: STDOUT_FILENO) }
        // Whoever mistypes a name must not lose a file by it.
        let isNew = FileSystem.kind(path, followingLinks: true) != .other
        let flags = O_WRONLY | O_CLOEXEC | (isNew ? O_CREAT | O_EXCL : 0)
        let file = FileDescriptor(owning: try systemCall("open \(path)") { open(path, flags, 0o600) })
        try copy(from: client, parameters, to: file.raw)
    }

    private static func copy(from client: VarlinkClient, _ parameters: JSONObject, to raw: Int32) throws {
        var written = 0
        var failure: SystemError?
        let method = ControlInterface.Method.capture.qualifiedName
        try client.stream(method, parameters) { reply throws(VarlinkClientError) in
            guard let chunk = reply["chunk"]?.string else { return true }
            guard let octets = [UInt8](base64: chunk) else { throw .malformedReply }
            do throws(SystemError) { try Output.write(octets, to: raw) } catch {
                failure = error
                return false
            }
            written += octets.count
            return true
        }
        if let failure { throw failure }
        Output.complain("\(Tool.name): \(written) octets captured")
    }
}
