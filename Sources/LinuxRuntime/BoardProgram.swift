internal import Glibc

/// A program of the board's maker that the profile names: it draws the display, or is the camera.
///
/// It runs as our user, in a process group of its own, with its standard error on ours and without our capabilities.
/// Its environment is ours, which holds no secret, less what the service manager told us alone.
package struct BoardProgram: Equatable, Sendable {
    package var path: String
    package var arguments: [String]

    package init(path: String, arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// What systemd says to the service itself (systemd.exec(5), sd_notify(3)).
    private static let ours: Set<String> = [
        "CREDENTIALS_DIRECTORY", "FDSTORE", "LISTEN_FDNAMES", "LISTEN_FDS", "LISTEN_PID", "MAINPID", "NOTIFY_SOCKET",
        "WATCHDOG_PID", "WATCHDOG_USEC",
    ]

    static func environment(_ variables: [String: String]) -> [String: String] {
        variables.filter { !ours.contains($0.key) }
    }

    /// Starts it; its owner ends it.
    ///
    /// - Parameter endsWithThread: SIGTERM comes to it when the thread that calls this ends, for one that nothing else
    ///   would tell.
    package func start(_ streams: ChildProcess.Streams, endsWithThread: Bool = false) throws(SystemError)
        -> ChildProcess
    {
        try ChildProcess(
            path: path, arguments: [path] + arguments,
            environment: Self.environment(ProcessEnvironment.variables), streams: streams, isOutsider: true,
            partingSignal: endsWithThread ? SIGTERM : nil)
    }
}
