internal import Glibc
package import LinuxRuntime

/// A program that the demo runs: its output by the line, its log in a file, its end reported once.
package final class SupervisedProcess {
    private let child: ChildProcess
    private let output: FileDescriptor
    private let lines: LineInput
    /// Ours to close.
    private let keyboard: Int32?
    private let onLine: (String) -> Void
    private let onEnd: (ChildExit) -> Void
    private var watch: HeldSource?
    private var exit: ChildExit?
    private var hasEndedOutput = false

    package enum Keyboard: Equatable, Sendable {
        case none
        /// What `type` writes.
        case pipe
        /// Our own standard input: a person's.
        case inherited
    }

    /// Starts `path`; standard error is appended to `log`.
    package init(
        path: String, arguments: [String], environment: [String: String], keyboard: Keyboard, log: String,
        on loop: EventLoop, onLine: @escaping (String) -> Void, onEnd: @escaping (ChildExit) -> Void
    ) throws(SystemError) {
        // The child's ends are closed here once it has them. By number: an owner that is not named again may close
        // its descriptor before the call that uses it.
        var childEnds: [Int32] = []
        defer { for end in childEnds { close(end) } }
        let (reader, writer) = try FileDescriptor.pipe()
        output = FileDescriptor(owning: reader)
        let logFile = try systemCall("open \(log)") { open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600) }
        childEnds = [writer, logFile]
        var streams = ChildProcess.Streams(output: writer, error: logFile)
        switch keyboard {
        case .none: self.keyboard = nil
        case .pipe:
            let (reader, writer) = try FileDescriptor.pipe()
            streams.input = reader
            childEnds.append(reader)
            self.keyboard = writer
        case .inherited:
            streams.input = STDIN_FILENO
            self.keyboard = nil
        }
        self.onLine = onLine
        self.onEnd = onEnd
        lines = LineInput(output.raw, on: loop)
        child = try ChildProcess(path: path, arguments: [path] + arguments, environment: environment, streams: streams)
        watch = HeldSource(
            try loop.watch(child: child) { [unowned self] exit in
                self.exit = exit
                end()
            })
        readNext()
    }

    deinit {
        lines.cancel()
        watch = nil
        if let keyboard { close(keyboard) }
    }

    package func send(signal: Int32) {
        if exit == nil { child.send(signal: signal) }
    }

    package func type(_ line: String) {
        let octets = Array((line + "\n").utf8)
        // A line fits into the pipe; a phone that is gone has no use for it.
        _ = keyboard.map { write($0, octets, octets.count) }
    }

    private func readNext() {
        lines.next { [weak self] line in
            guard let self else { return }
            switch line {
            case .text(let text):
                onLine(text)
                readNext()
            case .end:
                hasEndedOutput = true
                end()
            }
        }
    }

    /// Once both the program and its output have ended, so that its last words come before.
    private func end() {
        guard let exit, hasEndedOutput else { return }
        onEnd(exit)
    }
}
