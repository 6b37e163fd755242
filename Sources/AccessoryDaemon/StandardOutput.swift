internal import Glibc
internal import LinuxRuntime

/// What standard output is, seen as the place where PINs are shown.
enum StandardOutput {
    enum Fault: Equatable {
        /// Showing PINs there would keep them.
        case isLog(String)
        /// Nobody would see them.
        case isNowhere
    }

    /// Nil when a console display may use it.
    static func fault(environment: [String: String]) -> Fault? {
        var output = stat()
        guard fstat(STDOUT_FILENO, &output) == 0 else { return .isNowhere }
        if JournalStream.isConnected(to: STDOUT_FILENO, name: environment[JournalStream.variable]) {
            return .isLog("the journal")
        }
        if output.st_mode & S_IFMT == S_IFCHR { return isatty(STDOUT_FILENO) == 1 ? nil : .isNowhere }
        var log = stat()
        if fstat(STDERR_FILENO, &log) == 0, log.st_dev == output.st_dev, log.st_ino == output.st_ino {
            return .isLog("the same file as standard error, the log")
        }
        return nil
    }
}
