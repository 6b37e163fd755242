internal import LinuxRuntime

/// An event source that a collection can hold.
final class HeldSource {
    private let source: EventSource

    init(_ source: consuming EventSource) { self.source = source }
}
