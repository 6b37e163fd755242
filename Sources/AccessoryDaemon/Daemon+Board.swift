internal import AccessoryCore
internal import DisplayDrivers
internal import GPIOAdapter
internal import Identity
internal import LinuxRuntime
internal import Provisioning

/// What is wired to the board: display and button.
extension Daemon {
    func startDisplay() throws(StartFailure) {
        guard let makeDisplay = try BoardDisplay.find(configuration.display) else { return }
        do throws(SystemError) {
            display = try DisplayThread(
                on: loop, makeDisplay: makeDisplay, onShown: { [unowned self] in handle(.displayed($0)) },
                onFailure: { [unowned self] content, error in
                    log.write(
                        .error, "display", "nothing can be shown", [("content", content.word), ("cause", "\(error)")])
                    handle(.notDisplayed(content))
                })
        } catch { throw .failure("\(error)") }
    }

    func startButton() throws(StartFailure) {
        guard let settings = configuration.profile.button else { return }
        do throws(LineFailure) {
            button = try ButtonReader(
                settings.line, bias: settings.bias, debounce: settings.debounce, longPress: settings.longPress, on: loop
            ) { [unowned self] in pressed($0, settings) }
        } catch { throw StartFailure(error, of: "button") }
    }

    private func pressed(_ press: PushButton.Press, _ settings: ButtonSettings) {
        let (name, action) =
            switch press {
            case .short: ("short", settings.onShortPress)
            case .long: ("long", settings.onLongPress)
            }
        let isRefused = action == .openWindow && configuration.identity.pairing.window == .command
        log.write(
            .info, "button", "pressed", [("press", name), ("action", isRefused ? "none" : action.rawValue)])
        switch action {
        case .openWindow where isRefused:
            log.write(.warning, "button", "pairing.window is command: the button opens nothing")
        case .openWindow: handle(.command(.openPairingWindow(nil)))
        case .closeWindow: handle(.command(.closePairingWindow))
        case .unlock: handle(.command(.unlock))
        case .forgetAll: handle(.command(.forgetAll))
        case .none: break
        }
    }
}

extension StartFailure {
    /// Why a line of the board cannot be used.
    init(_ failure: LineFailure, of part: String) {
        let text = "\(part): \(failure)"
        self = failure.isPermanent ? .configuration(text) : .notYet(text)
    }
}

extension BoardProgram {
    /// Ends a start that needs a program which is not there.
    func check(for part: String) throws(StartFailure) {
        guard FileSystem.isExecutable(path) else {
            throw .configuration("\(part): \(path) is no program that may be run")
        }
    }

    /// What `--check` finds.
    var fault: String? {
        if FileSystem.isExecutable(path) { return nil }
        return FileSystem.exists(path) ? "\(path) may not be run" : "\(path): no such program"
    }
}

extension DaemonConfiguration {
    /// What a start would end for: a reload must not end a service that then does not come back.
    ///
    /// Lines that this process has are no obstacle, for a start has them again.
    func checkBoard() throws(StartFailure) {
        try camera?.check(for: "camera")
        switch display {
        case .none, .console: break
        case .exec(let program): try program.check(for: "display")
        case .wired(let wiring): try Self.check(wiring.lines, of: "display")
        }
        if let button = profile.button { try Self.check([button.line], of: "button") }
    }

    private static func check(_ lines: [LineName], of part: String) throws(StartFailure) {
        guard let failure = LineCheck.fault(lines) else { return }
        if case .taken(by: let holder) = failure.cause, LineCheck.isOurs(holder) { return }
        throw StartFailure(failure, of: part)
    }
}

/// The display of a profile.
enum BoardDisplay {
    /// Finds it, and blanks it whatever a run before has left there; nil where the board has none.
    ///
    /// - Returns: what makes it, on its own thread.
    static func find(
        _ display: BoardProfile.Display
    ) throws(StartFailure) -> (@Sendable () -> any PairingDisplay)? {
        switch display {
        case .none: return nil
        case .console: return { ConsoleDisplay() }
        case .exec(let program):
            try program.check(for: "display")
            return { ExecDisplay(program) }
        case .wired(let wiring):
            let opened: OpenedDisplay
            do throws(LineFailure) { opened = try OpenedDisplay(wiring) } catch {
                throw StartFailure(error, of: "display")
            }
            return { opened.makeDisplay() }
        }
    }

    /// `awared --blank-display`: what the service manager runs when awared was killed, for displays keep what they show.
    static func blank(_ display: BoardProfile.Display) throws(StartFailure) {
        guard case .wired(let wiring) = display else { return }
        do throws(LineFailure) { _ = try OpenedDisplay(wiring) } catch { throw StartFailure(error, of: "display") }
    }
}
