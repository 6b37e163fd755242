import DisplayDrivers
import GPIOAdapter
import Glibc
import LinuxRuntime
import NANSecurity
import Octets
import Ports
import Testing

/// Lines that write down what is done to them.
private final class Notes: LinePlayer {
    private(set) var plays: [[LineStep]] = []
    private(set) var insisted: [Bool] = []
    /// Where the steps lay that were played: whoever let them be played owns the memory still.
    private(set) var places: [UnsafeRawBufferPointer] = []
    var error: SystemError?

    func play(_ steps: [LineStep], _ range: Range<Int>?, insists: Bool) throws(SystemError) {
        if let error { throw error }
        // A copy: who shares the array has its owner wipe another.
        plays.append(steps[range ?? 0..<steps.count].map { $0 })
        insisted.append(insists)
        places.append(steps.withUnsafeBytes { $0 })
    }

    func forget() { (plays, insisted, places) = ([], [], []) }

    /// Nothing is left of what was played.
    var areWiped: Bool { places.allSatisfy { $0.allSatisfy { $0 == 0 } } }
}

@Suite("Displays on lines") struct WiredDisplayTests {
    private func pin(_ digits: String) throws -> PIN { try #require(PIN(typed: digits)) }

    private func picture(_ code: String, digits: Int) -> SegmentPages {
        Array(code.utf8).withUnsafeBytes { SegmentPages(code: $0, digits: digits) }
    }

    private func program(_ body: (inout LineProgram) -> Void) -> [LineStep] {
        var program = LineProgram()
        body(&program)
        return program.steps
    }

    // MARK: Displays that hold what they are given

    @Test("a PIN is written once, in full, and no step of it stays in memory") func latched() throws {
        let driver = LatchedDriver.max7219(MAX7219())
        let notes = Notes()
        let display = LatchedDisplay(driver, on: notes)
        try display.show(.pin(pin("271828")))
        let both = picture("271828", digits: 8)
        #expect(notes.plays == [program { driver.show(both.first, &$0) }])
        #expect(notes.places.count == 1 && notes.areWiped)
        #expect(display.alarm == nil)
        try display.show(.blank)
        #expect(notes.plays.last == program { driver.blank(&$0) })
        withExtendedLifetime(display) {}
    }

    @Test("rows of text leave no step in memory either") func characters() throws {
        let notes = Notes()
        let display = LatchedDisplay(.characters(HD44780()), on: notes)
        try display.show(.pin(pin("271828")))
        #expect(notes.plays.first?.isEmpty == false && notes.areWiped)
        withExtendedLifetime(display) {}
    }

    @Test("four digits show the halves in turn, 1.5 s each, until something else is shown") func pages() throws {
        let driver = LatchedDriver.tm1637(TM1637())
        let notes = Notes()
        let display = LatchedDisplay(driver, on: notes)
        let before = MonotonicInstant.boot
        try display.show(.pin(pin("271828")))
        let alarm = try #require(display.alarm)
        #expect(before.duration(to: alarm) >= .milliseconds(1500))
        let both = picture("271828", digits: 4)
        let second = try #require(both.second)
        display.wake()
        display.wake()
        #expect(notes.plays == [both.first, second, both.first].map { page in program { driver.show(page, &$0) } })
        #expect(notes.areWiped)
        try display.show(.paired)
        #expect(display.alarm == nil)
    }

    @Test("the acknowledge is insisted on where the driver wants it") func acknowledge() throws {
        for ignores in [false, true] {
            let notes = Notes()
            let display = LatchedDisplay(.tm1637(TM1637(ignoresAcknowledge: ignores)), on: notes)
            try display.show(.ready)
            #expect(notes.insisted == [!ignores])
        }
    }

    @Test("what cannot be written is an error, and leaves nothing behind") func failure() throws {
        let notes = Notes()
        let display = LatchedDisplay(.max7219(MAX7219()), on: notes)
        notes.error = SystemError(call: "set GPIO lines", code: ENODEV)
        #expect(throws: SystemError.self) { try display.show(.pin(pin("271828"))) }
        notes.error = nil
        try display.show(.blank)
        #expect(notes.areWiped)
        withExtendedLifetime(display) {}
    }

    // MARK: Digits that are lit in turn

    private static func bare(digits: Int = 6, brightness: Brightness = .full) -> MultiplexedDriver {
        .lines(MultiplexedLines(segments: 7, digits: digits, hertz: 1000, brightness: brightness))
    }

    @Test("each picture lights each digit once, in order, and the next is due when the rate asks for it")
    func multiplexed() throws {
        let driver = Self.bare()
        let notes = Notes()
        let display = MultiplexedDisplay(driver, on: notes)
        let before = MonotonicInstant.boot
        try display.show(.pin(pin("271828")))
        let after = MonotonicInstant.boot
        let first = try #require(display.alarm)
        let page = picture("271828", digits: 6).first
        let one = (0..<6).map { index in program { driver.light(index, of: page, &$0) } }
        #expect(notes.plays == one)
        // The last digit is lit while that is waited for: 6 slots of 166,666 ns.
        #expect(before.duration(to: first) >= .nanoseconds(999_996))
        #expect(after.duration(to: first) <= .nanoseconds(166_666))
        display.wake()
        #expect(notes.plays == one + one)
        let second = try #require(display.alarm)
        #expect(first.duration(to: second) >= .nanoseconds(999_996))
        let lit = try #require(notes.places.first)
        try display.show(.blank)
        #expect(notes.plays.last == program { driver.blank(&$0) } && display.alarm == nil)
        #expect(lit.count == 6 * MemoryLayout<LineStep>.stride && lit.allSatisfy { $0 == 0 })
        let count = notes.plays.count
        display.wake()
        #expect(notes.plays.count == count)
    }

    @Test("a dimmed digit is dark for the rest of its slot") func dimmed() throws {
        let driver = Self.bare(digits: 4, brightness: try #require(Brightness(percent: 25)))
        let notes = Notes()
        let display = MultiplexedDisplay(driver, on: notes)
        try display.show(.paired)
        let dark = program { driver.blank(&$0) }
        try #require(notes.plays.count == 8)
        for index in 0..<8 where index % 2 == 1 { #expect(notes.plays[index] == dark) }
        #expect(!notes.plays.enumerated().contains { $0.offset % 2 == 0 && $0.element == dark })
    }

    @Test("another picture takes the one before it out of memory") func forgotten() throws {
        let driver = Self.bare()
        let notes = Notes()
        let display = MultiplexedDisplay(driver, on: notes)
        try display.show(.pin(pin("271828")))
        let place = try #require(notes.places.first)
        let shown = Array(place)
        notes.forget()
        try display.show(.paired)
        // The same memory, other steps.
        #expect(notes.places.allSatisfy { $0.baseAddress == place.baseAddress })
        #expect(Array(place) != shown)
        let page = picture("271828", digits: 6).first
        for index in 0..<6 { #expect(!notes.plays.contains(program { driver.light(index, of: page, &$0) })) }
    }

    @Test("a picture that cannot be lit is an error at once, and later ends the refresh") func dead() throws {
        let notes = Notes()
        let display = MultiplexedDisplay(Self.bare(), on: notes)
        try display.show(.ready)
        notes.error = SystemError(call: "set GPIO lines", code: ENODEV)
        display.wake()
        #expect(display.alarm == nil)
        #expect(throws: SystemError.self) { try display.show(.pin(pin("271828"))) }
        #expect(display.alarm == nil)
        notes.error = nil
        try display.show(.paired)
        #expect(display.alarm != nil)
    }
}
