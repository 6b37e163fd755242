import Glibc
import Identity
import LinuxRuntime
import MediaService
import MediaTransport
import Ports
import Testing

@Suite("Viewers of a video service") struct VideoServiceTests {
    /// A phone to which the stream comes already.
    private struct Viewing {
        let accessory = TestAddress.fresh()
        let peer = TestAddress.fresh()
        let service: TestService
        let at: SocketAddress
        let phone: TestSocket

        init() throws {
            service = try TestService()
            at = try service.open(.video(try videoHandler()), at: accessory, for: [peer])
            phone = try TestSocket(at: peer, connectedTo: at)
            try phone.send(receiverReport)
            #expect(try phone.receive() != nil)
        }
    }

    private func isEnd(_ report: StreamReport) -> Bool { if case .viewerEnded = report { true } else { false } }

    @Test("a receiver report starts the stream with parameter sets, BYE ends it", arguments: Family.allCases)
    func startAndGoodbye(_ family: Family) throws {
        let (accessory, peer) = (family.address(), family.address())
        let service = try TestService()
        let at = try service.open(.video(try videoHandler()), at: accessory, for: [peer])
        let phone = try TestSocket(at: peer, connectedTo: at)
        try phone.send(receiverReport)
        let first = try RTPPacket(parsing: try #require(try phone.receive()).octets)
        #expect(first.datagram[first.payload.lowerBound] & 0x1F == NALUnitType.singleTimeAggregation.rawValue)
        try service.wait { $0 == .viewerStarted(ConnectionID(0)) }
        try phone.send(goodbye)
        #expect(try service.wait(isEnd) == .viewerEnded(ConnectionID(0), .goodbye))
    }

    @Test("anything but RTCP on a video port is counted and starts nothing") func notRTCP() throws {
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        let service = try TestService()
        let at = try service.open(.video(try videoHandler()), at: accessory, for: [peer])
        let phone = try TestSocket(at: peer, connectedTo: at)
        try phone.send([0x41])
        try phone.send([0x80, 0x60, 0, 0])
        try phone.send([0x80, 201, 0, 9])
        try phone.send(receiverReport)
        #expect(try phone.receive() != nil)
        #expect(service.media.counters.unexpected == 2)
        #expect(service.media.counters.malformed == 1)
    }

    @Test("silence ends the stream") func silence() throws {
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        var configuration = MediaService.Configuration()
        configuration.video.silenceLimit = .milliseconds(200)
        let service = try TestService(configuration)
        let at = try service.open(.video(try videoHandler()), at: accessory, for: [peer])
        let phone = try TestSocket(at: peer, connectedTo: at)
        try phone.send(receiverReport)
        #expect(try service.wait(isEnd) == .viewerEnded(ConnectionID(0), .silence))
    }

    @Test("a disconnect ends the stream with a goodbye to the viewer") func disconnect() throws {
        let viewing = try Viewing()
        try viewing.service.send(.disconnect(ConnectionID(0)))
        #expect(try viewing.service.wait(isEnd) == .viewerEnded(ConnectionID(0), .disconnected))
        var last: [UInt8] = []
        while let datagram = try viewing.phone.receive(within: .milliseconds(100)) { last = datagram.octets }
        let farewell = try RTCPPacket.compound(from: last)
        #expect(farewell.contains { if case .goodbye = $0 { true } else { false } })
    }

    @Test("closing says goodbye to all and answers") func close() throws {
        let viewing = try Viewing()
        try viewing.service.send(.close)
        try viewing.service.wait { $0 == .closed }
        #expect(viewing.service.reports.contains(.viewerEnded(ConnectionID(0), .disconnected)))
    }

    @Test("a file that is no clip fails the service with its path and reason") func badFile() throws {
        let service = try TestService()
        let missing = try VideoHandler(file: "/nonexistent/clip.h264", serviceClass: .bestEffort)
        let text = try VideoHandler(file: #filePath, serviceClass: .bestEffort)
        let folder = try TemporaryFolder()
        try #require(mkfifo(folder.path("pipe"), 0o600) == 0)
        let pipe = try VideoHandler(file: folder.path("pipe"), serviceClass: .bestEffort)
        let device = try VideoHandler(file: "/dev/zero", serviceClass: .bestEffort)
        for (handler, reason) in [
            (missing, "No such file"), (text, "no H.264"), (pipe, "not a regular file"),
            (device, "not a regular file"),
        ] {
            try service.send(
                .openService(try ServiceDeclaration(name: ServiceName("_v._udp"), port: 5000, handler: .video(handler)))
            )
            let failed = try service.wait { if case .serviceFailed = $0 { true } else { false } }
            guard case .serviceFailed(let port, let why) = failed else { return }
            #expect(port == ServicePort(number: 5000, transport: .udp))
            #expect(why.contains(handler.file ?? "?"))
            #expect(why.contains(reason))
        }
    }

    @Test("one port is opened once") func twice() throws {
        let service = try TestService()
        let declaration = try ServiceDeclaration(
            name: ServiceName("_v._udp"), port: 5000, handler: .video(try videoHandler()))
        try service.send(.openService(declaration))
        try service.send(.openService(declaration))
        try service.wait { if case .serviceFailed = $0 { true } else { false } }
        #expect(service.reports.first == .serviceOpened(ServicePort(declaration)))
    }

    @Test("performance is reported with rates, loss and the round trip") func performance() throws {
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        var configuration = MediaService.Configuration()
        configuration.performanceInterval = .milliseconds(300)
        configuration.video.reportInterval = .milliseconds(100)
        let service = try TestService(configuration)
        let at = try service.open(.video(try videoHandler()), at: accessory, for: [peer])
        let loop = try EventLoop()
        var phone = PhoneMedia.Configuration(
            local: peer, accessory: IPEndpoint(address: accessory, port: at.port))
        phone.video.reportInterval = .milliseconds(100)
        let viewer = try PhoneMedia(loop: loop, configuration: phone, entropy: .kernel)
        var count = 0
        viewer.onStatistics = { _ in
            count += 1
            if count == 8 { loop.exit() }
        }
        viewer.startViewing()
        _ = try loop.run()
        let found = try service.wait {
            if case .performance(_, let report) = $0 { report.roundTrip != nil } else { false }
        }
        guard case .performance(_, let report) = found else { return }
        #expect(report.lossFraction == 0)
        #expect(try #require(report.sentPerSecond) > 10_000)
        #expect(try #require(report.receivedPerSecond) > 10)
        #expect(try #require(report.roundTrip) < .milliseconds(100))
    }

    @Test("reports from ever new ports neither end the peer's stream nor get more than four") func manyPorts() throws {
        let viewing = try Viewing()
        var others: [TestSocket] = []
        for _ in 0..<20 {
            let other = try TestSocket(at: viewing.peer, connectedTo: viewing.at)
            try other.send(receiverReport)
            others.append(other)
        }
        try viewing.phone.send(goodbye)
        #expect(try viewing.service.wait(isEnd) == .viewerEnded(ConnectionID(0), .goodbye))
        #expect(viewing.service.reports.filter { $0 == .viewerStarted(ConnectionID(0)) }.count == 4)
        #expect(viewing.service.media.counters.overLimit >= 17)
    }
}
