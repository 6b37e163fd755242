/// TM1637: four or six digits that hold what they are given, on two open-drain lines.
///
/// After Titan Micro's data sheet (V2.4): two wires as of I²C, but without addresses, and the lowest bit first.
package struct TM1637: Hashable, Sendable {
    package static let lineNames = ["clk", "dio"]
    package static let digitCounts = 4...6
    /// The chip takes 500 kHz; modules with capacitors on their lines take far less.
    package static let halfClockMicroseconds = 1...500
    package static let defaultHalfClockMicroseconds = 5

    package let digitOrder: DigitOrder
    package let segmentOrder: SegmentOrder
    package let brightness: Brightness
    package let ignoresAcknowledge: Bool
    /// A quarter of the clock's period.
    private let quarter: UInt32

    private static let clk = LineSet(line: 0)
    private static let dio = LineSet(line: 1)
    private static let dioIndex = 1

    private enum Command {
        /// Data to the display registers, the address counting up.
        static let writeData: UInt8 = 0x40
        static let firstAddress: UInt8 = 0xC0
        static let off: UInt8 = 0x80
        static let on: UInt8 = 0x88
    }
    /// Registers that the chip has, whatever is fitted.
    private static let registers = 6

    package init(
        digitOrder: DigitOrder = .ascending(4), segmentOrder: SegmentOrder = .ascending, brightness: Brightness = .half,
        halfClockMicroseconds: Int = defaultHalfClockMicroseconds, ignoresAcknowledge: Bool = false
    ) {
        self.digitOrder = digitOrder
        self.segmentOrder = segmentOrder
        self.brightness = brightness
        self.ignoresAcknowledge = ignoresAcknowledge
        quarter = UInt32(max(1, halfClockMicroseconds)) * 500
    }

    /// Both lines released.
    var idle: LineSet { [Self.clk, Self.dio] }

    func start(_ program: inout LineProgram) {
        // A killed program may have stopped amidst an octet: a stop ends whatever it was.
        program.drive(Self.clk, to: [], for: quarter)
        stop(&program)
        blank(&program)
    }

    func show(_ picture: SegmentPicture, _ program: inout LineProgram) {
        write(picture, &program)
        transfer([Command.on | brightness.step(of: 7)], &program)
    }

    /// Dark at once; then what was shown leaves the registers, too.
    func blank(_ program: inout LineProgram) {
        transfer([Command.off], &program)
        write(SegmentPicture(), &program)
    }

    private func write(_ picture: SegmentPicture, _ program: inout LineProgram) {
        transfer([Command.writeData], &program)
        start(of: Command.firstAddress, &program)
        for register in 0..<Self.registers {
            var pattern: UInt8 = 0
            for index in 0..<digitOrder.count where digitOrder[index] == register {
                pattern = segmentOrder.wired(picture[index])
            }
            send(pattern, &program)
        }
        stop(&program)
    }

    private func transfer(_ octets: [UInt8], _ program: inout LineProgram) {
        guard let first = octets.first else { return }
        start(of: first, &program)
        for octet in octets.dropFirst() { send(octet, &program) }
        stop(&program)
    }

    /// DIO falls while the clock is high.
    private func start(of octet: UInt8, _ program: inout LineProgram) {
        program.drive(Self.dio, to: [], for: quarter * 2)
        send(octet, &program)
    }

    /// The clock is high on entry or low; low afterwards.
    private func send(_ octet: UInt8, _ program: inout LineProgram) {
        for bit in 0..<8 {
            program.drive(Self.clk, to: [], for: quarter)
            let isHigh = octet >> UInt8(bit) & 1 == 1
            program.drive(Self.dio, to: isHigh ? Self.dio : [], for: quarter)
            program.drive(Self.clk, to: Self.clk, for: quarter * 2)
        }
        // The chip pulls DIO low from the fall of the eighth clock to that of the ninth.
        program.drive(Self.clk, to: [], for: quarter)
        program.drive(Self.dio, to: Self.dio, for: quarter)
        program.drive(Self.clk, to: Self.clk, for: quarter)
        program.sense(Self.dioIndex, for: quarter)
        program.drive(Self.clk, to: [], for: quarter)
    }

    /// DIO rises while the clock is high.
    private func stop(_ program: inout LineProgram) {
        program.drive(Self.dio, to: [], for: quarter)
        program.drive(Self.clk, to: Self.clk, for: quarter * 2)
        program.drive(Self.dio, to: Self.dio, for: quarter * 2)
    }
}
