internal import AllocationProbe
internal import Identity
internal import LinuxRuntime
internal import MediaService
internal import MediaTransport
internal import Octets
internal import Ports

/// The whole way of a picture out, as it ships: the media thread, its loop and its timer, one viewer that reads.
struct MediaServiceBenchmark {
    private static let accessory = IPAddress.v4(0x7F00_6201)
    private static let phone = IPAddress.v4(0x7F00_6202)
    private static let port: UInt16 = 47_000

    private let clipPath: String

    init(clipPath: String) { self.clipPath = clipPath }

    func run(_ benchmark: inout Benchmark, seconds: Int) throws {
        let service = try MediaService()
        let video = try VideoHandler(file: clipPath, framesPerSecond: 240, serviceClass: .interactiveVideo)
        let declaration = try ServiceDeclaration(
            name: ServiceName("_bench._udp"), port: Int(Self.port), handler: .video(video))
        precondition(service.send(.openService(declaration)))
        precondition(
            service.send(
                .connect(ConnectionID(1), to: ServicePort(declaration), local: Self.accessory, peer: Self.phone)))
        let viewer = try InternetSocket.datagram(
            at: SocketAddress(Self.phone, port: 0), connectedTo: SocketAddress(Self.accessory, port: Self.port))
        try viewer.setBuffers(receive: 1 << 20)
        let report = RTCPPacket.compound([.receiverReport(ssrc: 1, blocks: [])])
        let receiver = DatagramReceiver()

        // The listener is made by the other thread: reports are repeated until the first packet has come.
        while true {
            try? viewer.send(report)
            if try viewer.waitUntilReadable(timeout: .milliseconds(100)), (try? receiver.receive(from: viewer)) == true
            {
                break
            }
        }
        let clock = ContinuousClock()
        var packets = 0
        let before = allocprobe_count()
        let start = clock.now
        for second in 1...seconds {
            try viewer.send(report)
            let end = start + .seconds(second)
            while clock.now < end {
                guard try viewer.waitUntilReadable(timeout: clock.now.duration(to: end)) else { break }
                while try receiver.receive(from: viewer) { packets += 1 }
            }
        }
        // Once a second there are reports both ways, and they do allocate: a few dozen times.
        benchmark.record(
            "media thread, 240 pictures a second, per packet", start.duration(to: clock.now),
            allocations: allocprobe_count() - before, units: packets, allocationBudget: 0.2)
    }
}
