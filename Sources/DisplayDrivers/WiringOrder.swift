/// Which segment is on which output of a part.
package struct SegmentOrder: Hashable, Sendable {
    package static let accepted = "the 8 letters abcdefgp in the order of the part's outputs"
    private static let letters = Array("abcdefgp".utf8)

    /// a on the first output, the decimal point on the last.
    package static let ascending = Self(outputs: Array(0..<8))
    /// As the MAX7219 has them in its digit registers: g in bit 0, a in bit 6 (its data sheet, table 6).
    package static let max7219 = Self(outputs: [6, 5, 4, 3, 2, 1, 0, 7])

    /// The segment, 0 for a, on each output.
    private let outputs: [UInt8]

    private init(outputs: [UInt8]) { self.outputs = outputs }

    /// Nil unless `text` has each letter once.
    package init?(_ text: String) {
        let outputs = text.utf8.compactMap { Self.letters.firstIndex(of: $0).map { UInt8($0) } }
        guard text.utf8.count == 8, Set(outputs).count == 8 else { return nil }
        self.init(outputs: outputs)
    }

    package var text: String { String(decoding: outputs.map { Self.letters[Int($0)] }, as: UTF8.self) }

    /// The pattern as the part's outputs have it, bit 0 the first.
    func wired(_ pattern: UInt8) -> UInt8 {
        var result: UInt8 = 0
        for output in 0..<8 where pattern >> outputs[output] & 1 == 1 { result |= 1 << UInt8(output) }
        return result
    }
}

/// Which of a part's digits is where.
package struct DigitOrder: Hashable, Sendable {
    /// The part's number of each digit, the leftmost first.
    private let numbers: [UInt8]

    private init(unchecked numbers: [UInt8]) { self.numbers = numbers }

    /// Nil unless `numbers` has each of 0 ..< count once.
    package init?(_ numbers: [Int]) {
        guard Set(numbers) == Set(0..<numbers.count), SegmentPages.digitCounts.contains(numbers.count) else {
            return nil
        }
        self.init(unchecked: numbers.map { UInt8($0) })
    }

    /// The part's first digit is the leftmost.
    package static func ascending(_ count: Int) -> Self { Self(unchecked: (0..<count).map { UInt8($0) }) }
    /// The part's first digit is the rightmost.
    package static func descending(_ count: Int) -> Self { Self(unchecked: (0..<count).reversed().map { UInt8($0) }) }

    package var count: Int { numbers.count }
    package subscript(position: Int) -> Int { Int(numbers[position]) }
}

/// How bright, in hundredths; a part rounds it to what it can.
package struct Brightness: Hashable, Sendable {
    package static let percents = 1...100

    package let percent: Int

    /// Nil out of range.
    package init?(percent: Int) {
        guard Self.percents.contains(percent) else { return nil }
        self.percent = percent
    }

    private init(_ percent: Int) { self.percent = percent }

    package static let half = Self(50)
    package static let full = Self(100)

    /// The nearest of the part's steps 0 … `top`.
    func step(of top: Int) -> UInt8 { UInt8((percent * top + 50) / 100) }
}

/// What the digits of a row share, for digits that are driven directly.
package struct CommonPolarity: Hashable, Sendable {
    package enum Terminal: String, CaseIterable, Sendable {
        case cathode
        case anode
    }

    package let terminal: Terminal
    /// A transistor between a digit's output and its common terminal turns the level around.
    package let driversInvert: Bool

    package init(_ terminal: Terminal, driversInvert: Bool = false) {
        self.terminal = terminal
        self.driversInvert = driversInvert
    }

    /// The segments' levels for a pattern: lit is high with a common cathode, low with a common anode.
    func segments(_ pattern: UInt8) -> UInt8 { terminal == .cathode ? pattern : ~pattern }

    /// The digits' levels for those chosen: low with a common cathode, high with a common anode.
    func digits(_ chosen: UInt8) -> UInt8 {
        (terminal == .cathode) != driversInvert ? ~chosen : chosen
    }
}
