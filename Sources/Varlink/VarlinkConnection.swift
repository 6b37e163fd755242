internal import LinuxRuntime
internal import Octets

/// One caller's connection, as the server keeps it.
final class VarlinkConnection {
    let number: UInt64
    let caller: PeerCredentials
    var framer: VarlinkFramer
    /// The call that is not answered yet.
    var call: VarlinkCall?
    /// To be dropped as soon as nobody is in the midst of using it.
    var isDoomed = false
    var lastUse = MonotonicInstant(nanoseconds: 0)

    private var watch: StreamWatch?
    private var descriptor: FileDescriptor?
    private var queue: [UInt8] = []
    private var sent = 0

    init(number: UInt64, _ descriptor: consuming FileDescriptor, caller: PeerCredentials, inputLimit: Int) {
        self.number = number
        self.caller = caller
        framer = VarlinkFramer(limit: inputLimit)
        self.descriptor = consume descriptor
    }

    func start(
        on loop: EventLoop, readable: @escaping () -> Void, writable: @escaping () -> Void
    ) throws(SystemError) {
        guard let raw = descriptor?.raw else { return }
        lastUse = loop.now
        watch = try loop.watch(raw, readable: readable, writable: writable)
    }

    var backlog: Int { queue.count - sent }

    func read(limit: Int) throws(SystemError) -> StreamRead { try descriptor?.read(limit: limit) ?? .end }

    func send(_ octets: [UInt8]) throws(SystemError) {
        queue.append(contentsOf: octets)
        try flush()
    }

    /// Writes what the kernel takes and asks to be called for the rest.
    func flush() throws(SystemError) {
        while backlog > 0 {
            let count = try descriptor?.write(queue, from: sent) ?? 0
            if count == 0 { break }
            sent += count
        }
        if backlog == 0 {
            queue.removeAll(keepingCapacity: true)
            sent = 0
        } else if sent > queue.count / 2 {
            queue.removeFirst(sent)  // moves no more than was sent since the last time
            sent = 0
        }
        watch?.setWaitsForRoom(backlog > 0)
    }

    func close() {
        watch = nil  // before its descriptor: epoll would look for the number
        descriptor = nil
    }
}
