internal import Glibc
package import LinuxRuntime

/// A shell command whose first line of output is wanted; it is ended when this value goes away.
package final class ShellCommand {
    private let child: ChildProcess
    private let output: FileDescriptor
    private let input: LineInput
    private var watch: HeldSource?

    /// Runs `text` with the shell; `body` gets the first line, or nil when there is none.
    package init(_ text: String, on loop: EventLoop, _ body: @escaping (String?) -> Void) throws(SystemError) {
        let (reader, writer) = try FileDescriptor.pipe()
        output = FileDescriptor(owning: reader)
        defer { close(writer) }  // the child's alone from here on
        input = LineInput(reader, on: loop)
        child = try ChildProcess(
            path: "/bin/sh", arguments: ["sh", "-c", text], streams: ChildProcess.Streams(output: writer))
        watch = HeldSource(try loop.watch(child: child) { _ in })  // clears it out of the process table
        input.next { line in
            switch line {
            case .text(let text): body(text)
            case .end: body(nil)
            }
        }
    }

    deinit {
        input.cancel()
        child.send(signal: SIGTERM)
    }
}
