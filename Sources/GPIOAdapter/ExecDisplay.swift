internal import Glibc
package import LinuxRuntime
internal import NANSecurity
package import Octets
package import Ports

/// A display that a program of the board's maker draws: it gets a line of JSON for each content.
///
/// It is started with the display, and anew when it ends, after 1, 2, 4 … 60 s. It is never waited for: a program that
/// does not read gets the newest content once it does.
package final class ExecDisplay: PairingDisplay {
    private let program: BoardProgram
    private var child: ChildProcess?
    /// The writing end of its standard input.
    private var pipe: FileDescriptor?
    private var content = DisplayContent.blank
    /// It has not got the content yet.
    private var isOwed = true
    private var startedAt = MonotonicInstant(nanoseconds: 0)
    private var delay = RestartDelay()
    package private(set) var alarm: MonotonicInstant?

    /// A program that does not read is asked again after this.
    private static let retry = Duration.milliseconds(100)
    /// A program is given this long to end by itself, and looked after this often.
    private static let patience = Duration.seconds(1)
    private static let look = 10_000

    /// Starts the program.
    package init(_ program: BoardProgram) {
        self.program = program
        start()
    }

    deinit {
        pipe = nil  // the end of its input is what tells it
        end()
    }

    package var hazard: Int32? { pipe?.raw }

    package func show(_ content: DisplayContent) throws(SystemError) {
        self.content = content
        isOwed = true
        guard pipe != nil else { throw SystemError(call: "write to \(program.path), which has ended", code: EPIPE) }
        guard try tell() else { throw SystemError(call: "write to \(program.path), which does not read", code: EAGAIN) }
    }

    package func wake() {
        if pipe != nil {
            if hasGone { return lose() }
            do throws(SystemError) { _ = try tell() } catch { lose() }
        } else if let due = alarm, due <= .boot {
            start()
        }
    }

    private func start() {
        alarm = nil
        startedAt = .boot
        do throws(SystemError) { try launch() } catch { lose("\(error)") }
    }

    private func launch() throws(SystemError) {
        let (reader, writer) = try FileDescriptor.pipe()
        pipe = FileDescriptor(owning: writer)
        let input = FileDescriptor(owning: reader)
        child = try program.start(.init(input: input.raw))
        isOwed = true
        _ = try tell()
    }

    /// Writes what is owed; false when the program has not read what it got before.
    private func tell() throws(SystemError) -> Bool {
        guard isOwed, let raw = pipe?.raw else { return true }
        var room = pollfd(fd: raw, events: Int16(POLLOUT), revents: 0)
        // With room for a page, or with an error: either way the write below returns at once.
        guard try systemCall("poll", { poll(&room, 1, 0) }) > 0 else {
            alarm = MonotonicInstant.boot.advanced(by: Self.retry)
            return false
        }
        var line: [UInt8] = []
        line.reserveCapacity(64)
        append(to: &line)
        defer { wipe(&line) }
        let count = line.count
        try systemCall("write to \(program.path)") { write(raw, line, count) }
        isOwed = false
        alarm = nil
        return true
    }

    private func append(to line: inout [UInt8]) {
        line += "{\"state\":\"\(content.word)\"".utf8
        if case .pin(let pin) = content {
            line += ",\"pin\":\"".utf8
            // Shown on purpose: this is the display.
            pin.withDigits { line += $0 }
            line.append(UInt8(ascii: "\""))
        }
        line += "}\n".utf8
    }

    /// The program has ended, or has closed its standard input.
    private var hasGone: Bool {
        guard let raw = pipe?.raw else { return false }
        var entry = pollfd(fd: raw, events: 0, revents: 0)
        return poll(&entry, 1, 0) > 0
    }

    private func lose(_ cause: String = "it has ended") {
        pipe = nil
        end()
        let now = MonotonicInstant.boot
        let wait = delay.take(after: startedAt.duration(to: now))
        Logger("display").log(
            .error, "the display's program is gone",
            [("program", program.path), ("cause", cause), ("again-in", "\(wait)")])
        alarm = now.advanced(by: wait)
    }

    /// Clears the program out of the process table; it is told to go when it does not by itself.
    private func end() {
        guard let child else { return }
        self.child = nil
        let deadline = MonotonicInstant.boot.advanced(by: Self.patience)
        while waitpid(child.processID, nil, WNOHANG) == 0 {
            guard MonotonicInstant.boot < deadline else {
                child.send(signal: SIGKILL)
                _ = try? child.wait()
                return
            }
            usleep(UInt32(Self.look))
        }
    }
}
