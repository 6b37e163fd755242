package import LinuxRuntime
package import Ports

/// A display on a thread of its own, so that a slow bus or a stopped terminal delays nobody.
///
/// What comes while the display is busy waits; of several only the last is shown.
package final class DisplayThread {
    private struct Outcome: Sendable {
        let error: SystemError?
    }

    private var thread: RequestThread<DisplayContent, Outcome>?
    private var waiting: DisplayContent?
    /// What the display is busy with, or shows; nil when it may show anything.
    private var current: DisplayContent?
    /// Called once everything given so far is shown.
    private var whenIdle: (() -> Void)?

    /// - Parameters:
    ///   - makeDisplay: called on the display's thread.
    ///   - onShown: called on the loop, for each content once it can be read.
    ///   - onFailure: called on the loop, for each content that could not be shown.
    package init(
        on loop: EventLoop, makeDisplay: @escaping @Sendable () -> any PairingDisplay,
        onShown: @escaping (DisplayContent) -> Void, onFailure: @escaping (DisplayContent, SystemError) -> Void
    ) throws(SystemError) {
        thread = try RequestThread(
            name: "display", capacity: 1, on: loop,
            makeWakingWorker: {
                let display = makeDisplay()
                var worker = RequestWorker<DisplayContent, Outcome> { content in
                    do throws(SystemError) {
                        try display.show(content)
                        return Outcome(error: nil)
                    } catch { return Outcome(error: error) }
                }
                worker.alarm = { display.alarm }
                worker.hazard = { display.hazard }
                worker.wake = { display.wake() }
                return worker
            },
            onReply: { [unowned self] outcome in
                let content = current
                if outcome.error != nil { current = nil }
                if let content, let error = outcome.error {
                    onFailure(content, error)
                } else if let content {
                    onShown(content)
                }
                proceed()
            })
    }

    package func show(_ content: DisplayContent) {
        waiting = content == current ? nil : content
        if thread?.unanswered == 0 { proceed() }
    }

    /// Calls `body` once, as soon as the last content is shown; at once when it is.
    package func onceShown(_ body: @escaping () -> Void) {
        if waiting == nil, thread?.unanswered == 0 { return body() }
        whenIdle = body
    }

    private func proceed() {
        // Whoever was told of the last content may have asked for the next.
        guard thread?.unanswered == 0 else { return }
        if let content = waiting {
            waiting = nil
            current = content
            _ = thread?.ask(content)  // it is idle, so it takes it
        } else if let body = whenIdle {
            whenIdle = nil
            body()
        }
    }
}
