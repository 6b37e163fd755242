internal import Glibc

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
    package init(
        name: String, capacity: Int, on loop: EventLoop,
        makeWorker: @escaping @Sendable () -> (Request) -> Reply, onReply: @escaping (Reply) -> Void
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
        _ requests: BoundedQueue<Message>, _ replies: BoundedQueue<Reply>, _ answer: (Request) -> Reply
    ) {
        while true {
            var entry = pollfd(fd: requests.descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&entry, 1, -1)  // interrupted: there is nothing to take, and it waits again
            for message in requests.takeAll() {
                guard case .request(let request) = message else { return }
                _ = replies.push(answer(request))
                clearVectorRegisters()
            }
        }
    }
}
