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
    /// It leads a process group, which gets its signals.
    private let leadsGroup: Bool

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
    /// - Parameters:
    ///   - environment: ours when it is nil.
    ///   - isOutsider: it leads a process group of its own and has none of our capabilities.
    ///   - partingSignal: what it gets when the thread that starts it ends, even if by a kill.
    package init(
        path: String, arguments: [String], environment: [String: String]? = nil, streams: Streams = Streams(),
        isOutsider: Bool = false, partingSignal: Int32? = nil
    ) throws(SystemError) {
        let variables = (environment ?? ProcessEnvironment.variables).map { "\($0.key)=\($0.value)" }
        var argv = arguments.map { strdup($0) } + [nil]
        var envp = variables.map { strdup($0) } + [nil]
        let name = strdup(path)
        defer {
            for string in argv + envp { free(string) }
            free(name)
        }
        let started: Int32 = argv.withUnsafeMutableBufferPointer { argv in
            envp.withUnsafeMutableBufferPointer { envp in
                var program = clinux_program()
                program.path = UnsafePointer(name)
                program.arguments = UnsafePointer(argv.baseAddress)
                program.environment = UnsafePointer(envp.baseAddress)
                program.streams = (streams.input ?? -1, streams.output ?? -1, streams.error ?? -1)
                program.is_outsider = isOutsider ? 1 : 0
                program.parting_signal = partingSignal ?? 0
                let child = clinux_start(&program)
                return child < 0 ? -errno : child
            }
        }
        guard started > 0 else { throw SystemError(call: "start \(path)", code: -started) }
        processID = started
        leadsGroup = isOutsider
    }

    /// Sends a signal, to all of an outsider's group; a child that has ended is no error.
    package func send(signal: Int32) { kill(leadsGroup ? -processID : processID, signal) }

    /// Waits for the end.
    package func wait() throws(SystemError) -> ChildExit {
        var status: Int32 = 0
        try systemCall("waitpid") { waitpid(processID, &status, 0) }
        return ChildExit(status: clinux_wait_status(status))
    }
}

extension FileDescriptor {
    /// Asks for this much room in a pipe; the kernel has limits of its own (pipe(7)).
    package func setPipeSize(_ octets: Int32) { clinux_set_pipe_size(raw, octets) }

    /// A pipe, both ends close-on-exec and blocking: the reader's end first.
    package static func pipe() throws(SystemError) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        try systemCall("pipe") { clinux_pipe(&ends) }
        return (ends[0], ends[1])
    }
}
