internal import LinuxRuntime
internal import Octets
internal import Ports

/// A display whose chip may go away and come back, as a port expander on USB does: its lines are then requested anew.
final class LineDisplay: PairingDisplay {
    private let opened: OpenedDisplay
    private let display: any PairingDisplay
    private var content = DisplayContent.blank
    /// When the chip is looked for; nil while it is there.
    private var lookAt: MonotonicInstant?

    /// A lost chip is looked for so often.
    private static let interval = Duration.seconds(2)

    init(_ opened: OpenedDisplay, _ display: any PairingDisplay) {
        self.opened = opened
        self.display = display
    }

    var alarm: MonotonicInstant? { lookAt ?? display.alarm }

    var hazard: Int32? { opened.hazard }

    func show(_ content: DisplayContent) throws(SystemError) {
        self.content = content
        opened.checkChip()
        if opened.isLost { try? opened.reopen() }
        defer { lookLater() }
        do throws(SystemError) { try display.show(content) } catch {
            // Where a chip's loss cannot be looked for (libgpiod 1.6), this is what tells; it may be back already.
            guard opened.isLost, (try? opened.reopen()) != nil else { throw error }
            try display.show(content)
        }
    }

    func wake() {
        if let lookAt {
            if lookAt <= .boot { look() }
            return
        }
        if let alarm = display.alarm, alarm <= .boot { display.wake() } else { opened.checkChip() }
        if opened.isLost { Logger("display").log(.error, "the display's chip has gone") }
        lookLater()
    }

    private func look() {
        // Why it is not there has been said.
        do throws(LineFailure) { try opened.reopen() } catch { return lookLater() }
        do throws(SystemError) {
            try display.show(content)
            Logger("display").log(.info, "the display's chip is back")
        } catch {
            Logger("display").log(.error, "nothing can be shown", [("cause", "\(error)")])
        }
        lookLater()
    }

    private func lookLater() {
        lookAt = opened.isLost ? MonotonicInstant.boot.advanced(by: Self.interval) : nil
    }
}
