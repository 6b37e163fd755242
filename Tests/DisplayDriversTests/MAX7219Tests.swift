import DisplayDrivers
import Testing

/// Maxim 19-4452: figure 1 (timing), tables 1 to 10 (registers).
@Suite("MAX7219") struct MAX7219Tests {
    /// A cascade of chips, after the data sheet.
    private struct Chips {
        var shift: [UInt16]
        var registers: [[UInt8]]

        init(_ count: Int) {
            shift = Array(repeating: 0xFFFF, count: count)
            registers = Array(repeating: Array(repeating: 0xAA, count: 16), count: count)
        }

        mutating func see(_ edges: [Wire.Edge]) {
            for edge in edges where edge.isRising {
                if edge.line == 1 {
                    var carry: UInt16 = Wire.level(edge.levels, 0) ? 1 : 0
                    for chip in shift.indices {
                        let out = shift[chip] >> 15
                        shift[chip] = shift[chip] << 1 | carry
                        carry = out
                    }
                } else if edge.line == 2 {
                    for chip in shift.indices {
                        let register = Int(shift[chip] >> 8 & 0xF)
                        if register != 0 { registers[chip][register] = UInt8(shift[chip] & 0xFF) }
                    }
                }
            }
        }
    }

    private func run(_ driver: LatchedDriver, chips: Int, _ show: SegmentPicture?) -> (Chips, Wire) {
        var wire = Wire(driver.idle)
        wire.play(program { driver.start(&$0) })
        if let show { wire.play(program { driver.show(show, &$0) }) }
        var model = Chips(chips)
        model.see(wire.edges)
        return (model, wire)
    }

    /// Bits of a digit register: D7 is the point, then A in D6 to G in D0 (table 6).
    private func own(_ character: Character) -> UInt8 {
        octet("gfedcba".map { (lit[character] ?? "").contains($0) })
    }

    @Test("the start leaves it shut down, blank, without decoding, out of test") func start() {
        let (chips, _) = run(.max7219(MAX7219(brightness: .full)), chips: 1, nil)
        let registers = chips.registers[0]
        #expect(registers[0xC] == 0 && registers[0xF] == 0 && registers[0x9] == 0)
        #expect(registers[0xB] == 7 && registers[0xA] == 15)
        #expect(registers[1...8].allSatisfy { $0 == 0 })
    }

    @Test("six digits stand in two groups, DIG7 leftmost, and the display is on") func code() {
        let (chips, _) = run(.max7219(MAX7219()), chips: 1, pages("123456", digits: 8).first)
        #expect(chips.registers[0][1...8].reversed() == "123  456".map(own))
        #expect(chips.registers[0][0xC] == 1)
    }

    @Test("of a cascade one chip shows, and all are started") func cascade() {
        let driver = MAX7219(chips: 4, position: 1)
        let (chips, _) = run(.max7219(driver), chips: 4, pages("987654", digits: 8).first)
        #expect(chips.registers[1][1...8].reversed() == "987  654".map(own))
        for other in [0, 2, 3] {
            #expect(chips.registers[other][1...8].allSatisfy { $0 == 0 } && chips.registers[other][0xC] == 0)
        }
    }

    @Test("blank is dark first, and then forgets") func blank() {
        let driver = LatchedDriver.max7219(MAX7219())
        var wire = Wire(driver.idle)
        wire.play(program { driver.start(&$0) })
        wire.play(program { driver.show(pages("123456", digits: 8).first, &$0) })
        let before = wire.edges.count
        wire.play(program { driver.blank(&$0) })
        var chips = Chips(1)
        chips.see(wire.edges)
        #expect(chips.registers[0][0xC] == 0 && chips.registers[0][1...8].allSatisfy { $0 == 0 })
        var early = Chips(1)
        let firstLoad = wire.edges[before...].first { $0.line == 2 && $0.isRising }
        early.see(wire.edges.filter { $0.time <= firstLoad?.time ?? 0 })
        #expect(early.registers[0][0xC] == 0)
    }

    @Test("brightness is one of sixteen steps", arguments: [(1, 0), (50, 8), (100, 15)])
    func brightness(_ percent: Int, _ step: UInt8) throws {
        let brightness = try #require(Brightness(percent: percent))
        let (chips, _) = run(.max7219(MAX7219(brightness: brightness)), chips: 1, nil)
        #expect(chips.registers[0][0xA] == step)
    }

    @Test("pulses, set-up and hold are the data sheet's at least") func timing() {
        let (_, wire) = run(.max7219(MAX7219()), chips: 1, pages("102938", digits: 8).first)
        #expect(wire.shortest(1, high: true) >= 50)  // t_CH
        #expect(wire.shortest(1, high: false) >= 50)  // t_CL
        #expect(wire.setUp(of: [0], before: 1, rising: true) >= 25)  // t_DS
        #expect(wire.hold(of: [0], after: 1, rising: true) >= 0)  // t_DH
        #expect(wire.shortest(2, high: true) >= 50)  // t_CSW
        #expect(wire.setUp(of: [2], before: 1, rising: true) >= 50)  // t_CSS 25, t_LDCK 50
        let rises = wire.edges(of: 1, rising: true)
        #expect(zip(rises, rises.dropFirst()).allSatisfy { $1.time - $0.time >= 100 })  // t_CP
    }
}
