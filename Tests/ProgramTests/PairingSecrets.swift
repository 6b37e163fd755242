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

        /// Eight octets of a key are no accident anywhere; a PIN is looked for whole, however a display may have it.
        var fragments: [ArraySlice<UInt8>] {
            name == "pin"
                ? pinForms.map { $0[...] }
                : stride(from: 0, to: octets.count, by: 8).map { octets[$0..<min($0 + 8, octets.count)] }
        }

        /// In ASCII, as numbers, and as seven segments spell it on rows of six to eight digits, from either end.
        private var pinForms: [[UInt8]] {
            let digits = octets.map { $0 & 0xF }
            let lit: [UInt8] = [0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F]
            let patterns = digits.map { lit[Int($0)] }
            let rows = (0...2).map { Array(patterns[..<3]) + Array(repeating: 0, count: $0) + Array(patterns[3...]) }
            let segments = rows + rows.map { Array($0.reversed()) }
            // A few zeros and ones are found everywhere.
            return [octets] + (Set(digits).count > 3 ? [digits] + segments : segments)
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

    /// What a dump of `process` would have holds none of them; what it would leave out has the pairing's keys, which are
    /// kept for the next meeting: so the search finds what is there.
    func expectNone(inDumpableMemoryOf process: Int32) throws {
        #expect(found(in: try ProcessMemory.read(process, includingExcluded: false)) == [])
        let all = try ProcessMemory.read(process, includingExcluded: true)
        for name in ["npk", "own-nik", "peer-nik"] {
            let secret = try #require(self[name])
            #expect(!Self.places(of: secret.octets[...], in: all).isEmpty, "\(name) is not where it should be")
        }
    }

    /// Where `needle` lies in `data`.
    private static func places(of needle: ArraySlice<UInt8>, in data: Data) -> [Int] {
        var places: [Int] = []
        var start = data.startIndex
        while let range = data.range(of: Data(needle), in: start..<data.endIndex) {
            places.append(range.lowerBound)
            start = range.lowerBound + 1
        }
        return places
    }
}
