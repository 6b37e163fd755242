internal import DisplayDrivers
internal import Identity

extension ProfileFile {
    /// The kinds of display that have settings of their own.
    private static let wired = ["max7219", "tm1637", "74hc595", "hd44780", "segments", "exec"]
    static let acceptedDisplay = "console, none, or an object with one key: " + wired.joined(separator: ", ")

    static func display(_ root: StrictObject) throws(ProvisioningError) -> BoardProfile.Display {
        guard !root.isObject("display") else { return try wiredDisplay(root) }
        switch try root.string("display") {
        case nil, "console": return .console
        case "none": return .none
        case let other?: throw root.error("display", other, accepted: acceptedDisplay)
        }
    }

    private static func wiredDisplay(_ root: StrictObject) throws(ProvisioningError) -> BoardProfile.Display {
        guard let object = try root.nested("display", accepting: wired) else { return .console }
        let kinds = wired.filter { object.has($0) }
        guard kinds.count == 1 else {
            throw root.error("display", kinds.joined(separator: " and "), accepted: acceptedDisplay)
        }
        switch kinds[0] {
        case "max7219": return .wired(try max7219(object))
        case "tm1637": return .wired(try tm1637(object))
        case "74hc595": return .wired(try registers(object))
        case "hd44780": return .wired(try characters(object))
        case "segments": return .wired(try segments(object))
        default: return try program(object)
        }
    }

    private static func kind(
        _ parent: StrictObject, _ name: String, _ lines: [String], _ keys: [String]
    ) throws(ProvisioningError) -> StrictObject {
        guard let object = try parent.nested(name, accepting: lines + keys) else {
            throw parent.missing(name, accepted: "an object")
        }
        return object
    }

    private static func lines(_ object: StrictObject, _ keys: [String]) throws(ProvisioningError) -> [LineName] {
        var lines: [LineName] = []
        for key in keys { lines.append(try object.requiredLine(key)) }
        return lines
    }

    private static func max7219(_ parent: StrictObject) throws(ProvisioningError) -> WiredDisplay {
        let object = try kind(
            parent, "max7219", MAX7219.lineNames,
            ["digits", "digit-order", "segment-order", "brightness-percent", "chips", "position"])
        let digits = try object.integer("digits", in: SegmentPages.digitCounts, default: 8)
        let chips = try object.integer("chips", in: MAX7219.chipCounts, default: 1)
        let driver = MAX7219(
            digitOrder: try object.digitOrder(digits) ?? .descending(digits),
            segmentOrder: try object.segmentOrder() ?? .max7219, brightness: try object.brightness() ?? .half,
            chips: chips, position: try object.integer("position", in: 0...chips - 1, default: 0))
        return WiredDisplay(
            driver: .latched(.max7219(driver)), lines: try lines(object, MAX7219.lineNames))
    }

    private static func tm1637(_ parent: StrictObject) throws(ProvisioningError) -> WiredDisplay {
        let object = try kind(
            parent, "tm1637", TM1637.lineNames,
            [
                "digits", "digit-order", "segment-order", "brightness-percent", "half-clock-microseconds",
                "ignore-acknowledge",
            ])
        let digits = try object.integer("digits", in: TM1637.digitCounts, default: 4)
        let driver = TM1637(
            digitOrder: try object.digitOrder(digits) ?? .ascending(digits),
            segmentOrder: try object.segmentOrder() ?? .ascending, brightness: try object.brightness() ?? .half,
            halfClockMicroseconds: try object.integer(
                "half-clock-microseconds", in: TM1637.halfClockMicroseconds,
                default: TM1637.defaultHalfClockMicroseconds),
            ignoresAcknowledge: try object.bool("ignore-acknowledge") ?? false)
        return WiredDisplay(driver: .latched(.tm1637(driver)), lines: try lines(object, TM1637.lineNames))
    }

    private static func registers(_ parent: StrictObject) throws(ProvisioningError) -> WiredDisplay {
        let multiplexedKeys = [
            "segment-register", "digit-register", "digit-drivers-invert", "refresh-hertz", "brightness-percent",
        ]
        let object = try kind(
            parent, "74hc595", LatchedRegisters.lineNames,
            ["oe", "layout", "digits", "common", "digit-order", "segment-order"] + multiplexedKeys)
        let digits = try object.integer("digits", in: SegmentPages.digitCounts, default: 6)
        let digitOrder = try object.digitOrder(digits) ?? .ascending(digits)
        let segmentOrder = try object.segmentOrder() ?? .ascending
        let terminal: CommonPolarity.Terminal = try object.choice("common") ?? .cathode
        var names = try lines(object, LatchedRegisters.lineNames)
        let enable = try object.line("oe")
        if let enable { names.append(enable) }
        guard try object.choice("layout", RegisterLayout.self) == .multiplexed else {
            for key in multiplexedKeys where object.has(key) {
                throw object.error(key, "given", accepted: "with layout multiplexed only")
            }
            let driver = LatchedRegisters(
                digitOrder: digitOrder, segmentOrder: segmentOrder, terminal: terminal, hasEnable: enable != nil)
            return WiredDisplay(driver: .latched(.registers(driver)), lines: names)
        }
        let segmentRegister = try object.integer("segment-register", in: 0...1, default: 0)
        let digitRegister = try object.integer("digit-register", in: 0...1, default: 1 - segmentRegister)
        guard segmentRegister != digitRegister else {
            throw object.error("digit-register", "\(digitRegister)", accepted: "the other of 0 and 1")
        }
        let driver = MultiplexedRegisters(
            digitOrder: digitOrder, segmentOrder: segmentOrder,
            polarity: CommonPolarity(terminal, driversInvert: try object.bool("digit-drivers-invert") ?? false),
            segmentRegister: segmentRegister, hasEnable: enable != nil, hertz: try object.refreshRate(),
            brightness: try object.brightness() ?? .full)
        return WiredDisplay(driver: .multiplexed(.registers(driver)), lines: names)
    }

    private static func characters(_ parent: StrictObject) throws(ProvisioningError) -> WiredDisplay {
        let object = try kind(parent, "hd44780", HD44780.lineNames, ["rw", "backlight", "columns", "rows"])
        var names = try lines(object, HD44780.lineNames)
        let readWrite = try object.line("rw")
        let backlight = try object.line("backlight")
        if let readWrite { names.append(readWrite) }
        if let backlight { names.append(backlight) }
        let driver = HD44780(
            columns: try object.integer("columns", in: HD44780.columnCounts, default: HD44780.defaultColumns),
            rows: try object.integer("rows", in: HD44780.rowCounts, default: HD44780.defaultRows),
            hasReadWrite: readWrite != nil, hasBacklight: backlight != nil)
        return WiredDisplay(driver: .latched(.characters(driver)), lines: names)
    }

    private static func segments(_ parent: StrictObject) throws(ProvisioningError) -> WiredDisplay {
        let object = try kind(
            parent, "segments", ["segment-lines", "digit-lines"],
            ["common", "digit-drivers-invert", "refresh-hertz", "brightness-percent"])
        let segments = try object.lineList("segment-lines", counts: MultiplexedLines.segmentCounts)
        let digits = try object.lineList("digit-lines", counts: SegmentPages.digitCounts)
        let polarity = CommonPolarity(
            try object.choice("common") ?? .cathode, driversInvert: try object.bool("digit-drivers-invert") ?? false)
        let driver = MultiplexedLines(
            segments: segments.count, digits: digits.count, polarity: polarity, hertz: try object.refreshRate(),
            brightness: try object.brightness() ?? .full)
        return WiredDisplay(driver: .multiplexed(.lines(driver)), lines: segments + digits)
    }

    private static func program(_ parent: StrictObject) throws(ProvisioningError) -> BoardProfile.Display {
        .exec(try program(kind(parent, "exec", [], programKeyNames)))
    }
}

/// How 74HC595 registers are wired to digits.
enum RegisterLayout: String, CaseIterable {
    case latched = "static"
    case multiplexed
}

extension StrictObject {
    fileprivate func brightness() throws(ProvisioningError) -> Brightness? {
        guard let percent = try integer("brightness-percent", accepted: Brightness.percents.accepted) else {
            return nil
        }
        guard let brightness = Brightness(percent: percent) else {
            throw error("brightness-percent", "\(percent)", accepted: Brightness.percents.accepted)
        }
        return brightness
    }

    fileprivate func refreshRate() throws(ProvisioningError) -> Int {
        try integer("refresh-hertz", in: RefreshSchedule.hertz, default: RefreshSchedule.defaultHertz)
    }

    fileprivate func segmentOrder() throws(ProvisioningError) -> SegmentOrder? {
        guard let text = try string("segment-order") else { return nil }
        guard let order = SegmentOrder(text) else {
            throw error("segment-order", text, accepted: SegmentOrder.accepted)
        }
        return order
    }

    fileprivate func digitOrder(_ count: Int) throws(ProvisioningError) -> DigitOrder? {
        guard let numbers = try integers("digit-order") else { return nil }
        guard let order = DigitOrder(numbers), order.count == count else {
            let found = numbers.map { "\($0)" }.joined(separator: ", ")
            throw error("digit-order", "[\(found)]", accepted: "each of 0 to \(count - 1) once")
        }
        return order
    }

    fileprivate func lineList(_ key: String, counts: ClosedRange<Int>) throws(ProvisioningError) -> [LineName] {
        let accepted = "a list of \(counts.accepted), each \(LineName.accepted)"
        let texts = try strings(key)
        let lines = texts.compactMap { LineName($0) }
        guard counts.contains(lines.count), lines.count == texts.count else {
            throw error(key, texts.isEmpty ? "missing" : texts.joined(separator: ", "), accepted: accepted)
        }
        return lines
    }
}
