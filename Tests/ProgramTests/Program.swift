import Glibc
import LinuxRuntime
import Octets
import Testing

/// A program of this package that is running, with what it has written so far.
final class Program {
    let process: ChildProcess
    private(set) var output = ""
    private(set) var log = ""
    private let inputPipe: FileDescriptor
    private let outputPipe: FileDescriptor
    private let logPipe: FileDescriptor
    private var isOutputOpen = true
    private var isLogOpen = true
    private var exit: ChildExit?

    /// The slowest machine's patience: what is waited for comes within a second elsewhere.
    static let patience = Duration.seconds(60)

    /// - Parameters:
    ///   - name: of a program that lies where the tests do, or a whole path.
    ///   - environment: in place of ours, which may know a service manager.
    ///   - namesJournal: makes the pipe for its log the journal's, by the environment.
    ///   - mergesOutput: gives the program one pipe for both.
    ///   - given: a pipe for its output that nobody reads.
    init(
        _ name: String, _ arguments: [String], environment: [String: String] = [:], namesJournal: Bool = false,
        mergesOutput: Bool = false, output given: (reader: Int32, writer: Int32)? = nil
    ) throws {
        let input = try FileDescriptor.pipe()
        let inputReader = FileDescriptor(owning: input.reader)
        inputPipe = FileDescriptor(owning: input.writer)
        let output = try given ?? FileDescriptor.pipe()
        let log = try FileDescriptor.pipe()
        outputPipe = FileDescriptor(owning: output.reader)
        logPipe = FileDescriptor(owning: log.reader)
        let outputWriter = FileDescriptor(owning: output.writer)
        let logWriter = FileDescriptor(owning: log.writer)
        let streams = ChildProcess.Streams(
            input: inputReader.raw, output: mergesOutput ? logWriter.raw : outputWriter.raw, error: logWriter.raw)
        var environment = environment
        if namesJournal {
            var status = stat()
            try systemCall("fstat") { fstat(logWriter.raw, &status) }
            environment[JournalStream.variable] = "\(status.st_dev):\(status.st_ino)"
        }
        process = try ChildProcess(
            path: name.hasPrefix("/") ? name : Self.path(name), arguments: [name] + arguments,
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }, streams: streams)
        isOutputOpen = given == nil
    }

    deinit {
        if exit == nil { kill() }
    }

    /// Ends it as a power cut would, and waits for that.
    func kill() {
        process.send(signal: SIGKILL)
        exit = try? process.wait()
    }

    /// Programs lie where the tests do.
    static func path(_ name: String) -> String {
        var octets = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &octets, octets.count - 1)
        let own = String(decoding: octets.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return "\(folder)/\(name)"
    }

    /// Reads until `isEnough` of output and log; false when the program closes both, or time is over, before.
    @discardableResult
    func read(for limit: Duration = patience, until isEnough: (Program) -> Bool = { _ in false }) throws -> Bool {
        let end = MonotonicInstant.boot.advanced(by: limit)
        while !isEnough(self) {
            let left = MonotonicInstant.boot.duration(to: end)
            guard left > .zero, isOutputOpen || isLogOpen else { return isEnough(self) }
            var entries = [
                pollfd(fd: isOutputOpen ? outputPipe.raw : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: isLogOpen ? logPipe.raw : -1, events: Int16(POLLIN), revents: 0),
            ]
            try systemCall("poll") { poll(&entries, 2, Int32(max(1, left / .milliseconds(1)))) }
            if entries[0].revents != 0 { isOutputOpen = try Self.append(from: outputPipe, to: &output) }
            if entries[1].revents != 0 { isLogOpen = try Self.append(from: logPipe, to: &log) }
        }
        return true
    }

    private static func append(from pipe: borrowing FileDescriptor, to text: inout String) throws -> Bool {
        guard case .octets(let octets) = try pipe.read(limit: 65536) else { return false }
        text += String(decoding: octets, as: UTF8.self)
        return true
    }

    /// Types a line.
    func type(_ line: String) throws {
        let octets = Array("\(line)\n".utf8)
        try systemCall("write") { write(inputPipe.raw, octets, octets.count) }
    }

    func waitForLog(_ text: String) throws {
        let isThere = try read { $0.log.contains(text) }
        try #require(isThere, "\(text) did not come:\n\(log)")
    }

    /// Reads what is left and waits for the end; one that does not end is ended.
    func end() throws -> ChildExit {
        try read()
        if isOutputOpen || isLogOpen {
            Issue.record("still running after \(Self.patience):\n\(output)\(log)")
            process.send(signal: SIGKILL)
        }
        let exit = try process.wait()
        self.exit = exit
        return exit
    }
}

/// A folder for one test, removed with everything in it.
final class TestFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/aware-program.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func write(_ text: String, to name: String) throws {
        try DurableFile(path: file(name)).write(Array(text.utf8))
    }

    func contents(_ folder: String = "") -> [String] { Self.entries(file(folder)) }

    private static func entries(_ path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let name = String(
                cString: UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self))
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    private static func remove(_ path: String) {
        for name in entries(path) { remove("\(path)/\(name)") }
        if rmdir(path) != 0 { unlink(path) }
    }
}
