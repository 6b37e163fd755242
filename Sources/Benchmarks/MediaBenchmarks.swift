internal import LinuxRuntime
internal import MediaTransport
internal import Octets

/// The media path by itself: its machines on one thread, sockets on the loopback interface.
struct MediaBenchmarks {
    private static let burst = 8
    private static let payload = 1188

    private let clip: [UInt8]

    init() {
        var units: [AccessUnit] = []
        var entropy = Entropy.seeded(1)
        for index in 0..<30 {
            let size = index == 0 ? 30_000 : 4_000
            // No zeros: nothing in it looks like a start code.
            let slice =
                [index == 0 ? 0x65 : 0x41, 0x88] + (2..<size).map { _ in UInt8.random(in: 4...255, using: &entropy) }
            units.append(AccessUnit(nalUnits: (index == 0 ? [[0x67, 1, 2, 3], [0x68, 1]] : []) + [slice]))
        }
        clip = units.flatMap(\.octets)
    }

    func run(_ benchmark: inout Benchmark) throws {
        split(&benchmark)
        try packetise(&benchmark)
        try send(&benchmark)
        try receive(&benchmark)
    }

    private func split(_ benchmark: inout Benchmark) {
        let cost = benchmark.measure("h264.split, per octet", iterations: 50, units: clip.count, allocationBudget: 0.01)
        {
            var splitter = AccessUnitSplitter()
            precondition(splitter.append(clip).count == 29)
            precondition(splitter.finish() != nil)
        }
        print("h264.split: \(Int(cost.perSecond / 1e6)) million octets a second")
    }

    private func streaming() throws -> (sender: VideoSender, units: [AccessUnit]) {
        var sender = VideoSender(configuration: .init(), entropy: .seeded(2))
        let start = MonotonicInstant(nanoseconds: 0)
        _ = sender.handle(.control(RTCPPacket.compound([.receiverReport(ssrc: 1, blocks: [])])), now: start)
        return (sender, try Clip(byteStream: clip).units)
    }

    private func packetise(_ benchmark: inout Benchmark) throws {
        var (sender, units) = try streaming()
        let start = MonotonicInstant(nanoseconds: 0)
        var packets = 0
        for unit in units { packets += count(&sender, unit) }
        benchmark.measure("rtp.packetise, per packet", iterations: 300, units: packets, allocationBudget: 0) {
            for unit in units {
                sender.begin(unit, timestamp: 0, spread: .zero, now: start)
                while sender.nextBurst(now: start) != nil {}
            }
        }
    }

    private func count(_ sender: inout VideoSender, _ unit: AccessUnit) -> Int {
        let start = MonotonicInstant(nanoseconds: 0)
        sender.begin(unit, timestamp: 0, spread: .zero, now: start)
        var count = 0
        while let run = sender.nextBurst(now: start) { count += run.count }
        return count
    }

    /// Access units to the socket, against a loop that sends the same number of finished datagrams over and over.
    private func send(_ benchmark: inout Benchmark) throws {
        // Nobody reads: what does not fit the receiver's buffer is thrown away by the kernel, for both alike.
        let sink = try InternetSocket.datagram(at: SocketAddress(SocketAddress.Host.v4(0x7F00_0001), port: 0))
        let socket = try InternetSocket.datagram(connectedTo: try sink.localAddress())
        let batch = BorrowedDatagrams(capacity: Self.burst)

        let same = [UInt8](repeating: 7, count: Self.payload + RTPHeader.size)
        let peer = try benchmark.measure(
            "sendmmsg of finished datagrams, per packet", iterations: 20_000, units: Self.burst, allocationBudget: 0
        ) {
            try same.withUnsafeBytes { octets in
                while !batch.isFull { batch.append(octets) }
                _ = try batch.flush(to: socket)
            }
        }

        var (sender, units) = try streaming()
        let start = MonotonicInstant(nanoseconds: 0)
        let packets = units.reduce(0) { $0 + count(&sender, $1) }
        let ours = try benchmark.measure(
            "rtp.send, per packet", iterations: 160_000 / packets, units: packets, allocationBudget: 0
        ) {
            for unit in units {
                sender.begin(unit, timestamp: 0, spread: .zero, now: start)
                while let run = sender.nextBurst(now: start) {
                    let sent = try sender.store.withPackets(first: run.first, count: run.count) { packets in
                        for index in 0..<packets.count { batch.append(packets[index]) }
                        return Result { () throws(SystemError) in try batch.flush(to: socket) }
                    }.get()
                    sender.refused(run.count - sent)
                }
            }
        }
        benchmark.compare("rtp.send, packets", ours, with: peer)
    }

    private func receive(_ benchmark: inout Benchmark) throws {
        var (sender, units) = try streaming()
        var receiver = VideoReceiver(configuration: .init(), entropy: .seeded(3))
        var now = MonotonicInstant(nanoseconds: 0)
        _ = receiver.handle(.start, now: now)
        var datagrams: [[UInt8]] = []
        for unit in units {
            sender.begin(unit, timestamp: 0, spread: .zero, now: now)
            while let run = sender.nextBurst(now: now) {
                sender.store.withPackets(first: run.first, count: run.count) { packets in
                    for index in 0..<packets.count { datagrams.append(Array(packets[index])) }
                }
            }
        }
        var round: UInt16 = 0
        let count = datagrams.count
        benchmark.measure("rtp.receive, per packet", iterations: 300, units: count, allocationBudget: 8) {
            for index in datagrams.indices {
                // Renumbered, so that each round goes on where the last one ended.
                let number = round &+ UInt16(index)
                datagrams[index][2] = UInt8(number >> 8)
                datagrams[index][3] = UInt8(truncatingIfNeeded: number)
                now = now.advanced(by: .milliseconds(1))
                _ = receiver.handle(.datagram(datagrams[index]), now: now)
            }
            round &+= UInt16(count)
        }
    }
}
