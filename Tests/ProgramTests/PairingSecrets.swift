import Foundation
import LinuxRuntime
import Octets
import Testing

/// What nobody may find once a pairing is over: the PIN, and the keys as the phone wrote them down.
struct PairingSecrets {
    struct Secret {
        let name: String
        let octets: [UInt8]

        /// As a log could have it; for a PIN the digits.
        var spellings: [String] {
            if name == "pin" { return [String(decoding: octets, as: UTF8.self)] }
            let digits = octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            let decimal = octets.prefix(8).map(String.init)
            let spelled = [
                digits.joined(), digits.joined(separator: ":"), digits.joined(separator: " "), octets.base64,
                decimal.joined(separator: ", "),
            ]
            return spelled.flatMap { [$0, $0.uppercased()] }
        }

        /// Eight octets of a key are no accident anywhere; a PIN is looked for whole.
        var fragments: [ArraySlice<UInt8>] {
            name == "pin"
                ? [octets[...]]
                : stride(from: 0, to: octets.count, by: 8).map { octets[$0..<min($0 + 8, octets.count)] }
        }
    }

    let all: [Secret]

    /// - Parameter keys: the file of `--reveal-keys-to`.
    init(pin: String, keys: String) throws {
        var secrets = [Secret(name: "pin", octets: Array(pin.utf8))]
        let text = String(decoding: try #require(try DurableFile(path: keys).read(limit: 65536)), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            secrets.append(Secret(name: words[0], octets: try #require([UInt8](hex: words[1]))))
        }
        #expect(Set(secrets.map(\.name)).isSuperset(of: ["pin", "npk", "own-nik", "peer-nik", "nm-tk", "nd-tk"]))
        #expect(secrets.allSatisfy { $0.name == "pin" || $0.octets.count >= 16 })
        all = secrets
    }

    subscript(name: String) -> Secret? { all.first { $0.name == name } }

    /// The names of the secrets of which something is in `memory`, with how often and where first.
    func found(in memory: Data) -> [String] {
        all.flatMap { secret in
            secret.fragments.enumerated().compactMap { index, fragment in
                let places = Self.places(of: fragment, in: memory)
                return places.isEmpty ? nil : "\(secret.name), part \(index): \(places.count) times"
            }
        }
    }

    /// Where `needle` lies in `data`.
    static func places(of needle: ArraySlice<UInt8>, in data: Data) -> [Int] {
        var places: [Int] = []
        var start = data.startIndex
        while let range = data.range(of: Data(needle), in: start..<data.endIndex) {
            places.append(range.lowerBound)
            start = range.lowerBound + 1
        }
        return places
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

    /// What gdb's `gcore` writes, registers included.
    static func core(of process: Int32, in folder: TestFolder) throws -> Data {
        let prefix = folder.file("core")
        let gcore = try ChildProcess(
            path: "/usr/bin/gcore", arguments: ["gcore", "-o", prefix, "\(process)"],
            streams: ChildProcess.Streams(error: nil))
        let exit = try gcore.wait()
        #expect(exit == .exited(0))
        let core = try Data(contentsOf: URL(fileURLWithPath: "\(prefix).\(process)"), options: .mappedIfSafe)
        #expect(core.count > 1 << 20)
        return core
    }

    static var hasCores: Bool { FileSystem.exists("/usr/bin/gcore") }
}
