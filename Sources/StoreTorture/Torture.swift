import Glibc
import LinuxRuntime
import Octets
import PeerStore
import Ports

/// Kills a writer again and again, and holds the store to what was acknowledged.
struct Torture {
    let kills: Int
    let seed: UInt64
    let folder: String
    let program: String

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private struct Tally {
        var acknowledged = 0
        /// Killed before the first acknowledgement: while opening, or in the first write.
        var early = 0
        /// Durable, but killed before it could be said.
        var unsaid = 0
        var previous = 0
        var longest = 0
    }

    /// Longest life of a writer: hundreds of writes on a fast disk, and on a slow one at least a few.
    private static let longestLife = Duration.milliseconds(140)

    func run() throws -> String {
        var entropy = Entropy.seeded(seed)
        var history = History()
        var tally = Tally()
        let start = MonotonicInstant.boot
        for number in 1...kills {
            let life = Self.longestLife * Int.random(in: 0...1000, using: &entropy) / 1000
            let lines = try killedWriter(from: history.length, after: life)
            for line in lines {
                guard line == "\(history.length + 1)" else {
                    throw Failure(description: "kill \(number): \(line) acknowledged after \(history.length)")
                }
                history.advance()
            }
            tally.acknowledged += lines.count
            tally.early += lines.isEmpty ? 1 : 0
            tally.longest = max(tally.longest, lines.count)
            try check(&history, &tally, number)
        }
        let time = start.duration(to: .boot).components.seconds
        if tally.acknowledged < kills / 2 { throw Failure(description: "too few writes to mean anything: \(tally)") }
        return """
            \(kills) kills in \(time) s, seed \(seed): nothing acknowledged was lost, the file always opened
              \(tally.acknowledged) changes acknowledged, at most \(tally.longest) by one writer
              \(tally.early) writers killed before their first acknowledgement
              \(tally.unsaid) changes durable that could not be acknowledged any more
              \(tally.previous) times the generation before was needed
            """
    }

    /// Opens the store as after a restart; it must be what was acknowledged, or one change further.
    private func check(_ history: inout History, _ tally: inout Tally, _ number: Int) throws {
        let store: PeerStore
        do { store = try PeerStore(folder: folder) } catch {
            throw Failure(description: "kill \(number): the store does not open: \(error)")
        }
        if case .previous = store.opening { tally.previous += 1 }
        let state = store.state
        if history.matches(state) { return }
        history.advance()
        guard history.matches(state) else {
            throw Failure(description: "kill \(number): acknowledged change \(history.length - 1) is lost")
        }
        tally.unsaid += 1
    }

    /// Starts a writer, kills it after `life`, and returns its whole lines.
    private func killedWriter(from change: UInt32, after life: Duration) throws -> [String] {
        let ends = try FileDescriptor.pipe()
        let reader = FileDescriptor(owning: ends.reader)
        let writer: ChildProcess
        do {
            let output = FileDescriptor(owning: ends.writer)
            writer = try ChildProcess(
                path: program, arguments: ["StoreTorture", "write", "--folder", folder, "--from", "\(change)"],
                streams: .init(output: output.raw))
        }
        let deadline = MonotonicInstant.boot.advanced(by: life)
        var octets: [UInt8] = []
        func read() throws -> Bool {
            guard case .octets(let more) = try reader.read(limit: 4096) else { return false }
            octets += more
            return true
        }
        while true {
            let rest = MonotonicInstant.boot.duration(to: deadline)
            guard rest > .zero, try reader.waitUntilReadable(timeout: rest) else { break }
            if try !read() { break }
        }
        writer.send(signal: SIGKILL)
        while try read() {}
        let end = try writer.wait()
        guard end == .killed(signal: SIGKILL) else { throw Failure(description: "the writer ended by itself: \(end)") }
        // A line without its end was not said.
        let text = String(decoding: octets, as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
}

/// Makes changes until it is killed, and says each one's number once it is durable.
enum Writer {
    static func run(folder: String, from change: UInt32) throws -> Never {
        let store = try PeerStore(folder: folder)
        var number = change
        while true {
            number += 1
            switch store.handle(History.command(number)) {
            case .saved:
                // Straight to the pipe: what sits in a buffer of ours when we are killed was not said.
                var line = Array("\(number)\n".utf8)
                try systemCall("write") { write(STDOUT_FILENO, &line, line.count) }
            case .failed(_, let reason): throw Torture.Failure(description: reason)
            }
        }
    }
}
