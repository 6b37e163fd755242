internal import DisplayDrivers
internal import Glibc
internal import LinuxRuntime
internal import Octets
internal import Ports

/// Digits that are lit one after the other: refreshed at instants that do not depend on how long it takes.
final class MultiplexedDisplay: PairingDisplay {
    private let driver: MultiplexedDriver
    private let lines: LineGroup
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
        var dark = LineProgram()
        driver.blank(&dark)
        self.dark = dark
    }

    func show(_ content: DisplayContent) throws(SystemError) {
        alarm = nil
        slotEnd = nil
        pages = content.pages(digits: driver.digits)
        showsSecond = false
        draw(pages?.first)
        guard pages != nil else { return try lines.play(dark.steps) }
        index = 0
        let now = MonotonicInstant.boot
        pageEnd = pages?.second == nil ? nil : now.advanced(by: SegmentPages.pageTime)
        // A digit alone is no picture: all are lit in turn before this returns.
        for _ in 1..<driver.digits {
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
        index = index + 1 == driver.digits ? 0 : index + 1
        let schedule = driver.schedule
        var next = due.advanced(by: schedule.slot)
        let now = MonotonicInstant.boot
        // The board was busy for longer than a slot: what was missed is not made up for.
        if next < now { next = now.advanced(by: schedule.slot) }
        guard let lit = schedule.lit else {
            alarm = next
            return
        }
        slotEnd = next
        alarm = next.advanced(by: lit - schedule.slot)
    }

    /// Works out the steps that show a picture, and forgets those before.
    private func draw(_ page: SegmentPicture?) {
        wipe(&picture.steps)
        picture.steps.removeAll(keepingCapacity: true)
        guard let page else { return }
        for digit in 0..<driver.digits { driver.light(digit, of: page, &picture) }
        stepsOfDigit = picture.steps.count / driver.digits
    }
}
