import Glibc
import LinuxRuntime
import Testing
import Varlink

@Suite("awared: the lock-out", .enabled(if: Accessory.hasPhone, "aware-factory is not built")) struct AwaredLockTests {
    private func shownPINs(_ program: Program) -> [Substring] {
        program.output.split(separator: "\n").filter { $0.hasPrefix("PIN ") }.map { $0.dropFirst(4) }
    }

    /// Types, once the `number`th PIN is shown, one of the million that it is not.
    private func guessWrong(_ number: Int, _ phone: Program, _ program: Program) throws {
        let isShown = try program.read { $0.output.hasSuffix("\n") && shownPINs($0).count == number }
        try #require(isShown, "\(program.log)")
        let shown = try #require(shownPINs(program).last)
        try phone.type((shown.first == "0" ? "1" : "0") + shown.dropFirst())
    }

    @Test("as many wrong PINs as were set lock pairing; kill and restart change nothing, the command opens it")
    func lockOut() throws {
        let accessory = try Accessory(lockOutAttempts: 3)
        let first = try accessory.run()
        let guesser = try accessory.phone("guesser", ["--control-rate", "0"])
        for number in 1...3 {
            #expect(try !accessory.status().pairing.isLockedOut)
            try guessWrong(number, guesser, first)
        }
        let isLocked = try first.read { $0.output.hasSuffix("LOCKED\n") }
        try #require(isLocked, "\(first.output)\(first.log)")
        #expect(Set(shownPINs(first)).count == 3, "each attempt has a PIN of its own")
        #expect(try guesser.end() != .exited(0))
        first.kill()

        let second = try accessory.run()
        #expect(try accessory.status().pairing.isLockedOut)
        #expect(try second.read { $0.output.hasSuffix("LOCKED\n") }, "\(second.output)")
        let refused = try accessory.phone("late", ["--control-rate", "0"])
        #expect(try refused.end() != .exited(0))
        second.process.send(signal: SIGTERM)
        #expect(try second.end() == .exited(0))
        #expect(!second.output.contains("PIN "))

        let third = try accessory.run()
        #expect(try accessory.status().pairing.isLockedOut)
        _ = try accessory.client().call(ControlInterface.Method.openPairingWindow.qualifiedName)
        #expect(try !accessory.status().pairing.isLockedOut)
        let phone = try accessory.phone("welcome", ["--seconds", "1", "--control-rate", "0"])
        let isShown = try third.read { $0.output.contains("PIN ") && $0.output.hasSuffix("\n") }
        try #require(isShown, "\(third.log)")
        try phone.type(String(try #require(shownPINs(third).last)))
        #expect(try phone.end() == .exited(0), "\(phone.output)\(phone.log)")
        third.process.send(signal: SIGTERM)
        #expect(try third.end() == .exited(0))
    }
}
