internal import CLinux
internal import CSystemd
internal import Glibc
package import Octets

/// A timer of its own on an `EventLoop`, for an adapter that has a deadline the machines know nothing of.
package struct LoopTimer: ~Copyable {
    private let source: EventSource

    init(_ source: consuming EventSource) { self.source = source }

    /// Calls the handler once at `deadline`; nil stops the timer.
    package func arm(_ deadline: MonotonicInstant?) { EventLoop.arm(source, deadline) }
}

/// A watch on both directions of one descriptor.
package struct StreamWatch: ~Copyable {
    private let source: EventSource

    init(_ source: consuming EventSource) { self.source = source }

    /// Waits for room to write as well, or no longer.
    package func setWaitsForRoom(_ waits: Bool) {
        // As with `setEnabled`, it fails only when there is nothing left to report.
        sd_event_source_set_io_events(source.handle, waits ? CLINUX_EPOLLIN | CLINUX_EPOLLOUT : CLINUX_EPOLLIN)
    }

    /// As of an `EventSource`.
    package func setEnabled(_ isEnabled: Bool) { source.setEnabled(isEnabled) }
}

extension EventLoop {
    /// A stopped timer that calls `handler` at each deadline it is armed with.
    package func timer(_ handler: @escaping Handler) throws(SystemError) -> LoopTimer {
        LoopTimer(
            try EventSource("sd_event_add_time", handler) { source, context in
                sd_event_add_time(
                    rawEvent, source, CLOCK_BOOTTIME, .max, Self.accuracy, { EventSource.fire($2) }, context)
            })
    }

    /// Calls `handler` whenever `descriptor` takes more octets, has ended or has failed.
    ///
    /// Disable it while there is nothing to write, or the loop never rests. For a descriptor that has no other watch.
    package func watchWritable(_ descriptor: Int32, _ handler: @escaping Handler) throws(SystemError) -> EventSource {
        try EventSource("sd_event_add_io", handler) { source, context in
            sd_event_add_io(rawEvent, source, descriptor, CLINUX_EPOLLOUT, { EventSource.fire($3) }, context)
        }
    }

    /// Watches both directions of a descriptor; room to write is waited for on request only.
    ///
    /// One watch, because epoll takes a descriptor once.
    package func watch(
        _ descriptor: Int32, readable: @escaping Handler, writable: @escaping Handler
    ) throws(SystemError) -> StreamWatch {
        let source = try EventSource("sd_event_add_io") { source, context in
            sd_event_add_io(
                rawEvent, source, descriptor, CLINUX_EPOLLIN,
                { _, _, events, context in
                    EventSource.setStatus(Int32(bitPattern: events), at: context)
                    return EventSource.fire(context)
                }, context)
        }
        source.action.body = { [unowned action = source.action] in
            let events = UInt32(bitPattern: action.status)
            // Room first: whoever reads may close. An end or an error is found by reading.
            if events & CLINUX_EPOLLOUT != 0 { writable() }
            if events & ~CLINUX_EPOLLOUT != 0 { readable() }
        }
        return StreamWatch(source)
    }

    /// Calls `handler` once, with how the child ended, and clears it out of the process table.
    ///
    /// Blocks SIGCHLD in this thread, as `watch(signal:)` does its signal.
    package func watch(
        child: ChildProcess, _ handler: @escaping (ChildExit) -> Void
    ) throws(SystemError) -> EventSource {
        try Self.block(SIGCHLD)
        let source = try EventSource("sd_event_add_child") { source, context in
            sd_event_add_child(
                rawEvent, source, child.processID, Int32(WEXITED),
                { _, information, context in
                    guard let information else { return 0 }
                    EventSource.setStatus(clinux_child_status(information), at: context)
                    return EventSource.fire(context)
                }, context)
        }
        source.action.body = { [unowned action = source.action] in handler(ChildExit(status: action.status)) }
        return source
    }
}
