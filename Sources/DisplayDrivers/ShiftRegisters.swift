/// A chain of 74HC595 shift registers with latches, on three lines or, with output enable, four.
///
/// Times are the data sheets' (Nexperia's of the 74HC595) for a supply of 2 V, and so hold for any.
struct ShiftRegisters: Hashable, Sendable {
    static let ser = LineSet(line: 0)
    static let srclk = LineSet(line: 1)
    static let rclk = LineSet(line: 2)
    static let oe = LineSet(line: 3)

    /// t_W of both clocks and t_su of SER and of SRCLK before RCLK: 95 ns at 2 V.
    private static let pulse: UInt32 = 100

    /// Shifts `count` octets, the first into the nearest register, and has all outputs change together.
    static func write(_ program: inout LineProgram, count: Int, _ octet: (Int) -> UInt8) {
        for register in (0..<count).reversed() {
            let octet = octet(register)
            for bit in (0..<8).reversed() {
                let isHigh = octet >> UInt8(bit) & 1 == 1
                program.drive([ser, srclk], to: isHigh ? ser : [], for: pulse)
                program.drive(srclk, to: srclk, for: pulse)
            }
        }
        program.drive([srclk, rclk], to: rclk, for: pulse)
        program.drive(rclk, to: [], for: pulse)
    }
}

/// Digits with a 74HC595 each: they hold what they are given.
package struct LatchedRegisters: Hashable, Sendable {
    package static let lineNames = ["ser", "srclk", "rclk"]

    /// The register of each digit, the leftmost first, counted from the board.
    package let digitOrder: DigitOrder
    package let segmentOrder: SegmentOrder
    package let terminal: CommonPolarity.Terminal
    package let hasEnable: Bool

    package init(
        digitOrder: DigitOrder = .ascending(6), segmentOrder: SegmentOrder = .ascending,
        terminal: CommonPolarity.Terminal = .cathode, hasEnable: Bool = false
    ) {
        self.digitOrder = digitOrder
        self.segmentOrder = segmentOrder
        self.terminal = terminal
        self.hasEnable = hasEnable
    }

    var idle: LineSet { [] }

    func start(_ program: inout LineProgram) {
        blank(&program)
        if hasEnable { program.drive(ShiftRegisters.oe, to: ShiftRegisters.oe, for: 0) }
    }

    func show(_ picture: SegmentPicture, _ program: inout LineProgram) {
        let polarity = CommonPolarity(terminal)
        ShiftRegisters.write(&program, count: digitOrder.count) { register in
            var pattern: UInt8 = 0
            for index in 0..<digitOrder.count where digitOrder[index] == register {
                pattern = segmentOrder.wired(picture[index])
            }
            return polarity.segments(pattern)
        }
    }

    func blank(_ program: inout LineProgram) { show(SegmentPicture(), &program) }
}
