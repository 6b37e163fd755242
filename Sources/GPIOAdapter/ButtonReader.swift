internal import CGPIOShim
package import DisplayDrivers
internal import Glibc
package import LinuxRuntime
internal import Octets

/// A push button on a GPIO line, read on the loop.
package final class ButtonReader {
    /// Nil while its chip is gone.
    private var handle: OpaquePointer?
    private let name: LineName
    private let bias: LineBias
    private let debounce: Duration
    private let longPress: Duration
    private let loop: EventLoop
    private var button: PushButton
    private var source: EventSource?
    private var timer: LoopTimer?
    private var search: LoopTimer?
    private let onPress: (PushButton.Press) -> Void

    static let consumer = "awared button"
    /// A lost chip is looked for so often.
    private static let interval = Duration.seconds(2)

    /// - Parameter onPress: called on the loop, for each press.
    package init(
        _ name: LineName, bias: LineBias, debounce: Duration, longPress: Duration, on loop: EventLoop,
        onPress: @escaping (PushButton.Press) -> Void
    ) throws(LineFailure) {
        self.name = name
        self.bias = bias
        self.debounce = debounce
        self.longPress = longPress
        self.loop = loop
        self.onPress = onPress
        button = PushButton(debounce: debounce, longPress: longPress)
        handle = try Self.request(name, bias)
        do throws(SystemError) {
            timer = try loop.timer { [unowned self] in take(.deadlineReached) }
            search = try loop.timer { [unowned self] in look() }
        } catch { throw LineFailure(line: name.text, cause: .system(error)) }
        try attach()
    }

    deinit { close() }

    private static func request(_ name: LineName, _ bias: LineBias) throws(LineFailure) -> OpaquePointer {
        let place = try LinePlace(name)
        let flag: Int32 =
            switch bias {
            case .pullUp: Int32(CGPIO_BIAS_PULL_UP)
            case .pullDown: Int32(CGPIO_BIAS_PULL_DOWN)
            case .none: Int32(CGPIO_BIAS_NONE)
            }
        errno = 0
        guard let handle = cgpio_input_open(place.path, place.offset, consumer, flag) else {
            throw place.failure(name, call: "request line \(place.offset) of \(place.path)", code: errno)
        }
        return handle
    }

    /// As the line is found, pressed or not, nothing is meant by it.
    private func attach() throws(LineFailure) {
        guard let handle else { return }
        let isPressed = (cgpio_input_level(handle) == 1) != name.isActiveLow
        button = PushButton(debounce: debounce, longPress: longPress, isPressed: isPressed)
        do throws(SystemError) { source = try loop.watch(cgpio_input_fd(handle)) { [unowned self] in read() } } catch {
            throw LineFailure(line: name.text, cause: .system(error))
        }
    }

    private func close() {
        source = nil
        cgpio_input_close(handle)
        handle = nil
    }

    /// The events only say that something has changed; the level says what it is now.
    private func read() {
        guard let handle else { return }
        let level = cgpio_input_take_events(handle) < 0 ? -1 : cgpio_input_level(handle)
        guard level >= 0 else {
            let error = SystemError(call: "read line \(name.text)", code: errno)
            Logger("button").log(.error, "the button can no longer be read", [("cause", "\(error)")])
            close()
            timer?.arm(nil)
            search?.arm(loop.now.advanced(by: Self.interval))
            return
        }
        take(.level(isPressed: (level == 1) != name.isActiveLow))
    }

    /// Its chip may have come back, as a port expander on USB does.
    private func look() {
        do throws(LineFailure) {
            handle = try Self.request(name, bias)
            try attach()
            Logger("button").log(.info, "the button is back")
        } catch {
            // Why it is not there has been said.
            close()
            search?.arm(loop.now.advanced(by: Self.interval))
        }
    }

    private func take(_ event: PushButton.Event) {
        let presses = button.handle(event, now: loop.now)
        timer?.arm(button.nextDeadline)
        for press in presses { onPress(press) }
    }
}
