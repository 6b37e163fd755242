import Glibc
import LinuxRuntime
import Octets
import Synchronization
import Testing

@Suite("Sockets, queues and worker threads") struct SocketTests {
    private static let loopback = SocketAddress(.v4(0x7F00_0001), port: 0)
    private static let loopback6 = SocketAddress(.v6(high: 0, low: 1, scope: 0), port: 0)

    /// Two sockets, the second connected to the first.
    private func pair(_ address: SocketAddress) throws -> (Wrapped, Wrapped) {
        let receiver = Wrapped(try InternetSocket.datagram(at: address))
        return (receiver, Wrapped(try InternetSocket.datagram(connectedTo: try receiver.socket.localAddress())))
    }

    private final class Wrapped {
        let socket: FileDescriptor
        init(_ socket: consuming FileDescriptor) { self.socket = socket }
    }

    @Test("an address is written as people write it") func descriptions() {
        #expect("\(SocketAddress(.v4(0x7F01_0203), port: 80))" == "127.1.2.3:80")
        #expect(
            "\(SocketAddress(.v6(high: 0xFE80 << 48, low: 0x1, scope: 3), port: 80))" == "[fe80:0:0:0:0:0:0:1%3]:80")
    }

    @Test("an address comes back from the kernel as it went in", arguments: [loopback, loopback6])
    func address(_ address: SocketAddress) throws {
        let (receiver, sender) = try pair(address)
        let bound = try receiver.socket.localAddress()
        #expect(bound.host == address.host)
        #expect(bound.port > 0)
        try sender.socket.send([1, 2])
        let buffer = DatagramReceiver()
        #expect(try receiver.socket.waitUntilReadable(timeout: .seconds(5)))
        #expect(try buffer.receive(from: receiver.socket))
        #expect(Array(buffer.octets) == [1, 2])
        let from = try sender.socket.localAddress()
        #expect(buffer.sender == from)
        #expect(buffer.trafficClass == nil)
        #expect(try !buffer.receive(from: receiver.socket))
    }

    @Test("of sockets that share an address the connected one hears its peer, the other all others")
    func sharing() throws {
        let listener = try InternetSocket.datagram(at: SocketAddress(.v4(0x7F00_4D01), port: 0), isShared: true)
        let shared = try listener.localAddress()
        let peers = try (0..<16).map { _ in Wrapped(try InternetSocket.datagram(connectedTo: shared)) }
        let flows = try peers.prefix(8).map { peer in
            Wrapped(
                try InternetSocket.datagram(
                    at: shared, connectedTo: try peer.socket.localAddress(), isShared: true))
        }
        for (index, peer) in peers.enumerated() { try peer.socket.send([UInt8(index)]) }
        for (index, flow) in flows.enumerated() {
            #expect(try flow.socket.receive(limit: 9) == [UInt8(index)])
            #expect(try flow.socket.receive(limit: 9) == nil)
        }
        for index in 8..<16 { #expect(try listener.receive(limit: 9) == [UInt8(index)]) }
        #expect(try listener.receive(limit: 9) == nil)
    }

    @Test("borrowed datagrams arrive in order with one call", arguments: [loopback, loopback6])
    func batch(_ address: SocketAddress) throws {
        let (receiver, sender) = try pair(address)
        let batch = BorrowedDatagrams(capacity: 3)
        let octets: [UInt8] = [1, 2, 3, 4, 5, 6]
        let sent = try octets.withUnsafeBytes { octets in
            Result { () throws(SystemError) in
                for end in 1...3 { batch.append(UnsafeRawBufferPointer(rebasing: octets[end..<2 * end])) }
                return try batch.flush(to: sender.socket)
            }
        }.get()
        #expect(sent == 3)
        for expected in [[2], [3, 4], [4, 5, 6]] as [[UInt8]] {
            #expect(try receiver.socket.receive(limit: 9) == expected)
        }
        #expect(try batch.flush(to: sender.socket) == 0)
    }

    @Test("a refused datagram's answer does not cost the next batch") func refused() throws {
        var receiver: Wrapped? = Wrapped(try InternetSocket.datagram(at: Self.loopback))
        let address = try #require(receiver).socket.localAddress()
        let sender = try InternetSocket.datagram(connectedTo: address)
        receiver = nil
        try sender.send([1])
        let again = try InternetSocket.datagram(at: address)
        let batch = BorrowedDatagrams(capacity: 1)
        let octets: [UInt8] = [2]
        let sent = try octets.withUnsafeBytes { octets in
            Result { () throws(SystemError) in
                batch.append(octets)
                return try batch.flush(to: sender)
            }
        }.get()
        #expect(sent == 1)
        #expect(try again.receive(limit: 9) == [2])
    }

    @Test("the random filter drops about its part", arguments: [(0, 1000...1000), (500, 350...650), (1000, 0...0)])
    func filter(_ perMille: UInt32, _ expected: ClosedRange<Int>) throws {
        let (receiver, sender) = try pair(Self.loopback)
        try receiver.socket.dropAtRandom(perMille: perMille)
        var received = 0
        for _ in 0..<1000 {
            try sender.socket.send([1])
            if try receiver.socket.receive(limit: 9) != nil { received += 1 }
        }
        #expect(expected.contains(received))
    }

    @Test("the priority is set after the traffic class, which would undo it") func priority() throws {
        let (_, sender) = try pair(Self.loopback)
        // 5 needs no privilege; IP_TOS alone would make it 4 or 6 or 0.
        let isPermitted = try sender.socket.mark(trafficClass: 0xB8, priority: 5, isV6: false)
        #expect(isPermitted)
        #expect(try sender.socket.priority() == 5)
    }

    @Test("a full queue refuses, an emptied one takes again, in order") func queue() throws {
        let queue = try BoundedQueue<Int>(capacity: 3)
        #expect((0..<5).map { queue.push($0) } == [true, true, true, false, false])
        #expect(queue.takeAll() == [0, 1, 2])
        #expect(queue.takeAll() == [])
        #expect(queue.push(9))
        #expect(queue.takeAll() == [9])
    }

    @Test("what leaves room finds a queue full that others can still use") func room() throws {
        let queue = try BoundedQueue<Int>(capacity: 4)
        #expect((0..<4).map { queue.push($0, leaving: 1) } == [true, true, true, false])
        #expect(queue.push(9))
        #expect(!queue.push(10))
        #expect(queue.takeAll() == [0, 1, 2, 9])
    }

    @Test("values cross from a thread with its own loop and back, and the thread ends when told") func threads() throws
    {
        let questions = try BoundedQueue<Int>(capacity: 100)
        let answers = try BoundedQueue<Int>(capacity: 100)
        let thread = try WorkerThread(name: "test-worker") {
            do {
                let loop = try EventLoop()
                let source = try loop.watch(questions.descriptor) {
                    for question in questions.takeAll() {
                        if question < 0 { loop.exit() }
                        _ = answers.push(question * 2)
                    }
                }
                _ = try loop.run()
                _ = consume source
            } catch { _ = answers.push(.min) }
        }
        for question in 1...50 { #expect(questions.push(question)) }
        #expect(questions.push(-1))
        thread.join()
        #expect(answers.takeAll() == (1...50).map { $0 * 2 } + [-2])
    }

    @Test("a worker thread takes no signals") func signals() throws {
        let blocked = Mutex(false)
        final class Box: Sendable {
            let value = Mutex(false)
        }
        let box = Box()
        let thread = try WorkerThread(name: "test-signals") {
            var mask = sigset_t()
            pthread_sigmask(SIG_SETMASK, nil, &mask)
            let isBlocked = sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGCHLD) == 1
            box.value.withLock { $0 = isBlocked }
        }
        thread.join()
        blocked.withLock { $0 = box.value.withLock { $0 } }
        #expect(blocked.withLock { $0 })
    }
}
