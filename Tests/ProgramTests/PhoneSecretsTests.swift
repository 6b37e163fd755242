import Foundation
import LinuxRuntime
import Octets
import Testing

/// A phone pairs and stays connected; then its own memory is searched.
@Suite("aware-factory phone: secrets") struct PhoneSecretsTests {
    private struct Pairing {
        let accessory: Accessory
        let program: Program
        let phone: Program
        let secrets: PairingSecrets

        func end() throws {
            phone.process.send(signal: SIGINT)
            let exit = try phone.end()
            #expect(exit == .exited(0), "\(phone.output)\(phone.log)")
            program.process.send(signal: SIGTERM)
            let last = try program.end()
            #expect(last == .exited(0))
        }
    }

    private func pair() throws -> Pairing {
        let accessory = try Accessory()
        let program = try accessory.run()
        let keys = accessory.folder.file("keys")
        let phone = try accessory.phone(
            "phone", ["--control-rate", "0", "--log-level", "debug", "--reveal-keys-to", keys],
            environment: ["AWARE_FACTORY_REVEALS_KEYS": "1"])
        #expect(try program.read { $0.output.contains("PIN ") && $0.output.hasSuffix("\n") }, "\(program.log)")
        let line = try #require(program.output.split(separator: "\n").first { $0.hasPrefix("PIN ") })
        let pin = String(line.dropFirst(4))
        try phone.type(pin)
        // A second after the data path is up, everything that made it has long been answered.
        let isConnected = try phone.read {
            $0.output.contains("\"event\":\"connected\"") && $0.output.contains("\"event\":\"live\"")
        }
        try #require(isConnected, "\(phone.output)\(phone.log)")
        return Pairing(
            accessory: accessory, program: program, phone: phone, secrets: try PairingSecrets(pin: pin, keys: keys))
    }

    @Test("memory that a core dump would have holds no PIN and no key once the pairing is over") func memory() throws {
        let pairing = try pair()
        try pairing.secrets.expectNone(inDumpableMemoryOf: pairing.phone.process.processID)
        try pairing.end()
    }

    @Test(
        "gdb's core dump, registers included, holds no PIN and no key once the pairing is over",
        .enabled(if: ProcessMemory.hasCores, "gdb is not installed"))
    func core() throws {
        let pairing = try pair()
        let core = try ProcessMemory.core(of: pairing.phone.process.processID, in: pairing.accessory.folder)
        #expect(pairing.secrets.found(in: core) == [])
        try pairing.end()
    }

    @Test("a phone whose keys are not written down lets nobody dump it") func undumpable() throws {
        let accessory = try Accessory()
        let program = try accessory.run()
        let phone = try accessory.phone("phone")
        let isThere = try phone.read { $0.output.contains("\"event\":\"pin_needed\"") }
        try #require(isThere, "\(phone.output)\(phone.log)")
        let limits = try String(contentsOfFile: "/proc/\(phone.process.processID)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        #expect(core?.split(separator: " ").filter { $0 == "0" }.count == 2, "\(limits)")
        phone.process.send(signal: SIGKILL)
        _ = try phone.end()
        program.process.send(signal: SIGTERM)
        _ = try program.end()
    }
}
