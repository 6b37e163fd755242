/// What displays say besides a PIN, spelled as each kind can.
package enum DisplayText: CaseIterable, Hashable, Sendable {
    case ready
    case paired
    case failed
    case locked

    /// As seven segments spell it: at most four characters, the fewest that a display has.
    package var word: StaticString {
        switch self {
        case .ready: "rdy"
        case .paired: "PASS"
        case .failed: "FAIL"
        case .locked: "LOC"
        }
    }

    /// As rows of at most 16 characters.
    package var rows: [[UInt8]] {
        let rows: [String] =
            switch self {
            case .ready: ["Ready to pair"]
            case .paired: ["Paired"]
            case .failed: ["Not paired"]
            case .locked: ["Locked", "Too many PINs"]
            }
        return rows.map { Array($0.utf8) }
    }

    /// The rows that show six digits in ASCII; whoever asks for them wipes them.
    package static func rows(code: UnsafeRawBufferPointer) -> [[UInt8]] {
        var first: [UInt8] = []
        first.reserveCapacity(16)
        first += "PIN  ".utf8
        first += code.prefix(code.count / 2)
        first.append(UInt8(ascii: " "))
        first += code.dropFirst(code.count / 2)
        return [first, Array("Type it on phone".utf8)]
    }
}
