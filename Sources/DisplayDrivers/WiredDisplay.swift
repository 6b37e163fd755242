/// How a display on GPIO lines is driven.
package enum DisplayDriver: Hashable, Sendable {
    case latched(LatchedDriver)
    case multiplexed(MultiplexedDriver)
}

/// A driver and the lines it is wired to, in the order in which the driver counts them.
package struct WiredDisplay: Hashable, Sendable {
    package let driver: DisplayDriver
    package let lines: [LineName]

    package init(driver: DisplayDriver, lines: [LineName]) {
        self.driver = driver
        self.lines = lines
    }
}

/// Which resistor a chip is asked to put on an input line.
package enum LineBias: String, CaseIterable, Hashable, Sendable {
    case pullUp = "pull-up"
    case pullDown = "pull-down"
    case none
}
