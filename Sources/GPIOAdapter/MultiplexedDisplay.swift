internal import DisplayDrivers
internal import Glibc
internal import LinuxRuntime
internal import Octets
internal import Ports

/// Digits that are lit one after the other: refreshed at instants that do not depend on how long it takes.
final class MultiplexedDisplay: PairingDisplay {
    private let driver: MultiplexedDriver
    private let lines: LineGroup
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
    private var pageEnd: MonotonicInstant?

    private(set) var alarm: MonotonicInstant?
    private var index = 0
    /// A dimmed digit is dark for the rest of its slot, which ends then.
    private var slotEnd: MonotonicInstant?

    /// - Parameter lines: those of a display that shows nothing.
    init(_ driver: MultiplexedDriver, on lines: LineGroup) {
        self.driver = driver
        self.lines = lines
        digits = driver.digits
        slot = Int64(driver.schedule.slot / .nanoseconds(1))
        lit = driver.schedule.lit.map { Int64($0 / .nanoseconds(1)) } ?? slot
        var dark = LineProgram()
        driver.blank(&dark)
        self.dark = dark
    }

    func show(_ content: DisplayContent) throws(SystemError) {
        alarm = nil
        slotEnd = nil
        pages = content.pages(digits: digits)
        showsSecond = false
        draw(pages?.first)
        guard pages != nil else { return try lines.play(dark.steps) }
        index = 0
        let now = MonotonicInstant.boot
        pageEnd = pages?.second == nil ? nil : now.advanced(by: SegmentPages.pageTime)
        // A digit alone is no picture: all are lit in turn before this returns.
        for _ in 1..<digits {
            try light(alarm ?? now)
            while slotEnd != nil {
                Self.sleep(until: alarm)
                wake()
            }
            Self.sleep(until: alarm)
        }
        try light(alarm ?? now)
    }

    private static func sleep(until instant: MonotonicInstant?) {
        guard let nanoseconds = instant?.nanoseconds else { return }
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_BOOTTIME, TIMER_ABSTIME, &time, nil) == EINTR {}
    }

    func wake() {
        guard let due = alarm else { return }
        do throws(SystemError) {
            if let slotEnd {
                try lines.play(dark.steps)
                alarm = slotEnd
                self.slotEnd = nil
            } else {
                try light(due)
            }
        } catch {
            // It would fail hundreds of times a second: what is shown next tries again.
            alarm = nil
            slotEnd = nil
            Logger("display").log(.error, "the display cannot be refreshed", [("cause", "\(error)")])
        }
    }

    /// Lights the digit whose turn is at `due`.
    private func light(_ due: MonotonicInstant) throws(SystemError) {
        if let end = pageEnd, end <= due {
            showsSecond.toggle()
            draw(showsSecond ? pages?.second : pages?.first)
            pageEnd = end.advanced(by: SegmentPages.pageTime)
        }
        try lines.play(picture.steps, index * stepsOfDigit..<(index + 1) * stepsOfDigit)
        index = index + 1 == digits ? 0 : index + 1
        var next = due.nanoseconds + slot
        let now = MonotonicInstant.boot.nanoseconds
        // The board was busy for longer than a slot: what was missed is not made up for.
        if next < now { next = now + slot }
        if lit < slot { slotEnd = MonotonicInstant(nanoseconds: next) }
        alarm = MonotonicInstant(nanoseconds: next - slot + lit)
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
