internal import Glibc
internal import LinuxRuntime
internal import Ports

/// How far the end of a run has come.
enum Ending: Equatable {
    case none
    case stopping
    /// As `stopping`, to start over with the configuration as it now is.
    case reloading
}

/// The watches on signals; each blocks its signal.
struct SignalSources: ~Copyable {
    var terminate: EventSource?
    var interrupt: EventSource?
    var hangUp: EventSource?
}

extension Daemon {
    /// Within this time phones are told and files written, or it ends without.
    private static let patience = Duration.seconds(3)
    /// For a display that hangs.
    private static let displayPatience = Duration.milliseconds(500)

    func watchSignals() throws(SystemError) {
        signals.terminate = try loop.watch(signal: SIGTERM) { [unowned self] in signalled("SIGTERM") }
        signals.interrupt = try loop.watch(signal: SIGINT) { [unowned self] in signalled("SIGINT") }
        signals.hangUp = try loop.watch(signal: SIGHUP) { [unowned self] in reload() }
        endTimer = try loop.timer { [unowned self] in runOutOfPatience() }
        // A reader of our output that goes away is an error of that write, no reason to die.
        signal(SIGPIPE, SIG_IGN)
    }

    private func signalled(_ name: String) {
        if ending == .none {
            log.write(.info, "awared", "ending", [("signal", name)])
            return end(.stopping)
        }
        log.write(.warning, "awared", "ending at once", [("signal", name)])
        _exit(ExitStatus.failure.rawValue)
    }

    private func reload() {
        guard ending == .none else { return }
        if let failure = checkConfiguration() {
            log.write(.error, "awared", "the new configuration is refused; the old one stays", [("cause", failure)])
            return
        }
        log.write(.info, "awared", "starting over with the configuration as it is now", [("signal", "SIGHUP")])
        end(.reloading)
    }

    /// Begins the end.
    func end(_ kind: Ending) {
        guard ending == .none else { return }
        ending = kind
        manager.noteEnding(isReload: kind == .reloading)
        endTimer?.arm(loop.now.advanced(by: Self.patience))
        handle(.command(.shutDown))
    }

    /// Leaves once everything has ended that the accessory's end has begun.
    func finishIfDone() {
        guard ending != .none, radioIsStopped, mediaIsClosed, storeThread?.unanswered == 0, !isLeaving else { return }
        blankAndLeave { [unowned self] in loop.exit() }
    }

    private func runOutOfPatience() {
        // After a reload somebody has to start it again: systemd does so after a failure only.
        let status = ending == .reloading ? ExitStatus.failure : .success
        // The display's time is over, too: its thread cannot be waited for.
        if isLeaving { _exit(status.rawValue) }
        log.write(.warning, "awared", "something did not end in time; leaving without it")
        blankAndLeave { _exit(status.rawValue) }
    }

    private func blankAndLeave(_ leave: @escaping () -> Void) {
        isLeaving = true
        guard let display else { return leave() }
        endTimer?.arm(loop.now.advanced(by: Self.displayPatience))
        display.show(.blank)
        display.onceShown(leave)
    }
}
