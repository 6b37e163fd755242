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
        var program = LineProgram()
        let insists: Bool
        switch wiring.driver {
        case .latched(let driver):
            lines = try LineGroup(wiring.lines, isOpenDrain: driver.isOpenDrain, idle: driver.idle)
            driver.start(&program)
            insists = driver.insistsOnAcknowledge
        case .multiplexed(let driver):
            lines = try LineGroup(wiring.lines, isOpenDrain: false, idle: driver.idle)
            driver.start(&program)
            insists = false
        }
        do throws(SystemError) { try lines.play(program.steps, insists: insists) } catch {
            throw LineFailure(line: lines.name, cause: error.code == ENXIO ? .noAnswer : .system(error))
        }
    }

    /// What lives on the display's thread from then on.
    package func makeDisplay() -> any PairingDisplay {
        switch wiring.driver {
        case .latched(let driver): LatchedDisplay(driver, on: lines)
        case .multiplexed(let driver): MultiplexedDisplay(driver, on: lines)
        }
    }
}

/// Whether the lines of a display or a button could be had, without having them: what a check looks at.
package enum LineCheck {
    /// Nil when nothing is in the way.
    package static func fault(_ names: [LineName]) -> LineFailure? {
        var first: LinePlace?
        do throws(LineFailure) {
            for name in names {
                let place = try LinePlace(name)
                if let first, first.path != place.path {
                    throw LineFailure(line: name.text, cause: .severalChips(first.path, place.path))
                }
                first = first ?? place
                if let holder = place.holder { throw LineFailure(line: name.text, cause: .taken(by: holder)) }
            }
            return nil
        } catch { return error }
    }
}
