internal import Glibc
package import LinuxRuntime
package import NANSecurity

/// Gets a PIN from where the command line says it comes from.
package final class PINReader {
    package enum Answer: Equatable, Sendable {
        case pin(PIN)
        case malformed
        case unavailable(String)
    }

    /// A file with a PIN in it holds a line; anything longer is another file.
    private static let fileLimit = 4096

    private let source: PINSource
    private let loop: EventLoop
    private lazy var standardInput = LineInput(STDIN_FILENO, on: loop)
    private var command: ShellCommand?

    package init(_ source: PINSource, on loop: EventLoop) {
        self.source = source
        self.loop = loop
    }

    /// Asks; the answer comes on a turn of its own, unless `cancel` is first.
    package func ask(_ body: @escaping (Answer) -> Void) {
        switch source {
        case .given(let pin): loop.post { body(.pin(pin)) }
        case .file(let path):
            let answer = Self.read(path)
            loop.post { body(answer) }
        case .standardInput:
            standardInput.next { line in
                switch line {
                case .text(let text): body(Self.answer(text))
                case .end: body(.unavailable("standard input has ended, and a PIN is needed"))
                }
            }
        case .command(let text):
            do throws(SystemError) {
                command = try ShellCommand(text, on: loop) { [unowned self] line in
                    command = nil
                    body(line.map(Self.answer) ?? .unavailable("the PIN command printed nothing"))
                }
            } catch {
                loop.post { body(.unavailable("the PIN command: \(error)")) }
            }
        case .none: loop.post { body(.unavailable("a PIN is needed, and there is nobody to ask")) }
        }
    }

    /// Nobody waits for the PIN any more.
    package func cancel() {
        if source == .standardInput { standardInput.cancel() }
        command = nil
    }

    private static func answer(_ text: String) -> Answer { PIN(typed: text).map { .pin($0) } ?? .malformed }

    private static func read(_ path: String) -> Answer {
        do throws(FileError) {
            guard var octets = try DurableFile(path: path).read(limit: fileLimit) else {
                return .unavailable("\(path): there is no such file")
            }
            defer { wipe(&octets) }
            let line = octets.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
            return answer(String(decoding: line, as: UTF8.self))
        } catch {
            return .unavailable("\(error)")
        }
    }
}
