internal import CLinux
internal import Glibc
package import Octets

/// What answers the requests of a `RequestThread`, on its thread.
package struct RequestWorker<Request, Reply> {
    package var answer: (Request) -> Reply
    /// When `wake` is due by itself; nil for never.
    package var alarm: () -> MonotonicInstant? = { nil }
    /// A descriptor whose other end may go away, which calls for `wake`; nil for none.
    package var hazard: () -> Int32? = { nil }
    package var wake: () -> Void = {}

    package init(answer: @escaping (Request) -> Reply) { self.answer = answer }
}

/// A thread that answers requests one at a time, in order: for work the control thread must not wait for.
///
/// Answers come on the loop. What is asked and not answered yet is bounded, so neither way can overflow.
package final class RequestThread<Request: Sendable, Reply: Sendable> {
    private enum Message: Sendable {
        case request(Request)
        case end
    }

    private let capacity: Int
    private let requests: BoundedQueue<Message>
    private let replies: BoundedQueue<Reply>
    private let thread: WorkerThread
    private let onReply: (Reply) -> Void
    private var source: EventSource?
    /// Asked and not answered yet.
    package private(set) var unanswered = 0

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: 15 octets at most.
    ///   - capacity: how many requests may be unanswered at once.
    ///   - makeWorker: called on the thread; what the worker keeps never leaves it.
    ///   - onReply: called on the loop, for each answer.
    package convenience init(
        name: String, capacity: Int, on loop: EventLoop,
        makeWorker: @escaping @Sendable () -> (Request) -> Reply, onReply: @escaping (Reply) -> Void
    ) throws(SystemError) {
        try self.init(
            name: name, capacity: capacity, on: loop, makeWakingWorker: { RequestWorker(answer: makeWorker()) },
            onReply: onReply)
    }

    /// As the other; the worker may have things to do in between, too.
    package init(
        name: String, capacity: Int, on loop: EventLoop,
        makeWakingWorker makeWorker: @escaping @Sendable () -> RequestWorker<Request, Reply>,
        onReply: @escaping (Reply) -> Void
    ) throws(SystemError) {
        // One more: the message that ends it.
        let requests = try BoundedQueue<Message>(capacity: capacity + 1)
        let replies = try BoundedQueue<Reply>(capacity: capacity)
        self.capacity = capacity
        self.requests = requests
        self.replies = replies
        self.onReply = onReply
        thread = try WorkerThread(name: name) { Self.work(requests, replies, makeWorker()) }
        source = try loop.watch(replies.descriptor) { [unowned self] in takeReplies() }
    }

    deinit {
        source = nil
        finish()
    }

    /// Hands over a request; false when too many are unanswered, and then there will be no answer.
    package func ask(_ request: Request) -> Bool {
        guard unanswered < capacity, requests.push(.request(request)) else { return false }
        unanswered += 1
        return true
    }

    /// Ends the thread when it has done what it was asked, and waits for that.
    package func finish() {
        _ = requests.push(.end)  // refused only when it has been told before
        thread.join()
    }

    private func takeReplies() {
        for reply in replies.takeAll() {
            unanswered -= 1
            onReply(reply)
        }
    }

    private static func work(
        _ requests: BoundedQueue<Message>, _ replies: BoundedQueue<Reply>, _ worker: RequestWorker<Request, Reply>
    ) {
        while true {
            let found = clinux_wait_until(
                requests.descriptor, worker.hazard() ?? -1, worker.alarm()?.nanoseconds ?? .max)
            if found < 0 { continue }  // interrupted: it waits again
            if found != 1 { worker.wake() }
            guard found & 1 == 1 else { continue }
            for message in requests.takeAll() {
                guard case .request(let request) = message else { return }
                _ = replies.push(worker.answer(request))
                clearStack()
                clearVectorRegisters()
            }
        }
    }
}
