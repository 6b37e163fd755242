import Foundation
import LinuxRuntime
import Octets
import Testing

/// A phone pairs and leaves; then everything that is left of it outside the daemon's own memory is searched.
@Suite("awared: secrets", .enabled(if: Accessory.hasPhone, "aware-factory is not built"))
struct AwaredSecretsTests {
    private struct Pairing {
        let accessory: Accessory
        let program: Program
        let secrets: PairingSecrets
    }

    /// Pairs with everything logged, and ends the phone.
    private func pair() throws -> Pairing {
        let accessory = try Accessory()
        let program = try accessory.run(["--log-level", "debug", "--allow-core-dumps"])
        let keys = accessory.folder.file("keys")
        let phone = try accessory.phone(
            "phone", ["--seconds", "1", "--control-rate", "0", "--reveal-keys-to", keys],
            environment: ["AWARE_FACTORY_REVEALS_KEYS": "1"])
        #expect(try program.read { $0.output.contains("PIN ") && $0.output.hasSuffix("\n") }, "\(program.log)")
        let pin = String(
            try #require(program.output.split(separator: "\n").first { $0.hasPrefix("PIN ") }).dropFirst(4))
        try phone.type(pin)
        #expect(try phone.end() == .exited(0), "\(phone.output)\(phone.log)")
        try program.waitForLog("connection: ended")

        return Pairing(
            accessory: accessory, program: program, secrets: try PairingSecrets(pin: pin, keys: keys))
    }

    @Test("a log of everything has no PIN, no key and no phone's address in it") func log() throws {
        let pairing = try pair()
        let log = pairing.program.log
        #expect(log.contains("radio: received frame=authentication-1"), "it is a log of everything")
        #expect(log.contains("pairing: paired pairing="))
        for secret in pairing.secrets.all {
            for spelling in secret.spellings { #expect(!log.contains(spelling), "\(secret.name) is in the log") }
        }
        let isAddress = try Regex("([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}")
        #expect(log.firstMatch(of: isAddress) == nil)
        // The PIN went where it belongs, and was taken away.
        #expect(pairing.program.output.hasSuffix("PAIRED\n") || pairing.program.output.hasSuffix("READY\n"))
        pairing.program.process.send(signal: SIGTERM)
        #expect(try pairing.program.end() == .exited(0))
    }

    @Test("memory that a core dump would have holds no PIN and no key once the pairing is over") func memory() throws {
        let pairing = try pair()
        try pairing.secrets.expectNone(inDumpableMemoryOf: pairing.program.process.processID)
        pairing.program.process.send(signal: SIGTERM)
        #expect(try pairing.program.end() == .exited(0))
    }

    @Test(
        "gdb's core dump, registers included, holds no PIN and no key once the pairing is over",
        .enabled(if: ProcessMemory.hasCores, "gdb is not installed"))
    func core() throws {
        let pairing = try pair()
        let core = try ProcessMemory.core(of: pairing.program.process.processID, in: pairing.accessory.folder)
        #expect(pairing.secrets.found(in: core) == [])
        pairing.program.process.send(signal: SIGTERM)
        #expect(try pairing.program.end() == .exited(0))
    }
}
