import DisplayDrivers
import Testing

/// Titan Micro's data sheet of the TM1637, V2.4: two lines, the lowest bit first, an acknowledge after each octet.
@Suite("TM1637") struct TM1637Tests {
    /// The chip as its data sheet has it.
    private struct Chip {
        var registers: [UInt8] = Array(repeating: 0xAA, count: 6)
        var control: UInt8 = 0x8F
        private(set) var faults = 0
        private var isListening = false
        private var bits: [Bool] = []
        private var message: [UInt8] = []

        mutating func see(_ edges: [Wire.Edge]) {
            for edge in edges {
                let isClockHigh = Wire.level(edge.levels, 0)
                if edge.line == 1, isClockHigh {
                    edge.isRising ? stop() : start()
                } else if edge.line == 0, edge.isRising, isListening {
                    bits.append(Wire.level(edge.levels, 1))
                    if bits.count == 9 {
                        // Whoever sends has let go of DIO, for the acknowledge.
                        if !bits[8] { faults += 1 }
                        message.append(octet(bits.prefix(8)))
                        bits = []
                    }
                }
            }
        }

        private mutating func start() {
            if isListening, !message.isEmpty { faults += 1 }
            (isListening, bits, message) = (true, [], [])
        }

        private mutating func stop() {
            defer { isListening = false }
            guard isListening, let command = message.first else { return }
            // The clock's rise before a stop is no bit of an octet.
            if bits.count > 1 { faults += 1 }
            switch command & 0xC0 {
            case 0xC0:
                for (index, octet) in message.dropFirst().enumerated() { registers[Int(command & 0xF) + index] = octet }
            case 0x80: control = command
            default: if command != 0x40 { faults += 1 }
            }
        }
    }

    private func run(_ driver: LatchedDriver, _ programs: [LineProgram]) -> (Chip, Wire) {
        var wire = Wire(driver.idle)
        for program in programs { wire.play(program) }
        var chip = Chip()
        chip.see(wire.edges)
        return (chip, wire)
    }

    @Test("the start leaves six empty registers and the display off") func start() {
        let driver = LatchedDriver.tm1637(TM1637())
        let (chip, _) = run(driver, [program { driver.start(&$0) }])
        #expect(chip.registers == Array(repeating: 0, count: 6) && chip.control == 0x80 && chip.faults == 0)
    }

    @Test("six digits stand where the board's order has them") func code() throws {
        let order = try #require(DigitOrder([2, 1, 0, 5, 4, 3]))
        let driver = LatchedDriver.tm1637(TM1637(digitOrder: order, brightness: .full))
        let (chip, _) = run(
            driver, [program { driver.start(&$0) }, program { driver.show(pages("123456", digits: 6).first, &$0) }])
        #expect(chip.registers == patterns("321654") && chip.control == 0x8F && chip.faults == 0)
    }

    @Test("segments are lit where the board's order has them") func segments() throws {
        let order = try #require(SegmentOrder("pgfedcba"))
        let driver = LatchedDriver.tm1637(TM1637(segmentOrder: order))
        let (chip, _) = run(driver, [program { driver.show(pages("123456", digits: 4).first, &$0) }])
        #expect(chip.registers.prefix(4) == patterns("123-").map(reversed)[...])
    }

    @Test("its lines are only pulled low, both let go of at first; the acknowledge is wanted unless the board says no")
    func lines() {
        let driver = LatchedDriver.tm1637(TM1637())
        #expect(driver.isOpenDrain && driver.idle == .all(2) && driver.insistsOnAcknowledge)
        #expect(!LatchedDriver.tm1637(TM1637(ignoresAcknowledge: true)).insistsOnAcknowledge)
        let others: [LatchedDriver] = [.max7219(MAX7219()), .registers(LatchedRegisters()), .characters(HD44780())]
        for other in others { #expect(!other.isOpenDrain && !other.insistsOnAcknowledge) }
    }

    @Test("four digits show halves of the PIN in turn") func pagesOfFour() throws {
        let driver = LatchedDriver.tm1637(TM1637())
        let both = pages("123456", digits: 4)
        let (first, _) = run(driver, [program { driver.show(both.first, &$0) }])
        #expect(first.registers == patterns("123-  "))
        let second = try #require(both.second)
        let (last, _) = run(driver, [program { driver.show(second, &$0) }])
        #expect(last.registers == patterns("-456  "))
    }

    @Test("blank is dark, and forgets") func blank() {
        let driver = LatchedDriver.tm1637(TM1637())
        let (chip, _) = run(
            driver,
            [program { driver.show(pages("123456", digits: 4).first, &$0) }, program { driver.blank(&$0) }])
        #expect(chip.registers == Array(repeating: 0, count: 6) && chip.control == 0x80 && chip.faults == 0)
    }

    @Test("a program that died amidst an octet leaves nothing that the next start does not end", arguments: 0..<120)
    func interrupted(_ steps: Int) {
        let driver = LatchedDriver.tm1637(TM1637())
        var cut = program { driver.show(pages("888888", digits: 4).first, &$0) }
        cut.steps = Array(cut.steps.prefix(steps))
        // The lines of a program that ended are let go of, both at once.
        var release = LineProgram()
        release.steps = [LineStep(mask: 3, levels: 3, nanoseconds: 1000)]
        let (chip, _) = run(driver, [cut, release, program { driver.start(&$0) }])
        #expect(chip.registers == Array(repeating: 0, count: 6) && chip.control == 0x80)
    }

    @Test(
        "the clock is at most 500 kHz, data stand 100 ns before and after it, the acknowledge is read while it is high")
    func timing() {
        let driver = LatchedDriver.tm1637(TM1637(halfClockMicroseconds: 1))
        let (_, wire) = run(driver, [program { driver.show(pages("102938", digits: 4).first, &$0) }])
        let rises = wire.edges(of: 0, rising: true)
        #expect(zip(rises, rises.dropFirst()).allSatisfy { $1.time - $0.time >= 2000 })
        #expect(wire.shortest(0, high: true) >= 400 && wire.shortest(0, high: false) >= 400)  // PW_CLK
        #expect(wire.setUp(of: [1], before: 0, rising: true) >= 100)  // t_SETUP
        #expect(wire.hold(of: [1], after: 0, rising: true) >= 100)  // t_HOLD
        #expect(wire.senses.count == 9)
        for sense in wire.senses {
            #expect(sense.line == 1)
            let last = wire.edges.last { $0.line == 0 && $0.time <= sense.time }
            #expect(last?.isRising == true)
        }
    }
}
