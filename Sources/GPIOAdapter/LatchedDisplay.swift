package import DisplayDrivers
package import LinuxRuntime
internal import NANSecurity
package import Octets
package import Ports

/// A display that holds what it is given: written once, or once a page.
package final class LatchedDisplay: PairingDisplay {
    private let driver: LatchedDriver
    private let lines: any LinePlayer
    private var program = LineProgram()
    private var pages: SegmentPages?
    private var showsSecond = false
    package private(set) var alarm: MonotonicInstant?

    /// - Parameter lines: those of a display that shows nothing.
    package init(_ driver: LatchedDriver, on lines: any LinePlayer) {
        self.driver = driver
        self.lines = lines
    }

    package func show(_ content: DisplayContent) throws(SystemError) {
        alarm = nil
        pages = driver.digits.flatMap { content.pages(digits: $0) }
        showsSecond = false
        if let pages {
            driver.show(pages.first, &program)
        } else if case .characters(let driver) = driver, content != .blank {
            write(content, driver)
        } else {
            driver.blank(&program)
        }
        try play()
        turnPageLater()
    }

    /// Turns the page.
    package func wake() {
        alarm = nil
        guard let pages, let second = pages.second else { return }
        showsSecond.toggle()
        driver.show(showsSecond ? second : pages.first, &program)
        do throws(SystemError) { try play() } catch {
            Logger("display").log(.error, "a page cannot be shown", [("cause", "\(error)")])
        }
        clearStack()
        turnPageLater()
    }

    private func write(_ content: DisplayContent, _ driver: HD44780) {
        guard case .pin(let pin) = content else {
            driver.show(content.text?.rows ?? [], &program)
            return
        }
        // Shown on purpose: this is the display.
        var rows = pin.withDigits { DisplayText.rows(code: $0) }
        driver.show(rows, &program)
        for row in rows.indices { wipe(&rows[row]) }
    }

    private func turnPageLater() {
        if pages?.second != nil { alarm = MonotonicInstant.boot.advanced(by: SegmentPages.pageTime) }
    }

    private func play() throws(SystemError) {
        defer {
            wipe(&program.steps)
            program.steps.removeAll(keepingCapacity: true)
        }
        try lines.play(program.steps, nil, insists: driver.insistsOnAcknowledge)
    }
}
