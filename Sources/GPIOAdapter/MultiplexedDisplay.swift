package import DisplayDrivers
internal import Glibc
package import LinuxRuntime
package import Octets
package import Ports

/// Digits that are lit one after the other: refreshed at instants that do not depend on how long it takes.
package final class MultiplexedDisplay: PairingDisplay {
    private let driver: MultiplexedDriver
    private let lines: any LinePlayer
    private let digits: Int
    /// In ns: from one digit to the next, and how long of that the digit is lit; plain numbers, for this is done often.
    private let slot: Int64
    private let lit: Int64
    /// A picture: for each digit the steps that light it, all of the same number.
    private var picture = LineProgram()
    private var stepsOfDigit = 0
    private let dark: LineProgram
    private var pages: SegmentPages?
    private var showsSecond = false
    /// In ns since boot: when the page is turned, and when the first digit of the next picture has its turn.
    private var pageEnd = Int64.max
    private var next: Int64 = 0

    package private(set) var alarm: MonotonicInstant?

    /// - Parameter lines: those of a display that shows nothing.
    package init(_ driver: MultiplexedDriver, on lines: any LinePlayer) {
        self.driver = driver
        self.lines = lines
        digits = driver.digits
        slot = Int64(driver.schedule.slot / .nanoseconds(1))
        lit = driver.schedule.lit.map { Int64($0 / .nanoseconds(1)) } ?? slot
        var dark = LineProgram()
        driver.blank(&dark)
        self.dark = dark
    }

    package func show(_ content: DisplayContent) throws(SystemError) {
        alarm = nil
        pages = content.pages(digits: digits)
        showsSecond = false
        draw(pages?.first)
        guard let pages else { return try lines.play(dark.steps) }
        next = MonotonicInstant.boot.nanoseconds
        pageEnd = pages.second == nil ? .max : next + Int64(SegmentPages.pageTime / .nanoseconds(1))
        // A digit alone is no picture: all are lit in turn before this returns.
        try refresh()
    }

    package func wake() {
        guard alarm != nil else { return }
        do throws(SystemError) { try refresh() } catch {
            // It would fail a hundred times a second: what is shown next tries again.
            alarm = nil
            Logger("display").log(.error, "the display cannot be refreshed", [("cause", "\(error)")])
        }
    }

    /// Lights each digit in its turn, a whole picture in one go.
    ///
    /// To look after each digit whether anything else is wanted would cost as much again; what comes meanwhile waits 10 ms
    /// at most.
    private func refresh() throws(SystemError) {
        let now = MonotonicInstant.boot.nanoseconds
        // The board was busy for longer than a slot: what was missed is not made up for.
        if next + slot < now { next = now }
        if pageEnd <= next { turnPage() }
        for digit in 0..<digits {
            if digit > 0 { Self.sleep(until: next) }
            try lines.play(picture.steps, digit * stepsOfDigit..<(digit + 1) * stepsOfDigit)
            if lit < slot {
                Self.sleep(until: next + lit)
                try lines.play(dark.steps)
            }
            next += slot
        }
        alarm = MonotonicInstant(nanoseconds: next)
    }

    private static func sleep(until nanoseconds: Int64) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, nil) == EINTR {}
    }

    private func turnPage() {
        showsSecond.toggle()
        draw(showsSecond ? pages?.second : pages?.first)
        pageEnd = next + Int64(SegmentPages.pageTime / .nanoseconds(1))
        clearStack()
    }

    /// Works out the steps that show a picture, and forgets those before.
    private func draw(_ page: SegmentPicture?) {
        wipe(&picture.steps)
        picture.steps.removeAll(keepingCapacity: true)
        guard let page else { return }
        for digit in 0..<digits { driver.light(digit, of: page, &picture) }
        stepsOfDigit = picture.steps.count / digits
    }
}
