import Glibc
import LinuxRuntime
import Octets
import Testing
import Varlink

@Suite("awared: sudden ends", .enabled(if: Accessory.hasPhone, "aware-factory is not built"))
struct AwaredKillTests {
    private static let kills = 20

    @Test("killed 20 times during pairings it loses no pairing that it has said is kept", .timeLimit(.minutes(5)))
    func kills() throws {
        var entropy = Entropy.seeded(1)
        let accessory = try Accessory()
        var kept: Set<String> = []
        var cutShort = 0
        // From the typing on. How long a pairing takes depends on the machine, so the next kill comes earlier after one
        // that came too late, and later after one that came too early: on either side of every instant in between.
        var longest = 150_000
        for round in 0..<Self.kills {
            let program = try accessory.run(["--log-level", "info"])
            try expectPaired(kept, accessory, round)
            let phone = try accessory.phone("phone\(round)", ["--control-rate", "0"])
            #expect(try program.read { $0.output.contains("PIN ") && $0.output.hasSuffix("\n") }, "\(program.log)")
            let shown = try #require(program.output.split(separator: "\n").last { $0.hasPrefix("PIN ") })
            try phone.type(String(shown.dropFirst(4)))
            let life = Duration.microseconds(Int.random(in: 0...longest, using: &entropy))
            try program.read(for: life)
            program.kill()
            try program.read()
            let news = program.log.split(separator: "\n").filter { $0.contains("pairing: paired pairing=") }
            kept.formUnion(news.compactMap { $0.split(separator: "=").last.map(String.init) })
            if news.isEmpty { cutShort += 1 }
            longest = news.isEmpty ? longest * 3 / 2 : longest * 2 / 3
            phone.kill()
        }
        let program = try accessory.run()
        try expectPaired(kept, accessory, Self.kills)
        // Otherwise it was no test of what happens in between.
        #expect(kept.count >= 2 && cutShort >= 2, "\(kept.count) kept, \(cutShort) cut short")
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }

    private func expectPaired(_ kept: Set<String>, _ accessory: Accessory, _ round: Int) throws {
        let present = Set(try accessory.status().peers.map(\.id))
        #expect(kept.isSubset(of: present), "lost by kill \(round): \(kept.subtracting(present))")
    }

    @Test("a phone paired before a kill is verified after it, without a PIN") func verified() throws {
        let accessory = try Accessory()
        let first = try accessory.run()
        let phone = try accessory.phone("phone", ["--seconds", "1", "--control-rate", "0"])
        #expect(try first.read { $0.output.contains("PIN ") && $0.output.hasSuffix("\n") }, "\(first.log)")
        let shown = try #require(first.output.split(separator: "\n").last { $0.hasPrefix("PIN ") })
        try phone.type(String(shown.dropFirst(4)))
        // The phone has the pairing a moment after the accessory, which keeps it first.
        #expect(try phone.read { $0.output.contains("\"event\":\"paired\"") }, "\(phone.output)")
        first.kill()
        phone.kill()

        let second = try accessory.run()
        let again = try accessory.phone("phone", ["--seconds", "1", "--control-rate", "0"])
        #expect(try again.end() == .exited(0), "\(again.output)\(again.log)")
        #expect(again.output.contains("\"by\":\"pairing\"") || !again.output.contains("pin_needed"))
        #expect(second.log.isEmpty || !second.output.contains("PIN "))
        try second.waitForLog("a paired device is here")
        #expect(!second.output.contains("PIN "))
        second.process.send(signal: SIGTERM)
        #expect(try second.end() == .exited(0))
    }

    @Test("what the disk does not take is not said to be kept; the next pairing is", .timeLimit(.minutes(2)))
    func fullDisk() throws {
        let accessory = try Accessory()
        let program = try accessory.run()
        let (state, away) = (accessory.folder.file("state"), accessory.folder.file("away"))
        let phone = try accessory.phone("phone", ["--seconds", "1", "--control-rate", "0"])
        #expect(try program.read { $0.output.contains("PIN ") && $0.output.hasSuffix("\n") }, "\(program.log)")
        // The guess is on disk by now; what the disk does not take any more is the pairing.
        try systemCall("rename") { rename(state, away) }
        try phone.type(
            String(try #require(program.output.split(separator: "\n").last { $0.hasPrefix("PIN ") }).dropFirst(4)))
        try program.waitForLog("store: not saved; what it was for is undone")
        #expect(try program.read { $0.output.contains("FAILED\n") }, "\(program.output)\(program.log)")
        phone.kill()
        #expect(try accessory.status().peers.isEmpty)
        #expect(!program.log.contains("pairing: paired"))

        try systemCall("rename") { rename(away, state) }
        let shown = program.output.components("PIN ")
        let again = try accessory.phone("again", ["--seconds", "1", "--control-rate", "0"])
        #expect(
            try program.read { $0.output.components("PIN ") > shown && $0.output.hasSuffix("\n") }, "\(program.log)")
        try again.type(
            String(try #require(program.output.split(separator: "\n").last { $0.hasPrefix("PIN ") }).dropFirst(4)))
        #expect(try again.end() == .exited(0), "\(again.output)\(again.log)")
        #expect(try accessory.status().peers.count == 1)
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }
}
