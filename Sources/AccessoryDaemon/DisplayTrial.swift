internal import GPIOAdapter
internal import Glibc
internal import LinuxRuntime
internal import NANSecurity
internal import Ports
internal import Provisioning

/// `awared --try-display`: a display by itself, told what to show by whoever wires the board.
final class DisplayTrial {
    private let loop: EventLoop
    private var display: DisplayThread?
    private var sources = Sources()
    private var pending: [UInt8] = []
    private var hasEnded = false
    /// Those that were taken up so far.
    private var lines = 0
    private var isAlwaysReadable = false
    private static let longestLine = 4096
    /// The line whose content is on its way to the display.
    private var shown: String?
    private var result: ExitStatus?

    private struct Sources: ~Copyable {
        var input: EventSource?
        var terminate: EventSource?
        var interrupt: EventSource?
    }

    static func run(_ display: BoardProfile.Display) throws(StartFailure) -> ExitStatus {
        guard let makeDisplay = try BoardDisplay.find(display) else {
            throw .configuration("display: the board has none")
        }
        do throws(SystemError) {
            let trial = try DisplayTrial(makeDisplay)
            return try trial.run()
        } catch { throw .failure("\(error)") }
    }

    private init(_ makeDisplay: @escaping @Sendable () -> any PairingDisplay) throws(SystemError) {
        signal(SIGPIPE, SIG_IGN)
        loop = try EventLoop()
        // Before the display's thread, which inherits which signals are blocked.
        sources.terminate = try loop.watch(signal: SIGTERM) { [unowned self] in end() }
        sources.interrupt = try loop.watch(signal: SIGINT) { [unowned self] in end() }
        display = try DisplayThread(
            on: loop, makeDisplay: makeDisplay, onShown: { _ in },
            onFailure: { [unowned self] _, error in fail("nothing can be shown: \(error)", .failure) })
    }

    private func run() throws(SystemError) -> ExitStatus {
        do throws(SystemError) {
            sources.input = try loop.watch(STDIN_FILENO) { [unowned self] in
                read()
                next()
            }
        } catch {
            // epoll takes no regular files, which need no waiting for.
            isAlwaysReadable = true
            loop.post { [self] in next() }
        }
        _ = try loop.run()
        return result ?? .success
    }

    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
        if count > 0 {
            pending += buffer.prefix(count)
        } else if count == 0 || errno != EINTR {
            hasEnded = true
            sources.input = nil
        }
    }

    /// Takes up the next line when the one before is shown; nothing is read ahead of that.
    private func next() {
        guard shown == nil, result == nil else { return }
        while true {
            if let line = takeLine() { return show(line) }
            if hasEnded { return end() }
            guard pending.count <= Self.longestLine else {
                return fail("line \(lines + 1) is longer than \(Self.longestLine) octets", .usage)
            }
            guard isAlwaysReadable else { break }
            read()
        }
        sources.input?.setEnabled(true)
    }

    private func show(_ line: String) {
        lines += 1
        guard let content = Self.content(line) else {
            // Not what it says: it may be a PIN, misspelt.
            let accepted = "pin and six digits, blank, ready, paired, failed or locked"
            return fail("line \(lines) cannot be shown; accepted is \(accepted)", .usage)
        }
        sources.input?.setEnabled(false)
        shown = line
        display?.show(content)
        display?.onceShown { [unowned self] in
            guard result == nil else { return }
            var line = line + "\n"
            line.withUTF8 { _ = write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            loop.post { [unowned self] in
                shown = nil
                next()
            }
        }
    }

    /// The next whole line; of an input that has ended, also the rest.
    private func takeLine() -> String? {
        let end = pending.firstIndex(of: UInt8(ascii: "\n"))
        guard end != nil || (hasEnded && !pending.isEmpty) else { return nil }
        let line = pending.prefix(upTo: end ?? pending.endIndex)
        var text = String(decoding: line, as: UTF8.self)
        if text.last == "\r" { text.removeLast() }
        pending.removeFirst(line.count + (end == nil ? 0 : 1))
        return text
    }

    private static func content(_ line: String) -> DisplayContent? {
        switch line {
        case "blank": .blank
        case "ready": .ready
        case "paired": .paired
        case "failed": .failed
        case "locked": .locked
        default: line.hasPrefix("pin ") ? PIN(typed: String(line.dropFirst(4))).map { .pin($0) } : nil
        }
    }

    private func fail(_ text: String, _ status: ExitStatus) {
        guard result == nil else { return }
        Logger("display").log(.error, text)
        end(status)
    }

    /// Blanks the display, and ends when it is.
    private func end(_ status: ExitStatus = .success) {
        guard result == nil else { return }
        result = status
        sources.input = nil
        display?.show(.blank)
        display?.onceShown { [unowned self] in loop.exit() }
    }
}
