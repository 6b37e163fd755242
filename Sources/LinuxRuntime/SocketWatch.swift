internal import CLinux
internal import CSystemd

/// What an `InterestWatch` waits for.
package struct StreamInterest: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let readable = Self(rawValue: CLINUX_EPOLLIN)
    package static let writable = Self(rawValue: CLINUX_EPOLLOUT)
}

/// A watch of one stream whose either direction can rest: for relays, which hold a sender back by not reading.
///
/// As with every `EventSource`, let go of it before its descriptor closes.
package struct InterestWatch: ~Copyable {
    private let source: EventSource

    init(_ source: consuming EventSource) { self.source = source }

    /// Sets what to wait for; with nothing, not even the stream's end is told.
    package func wait(for interest: StreamInterest) {
        // Both fail only when the loop has finished. A hang-up is always reported, so off is off.
        if interest.isEmpty { return source.setEnabled(false) }
        sd_event_source_set_io_events(source.handle, interest.rawValue)
        source.setEnabled(true)
    }
}

extension EventLoop {
    /// Calls `handler` whenever the stream is ready for what is waited for; at first that is nothing.
    package func watch(stream descriptor: Int32, _ handler: @escaping Handler) throws(SystemError) -> InterestWatch {
        let source = try EventSource("sd_event_add_io", handler) { source, context in
            sd_event_add_io(rawEvent, source, descriptor, CLINUX_EPOLLIN, { EventSource.fire($3) }, context)
        }
        source.setEnabled(false)
        return InterestWatch(source)
    }
}
