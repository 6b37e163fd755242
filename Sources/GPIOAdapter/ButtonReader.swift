internal import CGPIOShim
package import DisplayDrivers
internal import Glibc
package import LinuxRuntime
internal import Octets

/// A push button on a GPIO line, read on the loop.
package final class ButtonReader {
    private let handle: OpaquePointer
    private let name: LineName
    private let loop: EventLoop
    private var button: PushButton
    private var source: EventSource?
    private var timer: LoopTimer?
    private let onPress: (PushButton.Press) -> Void

    static let consumer = "awared button"

    /// - Parameter onPress: called on the loop, for each press.
    package init(
        _ name: LineName, bias: LineBias, debounce: Duration, longPress: Duration, on loop: EventLoop,
        onPress: @escaping (PushButton.Press) -> Void
    ) throws(LineFailure) {
        let place = try LinePlace(name)
        let flag: Int32 =
            switch bias {
            case .pullUp: Int32(CGPIO_BIAS_PULL_UP)
            case .pullDown: Int32(CGPIO_BIAS_PULL_DOWN)
            case .none: Int32(CGPIO_BIAS_NONE)
            }
        errno = 0
        guard let handle = cgpio_input_open(place.path, place.offset, Self.consumer, flag) else {
            throw place.failure(name, call: "request line \(place.offset) of \(place.path)", code: errno)
        }
        self.handle = handle
        self.name = name
        self.loop = loop
        self.onPress = onPress
        let isPressed = (cgpio_input_level(handle) == 1) != name.isActiveLow
        button = PushButton(debounce: debounce, longPress: longPress, isPressed: isPressed)
        do throws(SystemError) {
            timer = try loop.timer { [unowned self] in take(.deadlineReached) }
            source = try loop.watch(cgpio_input_fd(handle)) { [unowned self] in read() }
        } catch { throw LineFailure(line: name.text, cause: .system(error)) }
    }

    deinit {
        source = nil
        cgpio_input_close(handle)
    }

    /// The events only say that something has changed; the level says what it is now.
    private func read() {
        let level = cgpio_input_take_events(handle) < 0 ? -1 : cgpio_input_level(handle)
        guard level >= 0 else {
            let error = SystemError(call: "read line \(name.text)", code: errno)
            Logger("button").log(.error, "the button can no longer be read", [("cause", "\(error)")])
            source = nil
            return
        }
        take(.level(isPressed: (level == 1) != name.isActiveLow))
    }

    private func take(_ event: PushButton.Event) {
        let presses = button.handle(event, now: loop.now)
        timer?.arm(button.nextDeadline)
        for press in presses { onPress(press) }
    }
}
