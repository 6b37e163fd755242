import Glibc
import LinuxRuntime
import Provisioning
import Varlink

/// `awarectl`: finds the command, runs it, and turns what went wrong into one line and an exit status.
enum Tool {
    static let name = "awarectl"

    static func run(_ arguments: [String]) -> ExitStatus {
        do {
            try dispatch(Array(arguments.dropFirst()))
            return .success
        } catch let error as UsageError {
            let command = arguments.dropFirst().first.flatMap(Command.init(rawValue:)).map { " \($0.rawValue)" } ?? ""
            return fail("\(error); see \(name)\(command) --help", .usage)
        } catch let error as ProvisioningError {
            return fail("\(error)", .configuration)
        } catch let error as VarlinkClientError {
            return fail(sentence(error), status(error))
        } catch let error as DoctorCommand.Missing {
            return fail("\(error)", .notYet)
        } catch let error as Socket.Absent {
            return fail("\(error)", .notYet)
        } catch let error as Failure {
            return fail(error.sentence, .failure)
        } catch {
            return fail("\(error)", .failure)
        }
    }

    /// What was asked for did not happen.
    struct Failure: Error {
        let sentence: String
    }

    private static func dispatch(_ arguments: [String]) throws {
        guard let first = arguments.first else { throw UsageError.missingCommand(accepted: Command.names) }
        if ["-h", "--help"].contains(first) { return try Output.write(Command.manual.text()) }
        if ["-V", "--version"].contains(first) { return try Output.line("\(name) \(ProductVersion.text)") }
        guard let command = Command(rawValue: first) else {
            throw first.hasPrefix("-")
                ? UsageError.unknownOption(first) : .unknownCommand(first, accepted: Command.names)
        }
        let rest = Array(arguments.dropFirst())
        switch command {
        case .provision: try ProvisionCommand.run(rest)
        case .doctor: try DoctorCommand.run(rest)
        case .status: try StatusCommand.run(rest)
        case .watch: try WatchCommand.run(rest)
        case .pair: try PairCommand.run(rest)
        case .peers: try PeersCommand.run(rest)
        case .forget: try ForgetCommand.run(rest)
        case .send: try SendCommand.run(rest)
        case .capture: try CaptureCommand.run(rest)
        case .help: try HelpCommand.run(rest)
        }
    }

    private static func fail(_ sentence: String, _ status: ExitStatus) -> ExitStatus {
        Output.complain("\(name): \(sentence)")
        return status
    }

    private static func sentence(_ error: VarlinkClientError) -> String {
        switch error {
        case .unreachable(let path, let cause):
            cause.code == EACCES
                ? "\(path): permission denied; run as root or join the socket's group"
                : "\(path): awared is not running there (\(cause)); start it, or give --control"
        case .refused(let fault):
            switch (fault.name.split(separator: ".").last, fault.parameters.members.first?.value.string) {
            case ("NoSuchPeer", let id?): "no paired device has the id \(printable(id)); see \(name) peers"
            case ("InvalidParameter", let parameter?): "awared does not accept this \(parameter)"
            case ("NotPossible", let reason?), ("CaptureFailed", let reason?): printable(reason)
            case ("Busy", _): "awared is busy: too many callers are connected; try again"
            default: "awared refused: \(printable("\(fault)"))"
            }
        case .closed: "awared closed the connection"
        case .timedOut: "awared does not answer"
        case .malformedReply: "awared's reply is malformed; is it of another version?"
        }
    }

    private static func status(_ error: VarlinkClientError) -> ExitStatus {
        switch error {
        case .unreachable(_, let cause): cause.code == EACCES ? .failure : .notYet
        case .timedOut: .notYet
        case .refused(.busy): .notYet
        case .refused, .closed, .malformedReply: .failure
        }
    }
}
