internal import CLinux
internal import Glibc

/// How a child process ended.
package enum ChildExit: Equatable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)

    init(status: Int32) { self = status >= 0 ? .exited(status) : .killed(signal: -status) }
}

/// A program this process has started.
///
/// It inherits the three standard descriptors it is given and nothing else.
/// Its owner ends it with `wait` or an `EventLoop` watch; until then it holds an entry in the process table.
package struct ChildProcess: Hashable, Sendable {
    package let processID: Int32

    /// What the child finds as its standard descriptors; nil is `/dev/null`.
    package struct Streams: Sendable {
        package var input: Int32?
        package var output: Int32?
        package var error: Int32?

        package init(input: Int32? = nil, output: Int32? = nil, error: Int32? = STDERR_FILENO) {
            self.input = input
            self.output = output
            self.error = error
        }
    }

    /// Starts `path` with `arguments`, the program's name first; no shell is involved.
    ///
    /// Without an `environment` the child gets ours.
    package init(
        path: String, arguments: [String], environment: [String: String]? = nil, streams: Streams = Streams()
    ) throws(SystemError) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, source) in [streams.input, streams.output, streams.error].enumerated() {
            let target = Int32(target)
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, target)  // also clears close-on-exec
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0)
            }
        }
        clinux_close_from(&actions, STDERR_FILENO + 1)  // what others opened without close-on-exec
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The loop has signals blocked, which a program would inherit and never see.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))

        let variables = (environment ?? ProcessEnvironment.variables).map { "\($0.key)=\($0.value)" }
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = variables.map { strdup($0) } + [nil]
        defer { for string in argv + envp { free(string) } }
        var processID: pid_t = 0
        let code = posix_spawn(&processID, path, &actions, &attributes, &argv, &envp)
        guard code == 0 else { throw SystemError(call: "posix_spawn \(path)", code: code) }
        self.processID = processID
    }

    /// Sends a signal; a child that has ended is no error.
    package func send(signal: Int32) { kill(processID, signal) }

    /// Waits for the end.
    package func wait() throws(SystemError) -> ChildExit {
        var status: Int32 = 0
        try systemCall("waitpid") { waitpid(processID, &status, 0) }
        return ChildExit(status: clinux_wait_status(status))
    }
}

extension FileDescriptor {
    /// A pipe, both ends close-on-exec and blocking: the reader's end first.
    package static func pipe() throws(SystemError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        try systemCall("pipe") { clinux_pipe(&ends) }
        return (ends[0], ends[1])
    }
}
