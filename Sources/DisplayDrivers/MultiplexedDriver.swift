/// When the digits of a multiplexed row are lit, one after the other.
package struct RefreshSchedule: Hashable, Sendable {
    /// Below 100 Hz the eye sees it flicker.
    package static let hertz = 100...1000
    /// More than the least, so that a late step does not take it below.
    package static let defaultHertz = 125

    /// From one digit to the next.
    package let slot: Duration
    /// How long the digit is lit in its slot; nil for all of it.
    package let lit: Duration?

    package init(hertz: Int, digits: Int, brightness: Brightness) {
        let nanoseconds = 1_000_000_000 / (max(1, hertz) * max(1, digits))
        slot = .nanoseconds(nanoseconds)
        lit = brightness.percent == 100 ? nil : .nanoseconds(nanoseconds * brightness.percent / 100)
    }
}

/// Digits of which one at a time is lit: segments and digits on lines of their own, or behind two shift registers.
package enum MultiplexedDriver: Hashable, Sendable {
    case lines(MultiplexedLines)
    case registers(MultiplexedRegisters)

    package var digits: Int {
        switch self {
        case .lines(let driver): driver.digits
        case .registers(let driver): driver.digitOrder.count
        }
    }

    package var schedule: RefreshSchedule {
        switch self {
        case .lines(let driver): driver.schedule
        case .registers(let driver): driver.schedule
        }
    }

    /// The levels the lines are requested at: nothing is lit.
    package var idle: LineSet {
        switch self {
        case .lines(let driver): driver.idle
        case .registers: []
        }
    }

    package func start(_ program: inout LineProgram) {
        blank(&program)
        if case .registers(let driver) = self, driver.hasEnable {
            program.drive(ShiftRegisters.oe, to: ShiftRegisters.oe, for: 0)
        }
    }

    /// Lights digit number `index` from the left, and no other.
    package func light(_ index: Int, of picture: SegmentPicture, _ program: inout LineProgram) {
        switch self {
        case .lines(let driver): driver.light(index, of: picture, &program)
        case .registers(let driver): driver.light(index, of: picture, &program)
        }
    }

    package func blank(_ program: inout LineProgram) {
        switch self {
        case .lines(let driver): driver.blank(&program)
        case .registers(let driver): driver.blank(&program)
        }
    }
}

/// Bare digits: a line for each segment and a line for each digit, all of them set in one step.
package struct MultiplexedLines: Hashable, Sendable {
    package static let segmentCounts = 7...8

    /// Segments on lines of their own, a first; without the decimal point or with it.
    package let segments: Int
    /// The lines after those of the segments, the leftmost digit first.
    package let digits: Int
    package let polarity: CommonPolarity
    package let schedule: RefreshSchedule

    package init(
        segments: Int, digits: Int, polarity: CommonPolarity = CommonPolarity(.cathode),
        hertz: Int = RefreshSchedule.defaultHertz, brightness: Brightness = .full
    ) {
        self.segments = segments
        self.digits = digits
        self.polarity = polarity
        schedule = RefreshSchedule(hertz: hertz, digits: digits, brightness: brightness)
    }

    var idle: LineSet { levels(pattern: 0, chosen: 0) }

    func light(_ index: Int, of picture: SegmentPicture, _ program: inout LineProgram) {
        let levels = levels(pattern: picture[index], chosen: 1 << UInt8(index))
        program.drive(.all(segments + digits), to: levels, for: 0)
    }

    func blank(_ program: inout LineProgram) { program.drive(.all(segments + digits), to: idle, for: 0) }

    private func levels(pattern: UInt8, chosen: UInt8) -> LineSet {
        let segmentLevels = UInt32(polarity.segments(pattern)) & LineSet.all(segments).rawValue
        let digitLevels = UInt32(polarity.digits(chosen)) & LineSet.all(digits).rawValue
        return LineSet(rawValue: segmentLevels | digitLevels << UInt32(segments))
    }
}

/// Two 74HC595, one with the segments and one that chooses the digit.
package struct MultiplexedRegisters: Hashable, Sendable {
    /// The output of each digit, QA being 0, the leftmost digit first.
    package let digitOrder: DigitOrder
    package let segmentOrder: SegmentOrder
    package let polarity: CommonPolarity
    /// Which of the two, counted from the board, has the segments.
    package let segmentRegister: Int
    package let hasEnable: Bool
    package let schedule: RefreshSchedule

    package init(
        digitOrder: DigitOrder = .ascending(6), segmentOrder: SegmentOrder = .ascending,
        polarity: CommonPolarity = CommonPolarity(.cathode), segmentRegister: Int = 0, hasEnable: Bool = false,
        hertz: Int = RefreshSchedule.defaultHertz, brightness: Brightness = .full
    ) {
        self.digitOrder = digitOrder
        self.segmentOrder = segmentOrder
        self.polarity = polarity
        self.segmentRegister = segmentRegister
        self.hasEnable = hasEnable
        schedule = RefreshSchedule(hertz: hertz, digits: digitOrder.count, brightness: brightness)
    }

    func light(_ index: Int, of picture: SegmentPicture, _ program: inout LineProgram) {
        write(pattern: segmentOrder.wired(picture[index]), chosen: 1 << UInt8(digitOrder[index]), &program)
    }

    func blank(_ program: inout LineProgram) { write(pattern: 0, chosen: 0, &program) }

    private func write(pattern: UInt8, chosen: UInt8, _ program: inout LineProgram) {
        ShiftRegisters.write(&program, count: 2) { register in
            register == segmentRegister ? polarity.segments(pattern) : polarity.digits(chosen)
        }
    }
}
