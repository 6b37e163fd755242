import Glibc
import LinuxRuntime
import Varlink

/// Finds the control socket.
enum Socket {
    static let systemPath = "\(ServiceDirectories.systemRuntime)/\(ControlInterface.socketName)"

    /// What a command that talks to the service says of its `--control`.
    static let summary = "the control socket, if awared's is elsewhere"

    /// The given one; else the one of a service run by oneself, if there is one, else the system's.
    static func client(_ given: String?) throws -> VarlinkClient {
        if let given { return try VarlinkClient(path: given) }
        let own = "\(ServiceDirectories.current.runtime)/\(ControlInterface.socketName)"
        if own != systemPath {
            do throws(VarlinkClientError) { return try VarlinkClient(path: own) } catch {
                guard case .unreachable = error else { throw error }
            }
        }
        do throws(VarlinkClientError) { return try VarlinkClient(path: systemPath) } catch {
            guard own != systemPath, case .unreachable(_, let cause) = error, cause.code != EACCES else { throw error }
            throw Absent(paths: [own, systemPath])
        }
    }

    /// Nobody serves any of the places where `awared` is looked for.
    struct Absent: Error, CustomStringConvertible {
        let paths: [String]

        var description: String {
            "awared is not running at \(paths.joined(separator: " or ")); start it, or give --control"
        }
    }
}

extension VarlinkClient {
    func call(_ method: ControlInterface.Method) throws(VarlinkClientError) -> Control.Snapshot {
        try Control.snapshot(in: call(method.qualifiedName))
    }
}
