/// HD44780 and its like: a character LCD on four data lines, RS and E.
///
/// After Hitachi's data sheet of the HD44780U. Nothing is read: a part at 5 V must not drive the lines of a board at
/// 3.3 V. So every instruction is given the time it takes at the slowest clock that the data sheet allows.
package struct HD44780: Hashable, Sendable {
    package static let lineNames = ["rs", "e", "d4", "d5", "d6", "d7"]
    package static let columnCounts = 16...40
    package static let rowCounts = 1...4
    package static let defaultColumns = 16
    package static let defaultRows = 2

    package let columns: Int
    package let rows: Int
    /// Optional lines follow the others in this order: RW, held low, and the backlight.
    package let hasReadWrite: Bool
    package let hasBacklight: Bool

    private static let rs = LineSet(line: 0)
    private static let e = LineSet(line: 1)
    private static let firstData = 2
    private static let data = LineSet(0b1111, first: firstData)

    /// Times in ns at 2.7 V (the data sheet's bus timing): t_AS 60, PW_EH 450, t_cycE 1000, t_DSW 195, t_AH 20, t_H 10.
    private static let addressSetUp: UInt32 = 60
    private static let enablePulse: UInt32 = 500
    private static let enableRest: UInt32 = 500
    /// 37 µs, and 4 µs more for data, at 270 kHz; the clock may be 190 kHz.
    private static let execution: UInt32 = 60_000
    /// 1.52 ms at 270 kHz.
    private static let clearing: UInt32 = 2_500_000
    /// From the supply's 2.7 V to the first instruction: more than 40 ms.
    private static let powerUp: UInt32 = 50_000_000
    private static let afterFirst: UInt32 = 5_000_000
    private static let afterSecond: UInt32 = 200_000

    private enum Instruction {
        static let clear: UInt8 = 0x01
        static let entryMode: UInt8 = 0x06
        static let off: UInt8 = 0x08
        static let on: UInt8 = 0x0C
        static let function: UInt8 = 0x20
        static let twoRows: UInt8 = 0x08
        static let address: UInt8 = 0x80
    }
    private static let rowAddresses: [UInt8] = [0x00, 0x40]

    package init(
        columns: Int = defaultColumns, rows: Int = defaultRows, hasReadWrite: Bool = false, hasBacklight: Bool = false
    ) {
        self.columns = columns
        self.rows = rows
        self.hasReadWrite = hasReadWrite
        self.hasBacklight = hasBacklight
    }

    private var backlight: LineSet {
        hasBacklight ? LineSet(line: Self.lineNames.count + (hasReadWrite ? 1 : 0)) : []
    }

    var idle: LineSet { [] }

    /// Initialisation by instruction (the data sheet's figure 24), for nobody knows which nibble the part awaits.
    func start(_ program: inout LineProgram) {
        program.drive([Self.rs, Self.e], to: [], for: Self.powerUp)
        nibble(0x3, [], Self.afterFirst, &program)
        nibble(0x3, [], Self.afterSecond, &program)
        nibble(0x3, [], Self.execution, &program)
        nibble(0x2, [], Self.execution, &program)
        instruct(Instruction.function | (rows > 1 ? Instruction.twoRows : 0), &program)
        instruct(Instruction.off, &program)
        instruct(Instruction.clear, for: Self.clearing, &program)
        instruct(Instruction.entryMode, &program)
    }

    /// Rows in ASCII; what is short is filled with spaces.
    package func show(_ text: [[UInt8]], _ program: inout LineProgram) {
        for (row, address) in Self.rowAddresses.prefix(rows).enumerated() {
            instruct(Instruction.address | address, &program)
            for column in 0..<columns {
                let isText = row < text.count && column < text[row].count
                octet(isText ? text[row][column] : UInt8(ascii: " "), Self.rs, Self.execution, &program)
            }
        }
        instruct(Instruction.on, &program)
        if hasBacklight { program.drive(backlight, to: backlight, for: 0) }
    }

    /// Dark at once; then what was shown leaves the part's memory, too.
    func blank(_ program: inout LineProgram) {
        if hasBacklight { program.drive(backlight, to: [], for: 0) }
        instruct(Instruction.off, &program)
        instruct(Instruction.clear, for: Self.clearing, &program)
    }

    private func instruct(_ instruction: UInt8, for time: UInt32 = execution, _ program: inout LineProgram) {
        octet(instruction, [], time, &program)
    }

    private func octet(_ octet: UInt8, _ select: LineSet, _ time: UInt32, _ program: inout LineProgram) {
        nibble(octet >> 4, select, Self.enableRest, &program)
        nibble(octet & 0xF, select, time, &program)
    }

    private func nibble(_ nibble: UInt8, _ select: LineSet, _ time: UInt32, _ program: inout LineProgram) {
        let levels = LineSet(UInt32(nibble), first: Self.firstData).union(select)
        program.drive(Self.data.union(Self.rs), to: levels, for: Self.addressSetUp)
        program.drive(Self.e, to: Self.e, for: Self.enablePulse)
        program.drive(Self.e, to: [], for: time)
    }
}
