/// A display that holds what it is given, and needs nothing until something else is to be shown.
package enum LatchedDriver: Hashable, Sendable {
    case max7219(MAX7219)
    case tm1637(TM1637)
    case registers(LatchedRegisters)
    case characters(HD44780)

    /// Whether its lines are only ever pulled low.
    package var isOpenDrain: Bool {
        if case .tm1637 = self { true } else { false }
    }

    /// Whether a line that should be low when it is read means that nobody is there.
    package var insistsOnAcknowledge: Bool {
        if case .tm1637(let driver) = self { !driver.ignoresAcknowledge } else { false }
    }

    /// Seven-segment digits; nil where characters are spelled as such.
    package var digits: Int? {
        switch self {
        case .max7219(let driver): driver.digitOrder.count
        case .tm1637(let driver): driver.digitOrder.count
        case .registers(let driver): driver.digitOrder.count
        case .characters: nil
        }
    }

    /// The levels that the lines are requested at: nothing happens.
    package var idle: LineSet {
        switch self {
        case .max7219(let driver): driver.idle
        case .tm1637(let driver): driver.idle
        case .registers(let driver): driver.idle
        case .characters(let driver): driver.idle
        }
    }

    /// From whatever state the part is in, to blank.
    package func start(_ program: inout LineProgram) {
        switch self {
        case .max7219(let driver): driver.start(&program)
        case .tm1637(let driver): driver.start(&program)
        case .registers(let driver): driver.start(&program)
        case .characters(let driver): driver.start(&program)
        }
    }

    /// A picture of digits; nothing for a display of characters.
    package func show(_ picture: SegmentPicture, _ program: inout LineProgram) {
        switch self {
        case .max7219(let driver): driver.show(picture, &program)
        case .tm1637(let driver): driver.show(picture, &program)
        case .registers(let driver): driver.show(picture, &program)
        case .characters: break
        }
    }

    package func blank(_ program: inout LineProgram) {
        switch self {
        case .max7219(let driver): driver.blank(&program)
        case .tm1637(let driver): driver.blank(&program)
        case .registers(let driver): driver.blank(&program)
        case .characters(let driver): driver.blank(&program)
        }
    }
}
