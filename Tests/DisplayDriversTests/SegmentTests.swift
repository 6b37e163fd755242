import DisplayDrivers
import Testing

@Suite("Segments") struct SegmentTests {
    private func shown(_ picture: SegmentPicture, _ count: Int) -> [UInt8] { (0..<count).map { picture[$0] } }

    @Test("each digit is spelled as the data sheets draw it") func digits() {
        for digit in "0123456789" {
            let code = String(repeating: digit, count: 6)
            #expect(shown(pages(code, digits: 6).first, 6) == Array(repeating: pattern(digit), count: 6))
        }
    }

    @Test("words are PASS, FAIL, LOC and rdy, from the left") func words() {
        for (text, word) in [(DisplayText.paired, "PASS"), (.failed, "FAIL"), (.locked, "LOC "), (.ready, "rdy ")] {
            #expect(shown(SegmentPages(text.word).first, 4) == patterns(word))
            #expect(SegmentPages(text.word).second == nil)
        }
    }

    @Test(
        "a PIN fits every row of digits",
        arguments: [
            (8, "123  456", ""), (7, "123 456", ""), (6, "123456", ""), (5, "123- ", " -456"), (4, "123-", "-456"),
        ])
    func rows(_ digits: Int, _ first: String, _ second: String) {
        let both = pages("123456", digits: digits)
        #expect(shown(both.first, digits) == patterns(first))
        #expect(both.second.map { shown($0, digits) } ?? [] == patterns(second))
    }

    @Test("nothing lies outside of the row") func bounds() {
        for digits in SegmentPages.digitCounts {
            let both = pages("888888", digits: digits)
            for picture in [both.first, both.second ?? SegmentPicture()] {
                #expect((digits..<8).allSatisfy { picture[$0] == 0 })
            }
        }
    }

    @Test("an order has each segment or digit once") func orders() {
        #expect(SegmentOrder("abcdefgp") == .ascending && SegmentOrder("gfedcbap") == .max7219)
        #expect(SegmentOrder.max7219.text == "gfedcbap")
        for text in ["", "abcdefg", "abcdefgg", "abcdefghp", "ABCDEFGP"] { #expect(SegmentOrder(text) == nil) }
        #expect(DigitOrder([3, 2, 1, 0]) == .descending(4) && DigitOrder([0, 1, 2, 3, 4]) == .ascending(5))
        for numbers in [[], [0], [0, 1, 2], [0, 1, 2, 4], [0, 1, 1, 2], [-1, 0, 1, 2], Array(0..<9)] {
            #expect(DigitOrder(numbers) == nil)
        }
    }

    @Test(
        "bare digits: one step sets all lines, chooses one digit and lights its segments",
        arguments: [(CommonPolarity.Terminal.cathode, false), (.cathode, true), (.anode, false), (.anode, true)])
    func multiplexed(_ terminal: CommonPolarity.Terminal, _ inverts: Bool) {
        let driver = MultiplexedDriver.lines(
            MultiplexedLines(segments: 7, digits: 6, polarity: CommonPolarity(terminal, driversInvert: inverts)))
        let picture = pages("123456", digits: 6).first
        let isChosenLow = (terminal == .cathode) != inverts
        func chosen(_ levels: UInt32) -> [Int] { (0..<6).filter { Wire.level(levels, 7 + $0) != isChosenLow } }
        func segments(_ levels: UInt32) -> UInt8 {
            let bits = UInt8(levels & 0x7F)
            return terminal == .cathode ? bits : ~bits & 0x7F
        }
        for index in 0..<6 {
            let steps = program { driver.light(index, of: picture, &$0) }.steps
            #expect(steps.count == 1 && steps[0].mask == 0x1FFF)
            #expect(chosen(steps[0].levels) == [index])
            #expect(segments(steps[0].levels) == pattern(Array("123456")[index]))
        }
        for levels in [driver.idle.rawValue, program { driver.blank(&$0) }.steps[0].levels] {
            #expect(chosen(levels).isEmpty && segments(levels) == 0)
        }
    }

    @Test("a picture takes 1/125 s at the default rate, and a dimmed digit a share of its slot") func schedule() throws
    {
        let full = RefreshSchedule(hertz: 125, digits: 6, brightness: .full)
        #expect(full.lit == nil && full.slot * 6 <= .milliseconds(8) && full.slot * 6 > .microseconds(7990))
        let third = RefreshSchedule(hertz: 100, digits: 4, brightness: try #require(Brightness(percent: 30)))
        #expect(third.slot == .microseconds(2500) && third.lit == .microseconds(750))
    }

    @Test("no program is longer than the steps that are reserved for it") func capacity() {
        let drivers: [LatchedDriver] = [
            .max7219(MAX7219(chips: 8, position: 7)), .tm1637(TM1637()),
            .registers(LatchedRegisters(digitOrder: .ascending(8))),
        ]
        for driver in drivers {
            #expect(program { driver.start(&$0) }.steps.count <= LineProgram.capacity)
            #expect(program { driver.show(pages("123456", digits: 6).first, &$0) }.steps.count <= LineProgram.capacity)
        }
        let characters = HD44780(columns: 40)
        #expect(program { characters.show([], &$0) }.steps.count <= LineProgram.capacity)
    }
}

@Suite("Line names") struct LineNameTests {
    @Test("a name, or a chip and a number, perhaps inverted") func forms() throws {
        let forms: [(String, LineName.Place, Bool)] = [
            ("GPIO17", .name("GPIO17"), false), ("!GPIO3", .name("GPIO3"), true),
            ("gpiochip4:17", .offset(chip: "gpiochip4", 17), false),
            ("!/dev/gpiochip0:0", .offset(chip: "/dev/gpiochip0", 0), true),
            ("gpio-sim.0-node0:7", .offset(chip: "gpio-sim.0-node0", 7), false), ("SPI_CS:A", .name("SPI_CS:A"), false),
        ]
        for (text, place, isActiveLow) in forms {
            let name = try #require(LineName(text))
            #expect(name.place == place && name.isActiveLow == isActiveLow && name.text == text)
        }
    }

    @Test("what names no line is refused", arguments: ["", "!", "!!GPIO1", "a\u{7}b", "chip:99999999999", "Zürich"])
    func refusals(_ text: String) { #expect(LineName(text) == nil) }
}
