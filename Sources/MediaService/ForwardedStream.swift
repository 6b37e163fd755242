internal import CLinux
internal import Glibc
internal import LinuxRuntime

/// A TCP connection of the peer's, joined to one to a local program.
///
/// Each direction has a buffer of fixed size; while it is full the source is not read, so that TCP itself holds the
/// sender back. The end of one direction is passed on and leaves the other open.
final class ForwardedStream {
    /// Octets on their way in one direction: one send window of a fast data path.
    static let bufferSize = 64 << 10

    /// Told the octets taken from the peer and given to it.
    var onOctets: (_ received: Int, _ sent: Int) -> Void = { _, _ in }
    var onEnd: () -> Void = {}

    private let peer: End
    private let program: End
    private let upward = Direction()
    private let downward = Direction()
    private let counters: SharedCounters
    private var isConnected = false
    private var isClosed = false

    private final class End {
        let socket: FileDescriptor
        var watch: InterestWatch?

        init(_ socket: consuming FileDescriptor) { self.socket = socket }

        // The watch goes before the descriptor: see `EventSource`.
        deinit { watch = nil }
    }

    private final class Direction {
        let buffer = StreamBuffer(capacity: ForwardedStream.bufferSize)
        /// The source has ended.
        var hasEnded = false
        /// And the sink has been told.
        var isShut = false
    }

    init(
        peer socket: consuming FileDescriptor, localProgram: SocketAddress, loop: EventLoop, counters: SharedCounters
    ) throws(SystemError) {
        peer = End(socket)
        program = End(try InternetSocket.stream(connectingTo: localProgram))
        self.counters = counters
        peer.watch = try loop.watch(stream: peer.socket.raw) { [unowned self] in pump() }
        program.watch = try loop.watch(stream: program.socket.raw) { [unowned self] in pump() }
        // Until the program has answered there is one thing to wait for.
        program.watch?.wait(for: .writable)
    }

    /// Ends both connections now; what is in the buffers is lost.
    func close() {
        isClosed = true
        peer.watch = nil
        program.watch = nil
    }

    /// Moves what can be moved, then watches for what is missing.
    private func pump() {
        guard !isClosed else { return }
        do throws(SystemError) {
            if !isConnected {
                let code = program.socket.pendingError
                guard code == 0 else { throw SystemError(call: "connect", code: code) }
                isConnected = true
            }
            let sent = try move(downward, from: program, to: peer)
            let received = try move(upward, from: peer, to: program)
            onOctets(received, sent)
        } catch {
            if !isConnected { counters.update { $0.undeliverable += 1 } }
            return end()
        }
        if upward.isShut, downward.isShut { return end() }
        peer.watch?.wait(for: interest(reading: upward, writing: downward))
        program.watch?.wait(for: interest(reading: downward, writing: upward))
    }

    /// Returns how many octets the sink took.
    private func move(_ direction: Direction, from source: End, to sink: End) throws(SystemError) -> Int {
        var moved = 0
        // Once round: a fast source does not keep the loop from the others.
        if !direction.hasEnded, direction.buffer.hasRoom {
            direction.hasEnded = try direction.buffer.fill(from: source.socket) == .end
        }
        moved += try direction.buffer.drain(to: sink.socket)
        if direction.hasEnded, direction.buffer.isEmpty, !direction.isShut {
            try sink.socket.shutdownWriting()
            direction.isShut = true
        }
        return moved
    }

    private func interest(reading source: Direction, writing sink: Direction) -> StreamInterest {
        var interest: StreamInterest = []
        if !source.hasEnded, source.buffer.hasRoom { interest.insert(.readable) }
        if !sink.buffer.isEmpty { interest.insert(.writable) }
        return interest
    }

    private func end() {
        close()
        onEnd()
    }
}
