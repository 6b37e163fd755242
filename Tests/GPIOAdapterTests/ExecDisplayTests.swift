import DisplayDrivers
import GPIOAdapter
import Glibc
import LinuxRuntime
import NANSecurity
import Octets
import Ports
import Testing

@Suite("Display that is a program") struct ExecDisplayTests {
    /// What the program has written to its file, once `isEnough` of it is there.
    private func contents(of path: String, until isEnough: (String) -> Bool) throws -> String {
        let end = MonotonicInstant.boot.advanced(by: .seconds(60))
        while true {
            let text =
                (try? String(decoding: DurableFile(path: path).readConfiguration(limit: 4096) ?? [], as: UTF8.self))
                ?? ""
            if isEnough(text) || MonotonicInstant.boot > end { return text }
            poll(nil, 0, 5)
        }
    }

    private func scratch() throws -> String {
        var template = Array("/tmp/exec-display-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp", code: errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Shows contents one after the other, each once the one before has been given or has failed.
    private func show(_ contents: [DisplayContent], on thread: DisplayThread, _ loop: EventLoop) throws {
        func next(_ index: Int) {
            guard index < contents.count else { return loop.exit() }
            thread.show(contents[index])
            thread.onceShown { loop.post { next(index + 1) } }
        }
        loop.post { next(0) }
        _ = try loop.run()
    }

    @Test("it gets a line for each content, the PIN in one of them, and then the end of its input") func lines() throws
    {
        let folder = try scratch()
        let script =
            "while read -r line; do printf '%s\\n' \"$line\"; done > \(folder)/lines; echo end >> \(folder)/lines"
        let loop = try EventLoop()
        let pin = try #require(PIN(typed: "314159"))
        do {
            let thread = try DisplayThread(
                on: loop, makeDisplay: { ExecDisplay(BoardProgram(path: "/bin/sh", arguments: ["-c", script])) },
                onShown: { _ in }, onFailure: { Issue.record("\($1)") })
            try show([.ready, .pin(pin), .paired, .failed, .locked, .blank], on: thread, loop)
        }
        let text = try contents(of: "\(folder)/lines") { $0.hasSuffix("end\n") }
        let states = ["ready", "pin\",\"pin\":\"314159", "paired", "failed", "locked", "blank"]
        let expected = ["blank"] + states
        let lines = expected.map { "{\"state\":\"\($0)\"}\n" }.joined()
        #expect(text == lines + "end\n")
    }

    @Test("one that ends is started again after a second, and told what there is to show") func restart() throws {
        let folder = try scratch()
        // Two lines are read, then it ends.
        let script =
            "for i in 1 2; do read -r line && printf '%s\\n' \"$line\" >> \(folder)/lines; done; echo end >> \(folder)/lines"
        let loop = try EventLoop()
        let thread = try DisplayThread(
            on: loop, makeDisplay: { ExecDisplay(BoardProgram(path: "/bin/sh", arguments: ["-c", script])) },
            onShown: { _ in }, onFailure: { _, _ in })
        let began = MonotonicInstant.boot
        try show([.paired], on: thread, loop)
        let text = try withExtendedLifetime(thread) {
            try contents(of: "\(folder)/lines") { $0.split(separator: "\n").count >= 4 }
        }
        #expect(text.hasPrefix("{\"state\":\"blank\"}\n{\"state\":\"paired\"}\nend\n{\"state\":\"paired\"}\n"))
        #expect(began.duration(to: .boot) > .milliseconds(900))
    }

    @Test("one that reads nothing is never waited for, and one that is not there is an error") func mute() throws {
        let loop = try EventLoop()
        var failures = 0
        do {
            let thread = try DisplayThread(
                on: loop, makeDisplay: { ExecDisplay(BoardProgram(path: "/nowhere/at/all", arguments: [])) },
                onShown: { _ in },
                onFailure: { _, _ in failures += 1 })
            try show([.ready], on: thread, loop)
        }
        #expect(failures == 1)
        // A pipe holds 64 KiB; some three thousand contents fill it.
        let other = try EventLoop()
        let thread = try DisplayThread(
            on: other, makeDisplay: { ExecDisplay(BoardProgram(path: "/bin/sleep", arguments: ["60"])) },
            onShown: { _ in },
            onFailure: { _, _ in failures += 1 })
        let contents = (0..<6000).map { $0 % 2 == 0 ? DisplayContent.ready : .paired }
        try show(contents, on: thread, other)
        withExtendedLifetime(thread) {}
        #expect(failures > 1)
    }
}

@Suite("Lines that are not there") struct LineFailureTests {
    @Test("a chip that the board has not is named in the error") func noChip() throws {
        let line = try #require(LineName("!gpiochip-none:3"))
        let failure = try #require(LineCheck.fault([line]))
        #expect(failure.line == "!gpiochip-none:3" && !failure.isPermanent)
        #expect([.noChips, .noSuchChip("gpiochip-none")].contains(failure.cause))
        #expect("\(failure)".hasPrefix("line !gpiochip-none:3: "))
    }

    @Test("who holds a line, and what is to be done, is said") func words() {
        func text(_ cause: LineFailure.Cause) -> String { "\(LineFailure(line: "GPIO17", cause: cause))" }
        let taken = "line GPIO17: it is taken by spi0 CS0; stop that, or choose another line"
        #expect(text(.taken(by: "spi0 CS0")) == taken)
        #expect(text(.notPermitted("/dev/gpiochip0")).contains("no permission to use /dev/gpiochip0"))
        #expect(text(.noSuchLine).contains("gpioinfo"))
        #expect(text(.ambiguous(["/dev/gpiochip0", "/dev/gpiochip1"])).contains("/dev/gpiochip0, /dev/gpiochip1"))
        #expect(text(.namedTwice("gpiochip0:17")).contains("it is the same as gpiochip0:17"))
        #expect(LineFailure(line: "", cause: .ambiguous([])).isPermanent)
        #expect(LineFailure(line: "", cause: .namedTwice("")).isPermanent)
        #expect(!LineFailure(line: "", cause: .taken(by: "")).isPermanent)
    }
}
