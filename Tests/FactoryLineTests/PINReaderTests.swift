import FactoryLine
import Glibc
import LinuxRuntime
import NANSecurity
import Testing

@Suite("Where the PIN comes from", .serialized) struct PINReaderTests {
    /// The answer of one reader on a loop of its own.
    private func answer(_ source: PINSource) throws -> PINReader.Answer? {
        let loop = try EventLoop()
        let reader = PINReader(source, on: loop)
        var answer: PINReader.Answer?
        reader.ask {
            answer = $0
            loop.exit()
        }
        #expect(answer == nil, "an answer comes on a turn of its own")
        _ = try loop.run()
        return answer
    }

    private func file(_ text: String) throws -> String {
        let path = "/tmp/aware-pin-\(getpid())-\(UInt64.random(in: .min ... .max))"
        try DurableFile(path: path).write(Array(text.utf8))
        return path
    }

    @Test("a given PIN is the answer") func given() throws {
        let pin = try #require(PIN(typed: "123456"))
        #expect(try answer(.given(pin)) == .pin(pin))
    }

    @Test("the first line of a file is the PIN", arguments: ["654321", "654321\n", "654321\r\nmore\n"])
    func fromFile(_ text: String) throws {
        let path = try file(text)
        defer { unlink(path) }
        let pin = try #require(PIN(typed: "654321"))
        #expect(try answer(.file(path)) == .pin(pin))
    }

    @Test("a file with something else has no PIN", arguments: ["", "12345", "1234567", "abcdef", "12 34 56"])
    func malformedFile(_ text: String) throws {
        let path = try file(text)
        defer { unlink(path) }
        #expect(try answer(.file(path)) == .malformed)
    }

    @Test("a file that is not there is said to be missing") func missingFile() throws {
        #expect(try answer(.file("/nonexistent/pin")) == .unavailable("/nonexistent/pin: there is no such file"))
    }

    @Test("the first line that a command prints is the PIN") func command() throws {
        let pin = try #require(PIN(typed: "000111"))
        #expect(try answer(.command("printf ' 000111 \\n222333\\n'")) == .pin(pin))
        #expect(try answer(.command("echo PIN")) == .malformed)
        #expect(try answer(.command("exit 3")) == .unavailable("the PIN command printed nothing"))
    }

    @Test("without a source nobody can be asked") func none() throws {
        #expect(try answer(.none) == .unavailable("a PIN is needed, and there is nobody to ask"))
    }
}

@Suite("Lines from a descriptor", .serialized) struct LineInputTests {
    @Test("lines come one at a time, however they were written, and then the end") func pipe() throws {
        let loop = try EventLoop()
        let (readingEnd, writingEnd) = try FileDescriptor.pipe()
        let reader = FileDescriptor(owning: readingEnd)
        let input = LineInput(reader.raw, on: loop)
        var lines: [LineInput.Line] = []
        func next() {
            input.next { line in
                lines.append(line)
                if line == .end { loop.exit() } else { next() }
            }
        }
        next()
        loop.post { _ = write(writingEnd, "one\ntw", 6) }
        loop.post {
            _ = write(writingEnd, "o \n\nlast", 8)
            close(writingEnd)
        }
        _ = try loop.run()
        #expect(lines == [.text("one"), .text("two"), .text(""), .text("last"), .end])
    }

    @Test("a regular file, which epoll refuses, is read all the same") func regularFile() throws {
        let path = "/tmp/aware-lines-\(getpid())"
        try DurableFile(path: path).write(Array("a\nb".utf8))
        defer { unlink(path) }
        let loop = try EventLoop()
        let file = FileDescriptor(owning: open(path, O_RDONLY))
        let input = LineInput(file.raw, on: loop)
        var lines: [LineInput.Line] = []
        func next() {
            input.next { line in
                lines.append(line)
                if line == .end { loop.exit() } else { next() }
            }
        }
        next()
        _ = try loop.run()
        #expect(lines == [.text("a"), .text("b"), .end])
    }
}
