import Foundation
import LinuxRuntime
import Octets
import Testing

/// A phone pairs and leaves; then everything that is left of it outside the daemon's own memory is searched.
@Suite("awared: secrets", .enabled(if: Accessory.hasPhone, "aware-factory is not built"))
struct AwaredSecretsTests {
    private struct Secret {
        let name: String
        let octets: [UInt8]

        /// As a log could have it; for a PIN the digits.
        var spellings: [String] {
            if name == "pin" { return [String(decoding: octets, as: UTF8.self)] }
            let digits = octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            return [digits.joined(), digits.joined(separator: ":"), digits.joined(separator: " "), octets.base64]
                .flatMap { [$0, $0.uppercased()] }
        }
    }

    private struct Pairing {
        let accessory: Accessory
        let program: Program
        let secrets: [Secret]
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

        var secrets = [Secret(name: "pin", octets: Array(pin.utf8))]
        let text = String(decoding: try #require(try DurableFile(path: keys).read(limit: 4096)), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let octets = stride(from: 0, to: words[1].utf8.count, by: 2).compactMap { offset in
                UInt8(words[1].dropFirst(offset).prefix(2), radix: 16)
            }
            secrets.append(Secret(name: String(words[0]), octets: octets))
        }
        #expect(Set(secrets.map(\.name)).isSuperset(of: ["pin", "npk", "own-nik", "peer-nik", "nm-tk", "nd-tk"]))
        return Pairing(accessory: accessory, program: program, secrets: secrets)
    }

    private func count(_ needle: ArraySlice<UInt8>, in data: Data) -> Int {
        var count = 0
        var start = data.startIndex
        while let range = data.range(of: Data(needle), in: start..<data.endIndex) {
            count += 1
            start = range.lowerBound + 1
        }
        return count
    }

    /// Eight octets of a key are no accident anywhere; a PIN is looked for whole.
    private func fragments(_ secret: Secret) -> [ArraySlice<UInt8>] {
        secret.name == "pin"
            ? [secret.octets[...]]
            : stride(from: 0, to: secret.octets.count, by: 8).map { start in
                secret.octets[start..<min(start + 8, secret.octets.count)]
            }
    }

    @Test("a log of everything has no PIN, no key and no phone's address in it") func log() throws {
        let pairing = try pair()
        let log = pairing.program.log
        #expect(log.contains("radio: received frame=authentication-1"), "it is a log of everything")
        #expect(log.contains("pairing: paired pairing="))
        for secret in pairing.secrets {
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
        let process = pairing.program.process.processID
        let dumped = try ProcessMemory.read(process, includingExcluded: false)
        for secret in pairing.secrets {
            for fragment in fragments(secret) {
                #expect(count(fragment, in: dumped) == 0, "\(secret.name) would be in a core dump")
            }
        }
        // The search finds what is there: the pairing is kept for the next meeting, in memory of its own.
        let all = try ProcessMemory.read(process, includingExcluded: true)
        for name in ["npk", "own-nik", "peer-nik"] {
            let secret = try #require(pairing.secrets.first { $0.name == name })
            #expect(count(secret.octets[...], in: all) > 0, "\(name) is not where it should be")
        }
        pairing.program.process.send(signal: SIGTERM)
        #expect(try pairing.program.end() == .exited(0))
    }

    @Test(
        "gdb's core dump, registers included, holds no PIN and no key once the pairing is over",
        .enabled(if: FileSystem.exists("/usr/bin/gcore"), "gdb is not installed"))
    func core() throws {
        let pairing = try pair()
        let prefix = pairing.accessory.folder.file("core")
        let gcore = try ChildProcess(
            path: "/usr/bin/gcore",
            arguments: ["gcore", "-o", prefix, "\(pairing.program.process.processID)"],
            streams: ChildProcess.Streams(error: nil))
        #expect(try gcore.wait() == .exited(0))
        let path = "\(prefix).\(pairing.program.process.processID)"
        let core = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        #expect(core.count > 1 << 20)
        for secret in pairing.secrets {
            for fragment in fragments(secret) {
                #expect(count(fragment, in: core) == 0, "\(secret.name) is in the core dump")
            }
        }
        pairing.program.process.send(signal: SIGTERM)
        #expect(try pairing.program.end() == .exited(0))
    }
}

/// The memory of a child, as proc(5) shows it to its parent.
enum ProcessMemory {
    /// - Parameter includingExcluded: also what is marked to be left out of core dumps.
    static func read(_ process: Int32, includingExcluded: Bool) throws -> Data {
        let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/smaps")).readToEnd() ?? Data()
        let memory = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/mem"))
        var found = Data()
        var range: Range<UInt64>?
        for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            let bounds = (words.first ?? "").split(separator: "-").compactMap { UInt64($0, radix: 16) }
            if bounds.count == 2 {
                let isReadable = words.count > 1 && words[1].hasPrefix("rw")
                range = isReadable && !line.hasSuffix("[vvar]") ? bounds[0]..<bounds[1] : nil
            } else if words.first == "VmFlags:", let place = range {
                let isExcluded = words.contains("dd")
                guard !isExcluded || includingExcluded else { continue }
                try memory.seek(toOffset: place.lowerBound)
                found += (try? memory.read(upToCount: place.count)) ?? Data()
            }
        }
        return found
    }
}
