internal import DisplayDrivers
internal import Identity

extension ProfileFile {
    private typealias Key = ConfigurationKey

    /// What `docs/CONFIG.md` says of displays.
    static var displayDocumentation: [ConfigurationKey] {
        let kinds: [[Key]] = [max7219Keys, tm1637Keys, registerKeys, characterKeys, segmentKeys, programKeys]
        return [Key("display", accepted: acceptedDisplay, default: "console", "where the PIN is shown")]
            + kinds.flatMap { $0 }
    }

    private static func line(_ path: String, default standard: String? = nil, _ meaning: String) -> Key {
        Key("display.\(path)", accepted: LineName.accepted, default: standard, meaning)
    }

    private static func digits(_ kind: String, _ counts: ClosedRange<Int>, _ standard: Int) -> Key {
        Key(
            "display.\(kind).digits", accepted: counts.accepted, default: "\(standard)",
            "how many there are; fewer than six show a PIN on two pages in turn")
    }

    private static func digitOrder(_ kind: String, _ standard: String, _ meaning: String) -> Key {
        Key(
            "display.\(kind).digit-order", accepted: "a list of as many different numbers, from 0", default: standard,
            "the part's number of each digit, the leftmost first; \(meaning)")
    }

    private static func segmentOrder(_ kind: String, _ standard: SegmentOrder, _ first: String) -> Key {
        Key(
            "display.\(kind).segment-order", accepted: SegmentOrder.accepted, default: standard.text,
            "which segment is where, \(first) first; p is the decimal point")
    }

    private static func brightness(_ kind: String, _ standard: Brightness, _ meaning: String) -> Key {
        Key(
            "display.\(kind).brightness-percent", accepted: Brightness.percents.accepted,
            default: "\(standard.percent)", meaning)
    }

    private static func common(_ kind: String) -> Key {
        Key(
            "display.\(kind).common", accepted: acceptedNames(CommonPolarity.Terminal.self),
            default: CommonPolarity.Terminal.cathode.rawValue,
            "what a digit's segments share: with cathode lit is high, with anode low")
    }

    private static func invert(_ kind: String) -> Key {
        Key(
            "display.\(kind).digit-drivers-invert", accepted: "true or false", default: "false",
            "a transistor turns the level around that chooses a digit: low with cathode, high with anode")
    }

    private static func refresh(_ kind: String) -> Key {
        Key(
            "display.\(kind).refresh-hertz", accepted: RefreshSchedule.hertz.accepted,
            default: "\(RefreshSchedule.defaultHertz)", "how often all digits are lit, one after the other")
    }

    private static var max7219Keys: [Key] {
        [
            Key("display.max7219", accepted: "an object", default: "none", "a MAX7219 or MAX7221"),
            line("max7219.din", "data"), line("max7219.clk", "clock"), line("max7219.load", "LOAD, or CS"),
            digits("max7219", SegmentPages.digitCounts, 8),
            digitOrder("max7219", "the last first", "0 is DIG0"),
            segmentOrder("max7219", .max7219, "bit 0 of a digit's register"),
            brightness("max7219", .half, "one of the chip's 16 steps"),
            Key(
                "display.max7219.chips", accepted: MAX7219.chipCounts.accepted, default: "1",
                "how many are cascaded"),
            Key(
                "display.max7219.position", accepted: "0 to chips - 1", default: "0",
                "which of them has the digits; 0 is the nearest"),
        ]
    }

    private static var tm1637Keys: [Key] {
        [
            Key("display.tm1637", accepted: "an object", default: "none", "a TM1637; its lines are open-drain"),
            line("tm1637.clk", "clock"), line("tm1637.dio", "data"), digits("tm1637", TM1637.digitCounts, 4),
            digitOrder("tm1637", "the first first", "six-digit boards often have 2, 1, 0, 5, 4, 3"),
            segmentOrder("tm1637", .ascending, "bit 0 of a digit's register"),
            brightness("tm1637", .half, "one of the chip's 8 steps"),
            Key(
                "display.tm1637.half-clock-microseconds", accepted: TM1637.halfClockMicroseconds.accepted,
                default: "\(TM1637.defaultHalfClockMicroseconds)", "more for boards with capacitors on the lines"),
            Key(
                "display.tm1637.ignore-acknowledge", accepted: "true or false", default: "false",
                "for lines on which the chip's answer cannot be read"),
        ]
    }

    private static var registerKeys: [Key] {
        let multiplexed = "of layout multiplexed: "
        return [
            Key("display.74hc595", accepted: "an object", default: "none", "digits behind a chain of 74HC595"),
            line("74hc595.ser", "data"), line("74hc595.srclk", "shift clock"), line("74hc595.rclk", "latch"),
            line("74hc595.oe", default: "none", "enables the outputs, so after ! for the part's own pin"),
            Key(
                "display.74hc595.layout", accepted: acceptedNames(RegisterLayout.self),
                default: RegisterLayout.latched.rawValue,
                "a register for each digit, or one with the segments and one that chooses the digit"),
            digits("74hc595", SegmentPages.digitCounts, 6), common("74hc595"), invert("74hc595"),
            digitOrder("74hc595", "the first first", "the register, or the output of the digit register, 0 being QA"),
            segmentOrder("74hc595", .ascending, "QA"),
            Key(
                "display.74hc595.segment-register", accepted: "0 or 1", default: "0",
                multiplexed + "which has the segments; 0 is the nearest"),
            Key(
                "display.74hc595.digit-register", accepted: "0 or 1", default: "the other",
                multiplexed + "which chooses the digit"),
            refresh("74hc595"), brightness("74hc595", .full, multiplexed + "how long of its turn a digit is lit"),
        ]
    }

    private static var characterKeys: [Key] {
        [
            Key("display.hd44780", accepted: "an object", default: "none", "a character LCD, four data lines"),
            line("hd44780.rs", "register select"), line("hd44780.e", "enable"), line("hd44780.d4", "data"),
            line("hd44780.d5", "data"), line("hd44780.d6", "data"), line("hd44780.d7", "data"),
            line("hd44780.rw", default: "none", "held low: nothing is read"),
            line("hd44780.backlight", default: "none", "on while something is shown"),
            Key(
                "display.hd44780.columns", accepted: HD44780.columnCounts.accepted,
                default: "\(HD44780.defaultColumns)", "characters in a row"),
            Key(
                "display.hd44780.rows", accepted: HD44780.rowCounts.accepted, default: "\(HD44780.defaultRows)",
                "rows; two are used at most"),
        ]
    }

    private static var segmentKeys: [Key] {
        [
            Key("display.segments", accepted: "an object", default: "none", "bare digits, multiplexed"),
            Key(
                "display.segments.segment-lines",
                accepted: "a list of \(MultiplexedLines.segmentCounts.accepted), each \(LineName.accepted)",
                default: nil, "segments a to g, perhaps the decimal point"),
            Key(
                "display.segments.digit-lines",
                accepted: "a list of \(SegmentPages.digitCounts.accepted), each \(LineName.accepted)", default: nil,
                "a line for each digit, the leftmost first"),
            common("segments"), invert("segments"), refresh("segments"),
            brightness("segments", .full, "how long of its turn a digit is lit"),
        ]
    }

    private static var programKeys: [Key] {
        programDocumentation(
            "display.exec", "a program of the board's maker, told by lines of JSON on its standard input")
    }
}
