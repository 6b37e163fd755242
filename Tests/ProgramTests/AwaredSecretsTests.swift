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
    private func pair(showingOn display: (TestFolder) throws -> [String] = { _ in [] }) throws -> Pairing {
        let accessory = try Accessory()
        let options = try display(accessory.folder)
        let program = try accessory.run(["--log-level", "debug", "--allow-core-dumps"] + options)
        let keys = accessory.folder.file("keys")
        let phone = try accessory.phone(
            "phone", ["--seconds", "1", "--control-rate", "0", "--reveal-keys-to", keys],
            environment: ["AWARE_FACTORY_REVEALS_KEYS": "1"])
        let pin = try options.isEmpty ? Self.pinOnConsole(program) : Self.pinInFile(accessory.folder, program)
        try phone.type(pin)
        #expect(try phone.end() == .exited(0), "\(phone.output)\(phone.log)")
        try program.waitForLog("connection: ended")

        return Pairing(
            accessory: accessory, program: program, secrets: try PairingSecrets(pin: pin, keys: keys))
    }

    private static func pinOnConsole(_ program: Program) throws -> String {
        #expect(try program.read { $0.output.contains("PIN ") && $0.output.hasSuffix("\n") }, "\(program.log)")
        return String(
            try #require(program.output.split(separator: "\n").first { $0.hasPrefix("PIN ") }).dropFirst(4))
    }

    /// A display that is a program, which keeps what it gets in a file.
    private static func programDisplay(_ folder: TestFolder) throws -> [String] {
        let arguments = #"["-c", "cat > \#(folder.file("shown"))"]"#
        try folder.write(
            #"{"schema-version": 1, "board": "b", "radio": {"simulated": {}}, "#
                + #""display": {"exec": {"program": "/bin/sh", "arguments": \#(arguments)}}}"#,
            to: "profile.json")
        return ["--profile", folder.file("profile.json")]
    }

    private static func pinInFile(_ folder: TestFolder, _ program: Program) throws -> String {
        try program.waitForLog("display: shows content=pin")
        let octets = try DurableFile(path: folder.file("shown")).readConfiguration(limit: 65_536) ?? []
        let text = String(decoding: octets, as: UTF8.self)
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(#"{"state":"pin""#) })
        return String(line.dropLast(2).suffix(6))
    }

    @Test("what a display that is a program was told is in no memory that a core dump would have")
    func memoryOfProgramDisplay() throws {
        let pairing = try pair(showingOn: Self.programDisplay)
        try pairing.program.waitForLog("display: shows content=paired")
        try pairing.secrets.expectNone(inDumpableMemoryOf: pairing.program.process.processID)
        pairing.program.process.send(signal: SIGTERM)
        #expect(try pairing.program.end() == .exited(0))
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
