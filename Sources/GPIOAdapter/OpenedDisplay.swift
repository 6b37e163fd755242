package import DisplayDrivers
internal import Glibc
internal import LinuxRuntime

/// A display on GPIO lines that has been found, is ours, and shows nothing.
package struct OpenedDisplay: Sendable {
    private let wiring: WiredDisplay
    private let lines: LineGroup

    /// Requests the lines and blanks the display, whatever a program before this one has left there.
    package init(_ wiring: WiredDisplay) throws(LineFailure) {
        self.wiring = wiring
        lines =
            switch wiring.driver {
            case .latched(let driver):
                try LineGroup(wiring.lines, isOpenDrain: driver.isOpenDrain, idle: driver.idle)
            case .multiplexed(let driver): try LineGroup(wiring.lines, isOpenDrain: false, idle: driver.idle)
            }
        try start()
    }

    private func start() throws(LineFailure) {
        var program = LineProgram()
        let insists: Bool
        switch wiring.driver {
        case .latched(let driver):
            driver.start(&program)
            insists = driver.insistsOnAcknowledge
        case .multiplexed(let driver):
            driver.start(&program)
            insists = false
        }
        do throws(SystemError) { try lines.play(program.steps, nil, insists: insists) } catch {
            throw LineFailure(line: lines.name, cause: error.code == ENXIO ? .noAnswer : .system(error))
        }
    }

    /// Whether the lines' chip has gone.
    var isLost: Bool { lines.isLost }
    /// Hangs up when it goes.
    var hazard: Int32? { lines.descriptor }
    func checkChip() { lines.checkChip() }

    /// Requests the lines anew, and blanks the display.
    func reopen() throws(LineFailure) {
        try lines.reopen()
        do throws(LineFailure) { try start() } catch {
            // With its lines in hand it would not count as lost, and nobody would try again.
            lines.close()
            throw error
        }
    }

    /// What lives on the display's thread from then on.
    package func makeDisplay() -> any PairingDisplay {
        let display: any PairingDisplay =
            switch wiring.driver {
            case .latched(let driver): LatchedDisplay(driver, on: lines)
            case .multiplexed(let driver): MultiplexedDisplay(driver, on: lines)
            }
        return LineDisplay(self, display)
    }
}

/// Whether the lines of a display or a button could be had, without having them: what a check looks at.
package enum LineCheck {
    /// Whether a line's holder is a display or a button of awared, as the kernel names it.
    package static func isOurs(_ holder: String) -> Bool {
        holder == LineGroup.consumer || holder == ButtonReader.consumer
    }

    /// Nil when nothing is in the way.
    package static func fault(_ names: [LineName]) -> LineFailure? {
        do throws(LineFailure) {
            for (name, place) in zip(names, try LinePlace.ofDisplay(names)) {
                if let holder = place.holder { throw LineFailure(line: name.text, cause: .taken(by: holder)) }
            }
            return nil
        } catch { return error }
    }
}
