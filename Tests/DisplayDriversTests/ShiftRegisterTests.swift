import DisplayDrivers
import Testing

/// A chain of 74HC595: SRCLK shifts on its rise, RCLK shows on its.
@Suite("74HC595") struct ShiftRegisterTests {
    private struct Chain {
        var shift: [Bool]
        /// Each picture that was latched, a register an octet, QA in bit 0, the nearest first.
        var latched: [[UInt8]] = []

        init(_ registers: Int) { shift = Array(repeating: true, count: registers * 8) }

        mutating func see(_ edges: [Wire.Edge]) {
            for edge in edges where edge.isRising {
                if edge.line == 1 {
                    shift = [Wire.level(edge.levels, 0)] + shift.dropLast()
                } else if edge.line == 2 {
                    latched.append(
                        stride(from: 0, to: shift.count, by: 8).map { octet(shift[$0..<$0 + 8]) })
                }
            }
        }
    }

    private func latched(_ idle: LineSet, registers: Int, _ programs: [LineProgram]) -> ([[UInt8]], Wire) {
        var wire = Wire(idle)
        for program in programs { wire.play(program) }
        var chain = Chain(registers)
        chain.see(wire.edges)
        return (chain.latched, wire)
    }

    @Test("a register for each digit, the leftmost the nearest; all change together") func latchedDigits() {
        let driver = LatchedDriver.registers(LatchedRegisters())
        let (pictures, _) = latched(
            driver.idle, registers: 6,
            [program { driver.start(&$0) }, program { driver.show(pages("123456", digits: 6).first, &$0) }])
        #expect(pictures == [patterns("      "), patterns("123456")])
    }

    @Test("with a common anode lit is low, and the board's orders are kept") func anode() throws {
        let digits = try #require(DigitOrder([5, 4, 3, 2, 1, 0]))
        let segments = try #require(SegmentOrder("pgfedcba"))
        let driver = LatchedDriver.registers(
            LatchedRegisters(digitOrder: digits, segmentOrder: segments, terminal: .anode))
        let (pictures, _) = latched(
            driver.idle, registers: 6, [program { driver.show(pages("123456", digits: 6).first, &$0) }])
        let expected = patterns("654321").map { ~reversed($0) }
        #expect(pictures == [expected])
    }

    @Test("outputs are enabled once what they show is blank") func enable() {
        let driver = LatchedDriver.registers(LatchedRegisters(hasEnable: true))
        let (_, wire) = latched(driver.idle, registers: 6, [program { driver.start(&$0) }])
        #expect(wire.edges.last { $0.isRising }?.line == 3)
        #expect(wire.edges(of: 2, rising: true).count == 1)
    }

    @Test(
        "multiplexed, every latch chooses one digit and shows its segments",
        arguments: [(CommonPolarity.Terminal.cathode, false), (.cathode, true), (.anode, false), (.anode, true)])
    func multiplexed(_ terminal: CommonPolarity.Terminal, _ inverts: Bool) {
        let driver = MultiplexedDriver.registers(
            MultiplexedRegisters(polarity: CommonPolarity(terminal, driversInvert: inverts)))
        let picture = pages("123456", digits: 6).first
        let (pictures, _) = latched(
            driver.idle, registers: 2, (0..<6).map { index in program { driver.light(index, of: picture, &$0) } })
        for (index, latch) in pictures.enumerated() {
            let segments = terminal == .cathode ? latch[0] : ~latch[0]
            #expect(segments == pattern(Array("123456")[index]))
            let isChosenLow = (terminal == .cathode) != inverts
            #expect(isChosenLow ? ~latch[1] == 1 << UInt8(index) : latch[1] == 1 << UInt8(index))
        }
        #expect(pictures.count == 6)
    }

    @Test("multiplexed, the board's orders are kept, whichever register has the segments", arguments: [0, 1])
    func multiplexedOrders(_ segmentRegister: Int) throws {
        let digits = try #require(DigitOrder([7, 6, 5, 0, 1, 2, 3, 4]))
        let segments = try #require(SegmentOrder("pgfedcba"))
        let driver = MultiplexedDriver.registers(
            MultiplexedRegisters(digitOrder: digits, segmentOrder: segments, segmentRegister: segmentRegister))
        let picture = pages("123456", digits: 8).first
        let (pictures, _) = latched(
            driver.idle, registers: 2, (0..<8).map { index in program { driver.light(index, of: picture, &$0) } })
        #expect(pictures.map { $0[segmentRegister] } == patterns("123  456").map(reversed))
        let chosen: [UInt8] = [7, 6, 5, 0, 1, 2, 3, 4].map { ~(UInt8(1) << UInt8($0)) }
        #expect(pictures.map { $0[1 - segmentRegister] } == chosen)
    }

    @Test("multiplexed, blank chooses no digit and lights nothing; outputs are enabled once it is latched")
    func multiplexedBlank() {
        for hasEnable in [false, true] {
            let driver = MultiplexedDriver.registers(MultiplexedRegisters(hasEnable: hasEnable))
            let light = program { driver.light(2, of: pages("888888", digits: 6).first, &$0) }
            let (pictures, _) = latched(driver.idle, registers: 2, [light, program { driver.blank(&$0) }])
            #expect(pictures.last == [0, 0xFF])
            let (started, wire) = latched(driver.idle, registers: 2, [program { driver.start(&$0) }])
            #expect(started == [[0, 0xFF]])
            #expect(wire.edges.last { $0.isRising }?.line == (hasEnable ? 3 : 2))
        }
    }

    @Test("pulses and set-up are long enough for a supply of 2 V") func timing() {
        let driver = LatchedDriver.registers(LatchedRegisters())
        let (_, wire) = latched(
            driver.idle, registers: 6, [program { driver.show(pages("102938", digits: 6).first, &$0) }])
        #expect(wire.shortest(1, high: true) >= 95 && wire.shortest(1, high: false) >= 95)  // t_W of SRCLK
        #expect(wire.shortest(2, high: true) >= 95)  // t_W of RCLK
        #expect(wire.setUp(of: [0], before: 1, rising: true) >= 65)  // t_su of SER
        #expect(wire.hold(of: [0], after: 1, rising: true) >= 3)  // t_h
        let rise = wire.edges(of: 2, rising: true)[0].time
        let last = wire.edges(of: 1, rising: true).last?.time ?? 0
        #expect(rise - last >= 95)  // t_su of SRCLK before RCLK
    }
}
