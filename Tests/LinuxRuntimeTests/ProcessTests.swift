import Foundation
import Glibc
import LinuxRuntime
import Octets
import Testing

@Suite("Processes", .serialized, .timeLimit(.minutes(1))) struct ProcessTests {
    @Test("a child's output, environment and end are what it made of them") func child() throws {
        let ends = try FileDescriptor.pipe()
        let reader = FileDescriptor(owning: ends.reader)
        let child: ChildProcess
        do {
            let writer = FileDescriptor(owning: ends.writer)
            child = try ChildProcess(
                path: "/bin/sh", arguments: ["sh", "-c", "echo $A; ls /proc/self/fd | wc -l; exit 3"],
                environment: ["A": "b", "PATH": "/bin:/usr/bin"], streams: .init(output: writer.raw))
        }
        var output: [UInt8] = []
        while case .octets(let octets) = try reader.read(limit: 64) { output += octets }
        let end = try child.wait()
        #expect(end == .exited(3))
        // 0, 1, 2 and the folder that ls reads.
        #expect(String(decoding: output, as: UTF8.self) == "b\n4\n")
    }

    @Test("a child that is killed says by which signal") func killed() throws {
        let child = try ChildProcess(path: "/bin/sleep", arguments: ["sleep", "100"])
        child.send(signal: SIGTERM)
        let end = try child.wait()
        #expect(end == .killed(signal: SIGTERM))
    }

    @Test("a program that is not there is an error") func missing() {
        #expect(throws: SystemError(call: "start /nonexistent", code: ENOENT)) {
            try ChildProcess(path: "/nonexistent", arguments: ["x"])
        }
    }

    /// What a child that answers on its standard output says, to its end.
    private func answer(_ start: (ChildProcess.Streams) throws -> ChildProcess) throws -> String {
        let ends = try FileDescriptor.pipe()
        let reader = FileDescriptor(owning: ends.reader)
        let child: ChildProcess
        do {
            let writer = FileDescriptor(owning: ends.writer)
            child = try start(.init(output: writer.raw))
        }
        var output: [UInt8] = []
        while case .octets(let octets) = try reader.read(limit: 4096) { output += octets }
        _ = try child.wait()
        return String(decoding: output, as: UTF8.self)
    }

    @Test("a board's program leads its own process group, takes SIGPIPE, and is not told what systemd told us")
    func boardProgram() throws {
        signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, SIG_DFL) }
        setenv("NOTIFY_SOCKET", "/run/secret-place", 1)
        setenv("CREDENTIALS_DIRECTORY", "/run/secret-place", 1)
        defer {
            unsetenv("NOTIFY_SOCKET")
            unsetenv("CREDENTIALS_DIRECTORY")
        }
        // Field 5 of stat is the group, SigIgn's bit 12 is SIGPIPE, CapAmb is what an exec would keep, CapEff what this
        // one has given, which would be everything to root. Real-time signals (from bit 31 on) stay as whoever runs the
        // tests has them: the C library lets nobody set two of them.
        let fields = "SigIgn|SigBlk|CapEff|CapAmb"
        let script = "cut -d' ' -f5 /proc/$$/stat; echo $$; grep -E '^(\(fields)):' /proc/$$/status; env"
        let program = BoardProgram(path: "/bin/sh", arguments: ["-c", script])
        let lines = try answer { try program.start($0) }.split(separator: "\n").map(String.init)
        try #require(lines.count > 6)
        #expect(lines[0] == lines[1])
        #expect(lines[0] != "\(getpgrp())")
        for line in lines[2..<6] {
            let mask = try #require(line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }, "\(line)")
            let bits: UInt64 = line.hasPrefix("Cap") ? .max : 0x7FFF_FFFF
            #expect(mask & bits == 0, "\(line)")
        }
        #expect(lines.contains { $0.hasPrefix("PATH=") })
        #expect(!lines.contains { $0.contains("secret-place") })
    }

    @Test("a signal to a board's program reaches what it has started") func group() throws {
        let program = BoardProgram(path: "/bin/sh", arguments: ["-c", "sleep 100 & echo $!; wait"])
        let ends = try FileDescriptor.pipe()
        let reader = FileDescriptor(owning: ends.reader)
        let child: ChildProcess
        do {
            let writer = FileDescriptor(owning: ends.writer)
            child = try program.start(.init(output: writer.raw))
        }
        let said = try reader.read(limit: 64)
        #expect(said != .end)
        child.send(signal: SIGTERM)
        let end = try child.wait()
        #expect(end == .killed(signal: SIGTERM))
        // Its sleep had the pipe as well: the end of it says that both have gone.
        let rest = try reader.read(limit: 64)
        #expect(rest == .end)
    }

    @Test("a program that is to end with its thread does, without being told") func partingSignal() throws {
        let program = BoardProgram(path: "/bin/sleep", arguments: ["100"])
        let started = try BoundedQueue<ChildProcess>(capacity: 1)
        let thread = try WorkerThread(name: "parent") {
            if let child = try? program.start(.init(), endsWithThread: true) { _ = started.push(child) }
        }
        thread.join()
        let child = try #require(started.takeAll().first)
        let end = try child.wait()
        #expect(end == .killed(signal: SIGTERM))
    }

    @Test(
        "the loop reports a child's end once",
        arguments: [("exit 7", ChildExit.exited(7)), ("kill -9 $$", .killed(signal: SIGKILL))])
    func watched(_ script: String, _ expected: ChildExit) throws {
        let loop = try EventLoop()
        let child = try ChildProcess(path: "/bin/sh", arguments: ["sh", "-c", script])
        var ends: [ChildExit] = []
        let source = try loop.watch(child: child) { [unowned loop] in
            ends.append($0)
            loop.exit()
        }
        _ = try loop.run()
        #expect(ends == [expected])
        _ = consume source
    }

    @Test("timers are independent of each other") func timers() throws {
        let loop = try EventLoop()
        var fired: [Int] = []
        let one = try loop.timer {
            fired.append(1)
            loop.exit()
        }
        let two = try loop.timer { fired.append(2) }
        let three = try loop.timer { fired.append(3) }
        let now = loop.now
        one.arm(now.advanced(by: .milliseconds(3)))
        two.arm(now.advanced(by: .milliseconds(1)))
        three.arm(now)
        three.arm(nil)
        _ = try loop.run()
        #expect(fired == [2, 1])
        _ = consume one
        _ = consume two
        _ = consume three
    }

    @Test("a writable watch fires while enabled, and not while paused") func writable() throws {
        var raw: [Int32] = [0, 0]
        socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &raw)
        let near = FileDescriptor(owning: raw[0])
        let far = FileDescriptor(owning: raw[1])
        let loop = try EventLoop()
        var count = 0
        let source = try loop.watchWritable(near.raw) { count += 1 }
        source.setEnabled(false)
        loop.onDeadline = { [unowned loop] in
            if count > 0 { return loop.exit() }
            loop.exit(9)
        }
        loop.arm(loop.now.advanced(by: .milliseconds(5)))
        let code = try loop.run()
        #expect(code == 9 && count == 0)
        let second = try EventLoop()
        let enabled = try second.watchWritable(near.raw) { [unowned second] in second.exit(4) }
        let result = try second.run()
        #expect(result == 4)
        _ = consume enabled
        _ = consume source
        _ = consume far
    }

    @Test("without a service manager nobody is told, and that is no error") func notification() throws {
        let isTold = try ServiceManager.notify(.ready, .status("running"))
        #expect(!isTold)
        #expect(ServiceNotification.status("a\nREADY=1").text == "STATUS=aREADY=1")
    }

    @Test("private pages are not dumped") func privatePages() throws {
        let pages = try PrivatePages(count: 5000)
        let address = pages.withOctets { UInt(bitPattern: $0.baseAddress) }
        var flags = ""
        var isOurs = false
        let smaps = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps")).readDataToEndOfFile()
        for line in String(decoding: smaps, as: UTF8.self).split(separator: "\n") {
            let range = line.prefix(while: { $0 != " " }).split(separator: "-").compactMap { UInt($0, radix: 16) }
            if range.count == 2 { isOurs = range[0] <= address && address < range[1] }
            if isOurs, line.hasPrefix("VmFlags:") { flags = String(line) }
        }
        #expect(flags.contains(" dd"), "\(flags), \(smaps.count) octets")
        withExtendedLifetime(pages) {}  // they would be gone before they are looked at
    }
}

@Suite("Manual pages and tables") struct ManualTests {
    @Test("a manual has its sections in order, wrapped and hung as man does") func manual() {
        let manual = Manual(
            name: "tool", summary: "does it", synopsis: ["tool [options] FILE"],
            description: ["One two three four five six seven eight nine ten eleven twelve.", "Second."],
            options: [.init("-h, --help", "print this and exit"), .init("-x", "short")],
            exitStatus: [.init("0", "it did")], examples: [.init("tool a", "Do it to a:")])
        #expect(
            manual.text(width: 50) == """
                NAME
                       tool - does it

                SYNOPSIS
                       tool [options] FILE

                DESCRIPTION
                       One two three four five six seven eight
                       nine ten eleven twelve.

                       Second.

                OPTIONS
                       -h, --help
                              print this and exit
                       -x     short

                EXIT STATUS
                       0      it did

                EXAMPLES
                       Do it to a:
                              tool a

                """)
    }

    @Test("a table is aligned, and a name cannot move the cursor") func table() {
        var table = TextTable("ID", "NAME")
        table.append("1", "a\u{1B}[2J")
        table.append("long", "")
        #expect(table.text == "ID    NAME\n1     a?[2J\nlong\n")
    }
}
