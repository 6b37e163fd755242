internal import Glibc

/// Where one run of a program finds its configuration, keeps its state and puts its sockets.
///
/// systemd says it in the environment; without systemd, root gets the system's folders and everybody else
/// their own, by the XDG base directory specification.
package struct ServiceDirectories: Equatable, Sendable {
    package var configuration: String
    package var state: String
    package var runtime: String

    /// The folder's name under each of the bases.
    package static let name = "aware-accessory"
    /// The runtime folder of a system service, where a tool run by anybody finds its socket.
    package static let systemRuntime = "/run/\(name)"

    package init(configuration: String, state: String, runtime: String) {
        self.configuration = configuration
        self.state = state
        self.runtime = runtime
    }

    /// Decides from the environment alone; creates nothing.
    package init(environment: [String: String], userID: UInt32) {
        func absolute(_ key: String) -> String? {
            // systemd lists several folders with colons; the first is the service's own. XDG: a relative path is void.
            guard let value = environment[key]?.split(separator: ":").first, value.hasPrefix("/") else { return nil }
            return String(value)
        }
        let isRoot = userID == 0
        let temporary = "/tmp/\(Self.name)-\(userID)"
        let home = absolute("HOME")
        func base(_ service: String, _ system: String, _ xdg: String, _ inHome: String?) -> String {
            if let path = absolute(service) { return path }
            if isRoot { return "\(system)/\(Self.name)" }
            if let path = absolute(xdg) { return "\(path)/\(Self.name)" }
            if let home, let inHome { return "\(home)/\(inHome)/\(Self.name)" }
            return inHome == nil ? temporary : "\(temporary)/\(service.lowercased())"
        }
        configuration = base("CONFIGURATION_DIRECTORY", "/etc", "XDG_CONFIG_HOME", ".config")
        state = base("STATE_DIRECTORY", "/var/lib", "XDG_STATE_HOME", ".local/state")
        runtime = base("RUNTIME_DIRECTORY", "/run", "XDG_RUNTIME_DIR", nil)
    }

    /// Those of this process.
    package static var current: Self { Self(environment: ProcessEnvironment.variables, userID: geteuid()) }

    /// Makes a folder of ours, with its parents, and refuses one that is another user's, for root too, or that
    /// others could write to.
    ///
    /// `mode` is for a folder that is made; its parents get 0700 as XDG asks, unless `parentMode` says otherwise.
    package static func make(
        _ path: String, mode: UInt32 = 0o700, parentMode: UInt32 = 0o700
    ) throws(FileError) {
        do throws(SystemError) {
            var prefix = path.hasPrefix("/") ? "/" : ""
            let parts = path.split(separator: "/")
            for (index, part) in parts.enumerated() {
                prefix += (prefix.isEmpty || prefix == "/" ? "" : "/") + part
                let wanted = index == parts.count - 1 ? mode : parentMode
                do throws(SystemError) { try systemCall("mkdir \(prefix)") { mkdir(prefix, wanted) } } catch {
                    if error.code != EEXIST { throw error }
                }
            }
            var status = stat()
            try systemCall("stat") { stat(path, &status) }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(call: "mkdir", code: ENOTDIR) }
            guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
                throw SystemError(call: "mkdir", code: EPERM)
            }
        } catch {
            var status = stat()
            if error.code == EPERM, stat(path, &status) == 0 {
                throw FileError(
                    path: path, cause: .unsafeFolder(mode: UInt32(status.st_mode & 0o7777), owner: status.st_uid))
            }
            throw FileError(path: path, cause: .system(error))
        }
    }
}

/// The environment, read once by those who need it.
package enum ProcessEnvironment {
    package static var variables: [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                result[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            entry += 1
        }
        return result
    }

    /// One variable; nil when it is not set.
    package static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
