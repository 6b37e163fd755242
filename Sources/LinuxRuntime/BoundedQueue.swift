internal import CLinux
internal import Glibc
internal import Synchronization

/// Values on their way from one thread to another, in order, at most `capacity` of them.
///
/// The receiver watches `descriptor` on its loop: it can be read while something waits.
package final class BoundedQueue<Element: Sendable>: Sendable {
    private let capacity: Int
    private let waiting = Mutex<[Element]>([])
    private let event: FileDescriptor

    package init(capacity: Int) throws(SystemError) {
        precondition(capacity > 0)
        self.capacity = capacity
        event = FileDescriptor(owning: try systemCall("eventfd") { clinux_eventfd() })
    }

    package var descriptor: Int32 { event.raw }

    /// Appends `element` and wakes the receiver; false when the queue is full, and nothing is appended.
    ///
    /// - Parameter room: places that are not for this element: with no more free than these, the queue is full.
    package func push(_ element: Element, leaving room: Int = 0) -> Bool {
        let isTaken = waiting.withLock { waiting in
            guard waiting.count < capacity - room else { return false }
            waiting.append(element)
            return true
        }
        if isTaken {
            var one: UInt64 = 1
            // Fails only when the counter is full, and then the receiver is awake.
            _ = write(event.raw, &one, 8)
        }
        return isTaken
    }

    /// Takes all that waits.
    package func takeAll() -> [Element] {
        var count: UInt64 = 0
        // Before the elements: one that comes in between wakes the receiver once more, in vain.
        _ = read(event.raw, &count, 8)
        return waiting.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting
        }
    }
}
