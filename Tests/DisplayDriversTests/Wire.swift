import DisplayDrivers
import Testing

/// What a part sees of a program: the edges of its lines, at the earliest times that the program promises.
struct Wire {
    struct Edge: Equatable {
        let line: Int
        let isRising: Bool
        let time: Int
        /// All lines after the step that made the edge.
        let levels: UInt32
    }

    private(set) var edges: [Edge] = []
    private(set) var senses: [(line: Int, time: Int)] = []
    private(set) var now = 0
    private(set) var levels: UInt32

    init(_ idle: LineSet) { levels = idle.rawValue }

    mutating func play(_ program: LineProgram) {
        for step in program.steps {
            if step.sense != LineStep.none { senses.append((Int(step.sense), now)) }
            let next = levels & ~step.mask | step.levels & step.mask
            for line in 0..<32 where (next ^ levels) >> UInt32(line) & 1 == 1 {
                edges.append(Edge(line: line, isRising: next >> UInt32(line) & 1 == 1, time: now, levels: next))
            }
            levels = next
            now += Int(step.nanoseconds)
        }
    }

    func edges(of line: Int, rising: Bool? = nil) -> [Edge] {
        edges.filter { $0.line == line && (rising == nil || $0.isRising == rising) }
    }

    /// The shortest time that a line stays high, or low, between two edges.
    func shortest(_ line: Int, high: Bool) -> Int {
        let own = edges(of: line)
        return zip(own, own.dropFirst()).filter { $0.0.isRising == high }.map { $0.1.time - $0.0.time }.min() ?? .max
    }

    /// The shortest time from the last change of `data` to a following edge of `clock`.
    func setUp(of data: [Int], before clock: Int, rising: Bool) -> Int {
        var last: Int?
        var shortest = Int.max
        for edge in edges {
            if edge.line == clock, edge.isRising == rising, let last { shortest = min(shortest, edge.time - last) }
            if data.contains(edge.line) { last = edge.time }
        }
        return shortest
    }

    /// The shortest time from an edge of `clock` to a following change of `data`.
    func hold(of data: [Int], after clock: Int, rising: Bool) -> Int {
        var last: Int?
        var shortest = Int.max
        for edge in edges {
            if data.contains(edge.line), let last { shortest = min(shortest, edge.time - last) }
            if edge.line == clock, edge.isRising == rising { last = edge.time }
        }
        return shortest
    }

    static func level(_ levels: UInt32, _ line: Int) -> Bool { levels >> UInt32(line) & 1 == 1 }
}

/// What seven segments look like, from the drawings in the data sheets: which are lit for each character.
let lit: [Character: String] = [
    "0": "abcdef", "1": "bc", "2": "abdeg", "3": "abcdg", "4": "bcfg", "5": "acdfg", "6": "acdefg", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "P": "abefg", "A": "abcefg", "S": "acdfg", "F": "aefg", "I": "ef", "L": "def",
    "O": "abcdef", "C": "adef", "r": "eg", "d": "bcdeg", "y": "bcdfg", "-": "g", " ": "",
]

/// A pattern with segment a in bit 0.
func pattern(_ character: Character) -> UInt8 {
    octet("abcdefg".map { (lit[character] ?? "").contains($0) })
}

/// Eight levels as an octet, the first in bit 0.
func octet(_ bits: some Sequence<Bool>) -> UInt8 {
    var octet: UInt8 = 0
    var weight: UInt8 = 1
    for bit in bits {
        if bit { octet |= weight }
        weight &<<= 1
    }
    return octet
}

/// The pattern with its bits in the opposite order.
func reversed(_ pattern: UInt8) -> UInt8 { octet((0..<8).reversed().map { pattern >> UInt8($0) & 1 == 1 }) }

func patterns(_ text: String) -> [UInt8] { text.map(pattern) }

func pages(_ code: String, digits: Int) -> SegmentPages {
    Array(code.utf8).withUnsafeBytes { SegmentPages(code: $0, digits: digits) }
}

func program(_ body: (inout LineProgram) -> Void) -> LineProgram {
    var program = LineProgram()
    body(&program)
    return program
}
