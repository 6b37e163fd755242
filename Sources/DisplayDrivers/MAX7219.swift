/// MAX7219 and MAX7221: eight digits that hold what they are given, on three lines.
///
/// Its data sheet is Maxim's 19-4452. Segments are set one by one (no-decode mode), so that words can be spelled.
package struct MAX7219: Hashable, Sendable {
    package static let lineNames = ["din", "clk", "load"]
    package static let chipCounts = 1...8

    package let digitOrder: DigitOrder
    package let segmentOrder: SegmentOrder
    package let brightness: Brightness
    /// How many are cascaded, and which of them has the digits, counted from the board.
    package let chips: Int
    package let position: Int

    private static let din = LineSet(line: 0)
    private static let clk = LineSet(line: 1)
    private static let load = LineSet(line: 2)

    /// The clock's half period and LOAD's high time: t_CH, t_CL, t_CSW, t_LDCK are 50 ns at least, and t_CP 100 ns.
    private static let half: UInt32 = 50
    /// LOAD is low this long before the first clock; t_CSS is 25 ns at least.
    private static let lead: UInt32 = 50

    private enum Register: UInt8 {
        case noOperation = 0x00
        case firstDigit = 0x01
        case decodeMode = 0x09
        case intensity = 0x0A
        case scanLimit = 0x0B
        case shutDown = 0x0C
        case displayTest = 0x0F
    }

    /// - Parameter position: less than `chips`.
    package init(
        digitOrder: DigitOrder = .descending(8), segmentOrder: SegmentOrder = .max7219, brightness: Brightness = .half,
        chips: Int = 1, position: Int = 0
    ) {
        self.digitOrder = digitOrder
        self.segmentOrder = segmentOrder
        self.brightness = brightness
        self.chips = max(1, chips)
        self.position = min(max(0, position), self.chips - 1)
    }

    var idle: LineSet { Self.load }

    /// Every register of every chip, for a killed program may have left any value in them; dark from the first word on.
    func start(_ program: inout LineProgram) {
        sendToAll(.shutDown, 0, &program)
        sendToAll(.displayTest, 0, &program)
        sendToAll(.decodeMode, 0, &program)
        for number in 0..<UInt8(SegmentPicture.capacity) {
            send(Register.firstDigit.rawValue + number, 0, toAll: true, &program)
        }
        sendToAll(.scanLimit, UInt8(digitOrder.count - 1), &program)
        sendToAll(.intensity, brightness.step(of: 15), &program)
    }

    func show(_ picture: SegmentPicture, _ program: inout LineProgram) {
        for index in 0..<digitOrder.count { send(picture[index], toDigit: digitOrder[index], &program) }
        send(Register.shutDown.rawValue, 1, toAll: false, &program)
    }

    /// Dark at once; then what was shown leaves the registers, too.
    func blank(_ program: inout LineProgram) {
        send(Register.shutDown.rawValue, 0, toAll: false, &program)
        for index in 0..<digitOrder.count { send(0, toDigit: digitOrder[index], &program) }
    }

    private func send(_ pattern: UInt8, toDigit number: Int, _ program: inout LineProgram) {
        let register = Register.firstDigit.rawValue + UInt8(number)
        send(register, segmentOrder.wired(pattern), toAll: false, &program)
    }

    private func sendToAll(_ register: Register, _ data: UInt8, _ program: inout LineProgram) {
        send(register.rawValue, data, toAll: true, &program)
    }

    /// A word for each chip, the farthest first; those that are not meant get a no-operation.
    private func send(_ register: UInt8, _ data: UInt8, toAll: Bool, _ program: inout LineProgram) {
        program.drive([Self.load, Self.clk], to: [], for: Self.lead)
        for chip in (0..<chips).reversed() {
            let isMeant = toAll || chip == position
            let word: UInt16 = isMeant ? UInt16(register) << 8 | UInt16(data) : 0
            for bit in (0..<16).reversed() {
                let level: LineSet = word >> UInt16(bit) & 1 == 1 ? Self.din : []
                program.drive([Self.din, Self.clk], to: level, for: Self.half)
                program.drive(Self.clk, to: Self.clk, for: Self.half)
            }
        }
        // LOAD rises while the clock is high or falls: t_CSH is 0.
        program.drive([Self.clk, Self.load], to: Self.load, for: Self.half)
    }
}
