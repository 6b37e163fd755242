import Foundation
import Identity
import LinuxRuntime
import MediaService
import MediaTransport
import Ports
import Testing

@Suite("A phone's end") struct PhoneMediaTests {
    private let clip: Clip

    init() throws { clip = try Clip(byteStream: [UInt8](try Data(contentsOf: URL(fileURLWithPath: clipPath)))) }

    private func nalUnits(_ unit: AccessUnit) -> [[UInt8]] { unit.nalUnits.map(unit.nalUnit) }

    /// Runs `loop` until it is left, or fails when that takes too long.
    private func run(_ loop: EventLoop, limit: Duration = .seconds(30)) throws {
        let timer = try loop.timer { loop.exit(1) }
        timer.arm(loop.now.advanced(by: limit))
        #expect(try loop.run() == 0, "not done in time")
    }

    @Test("one whole loop of the film arrives, NAL unit for NAL unit, and is written down", arguments: Family.allCases)
    func wholeLoop(_ family: Family) throws {
        let folder = try TemporaryFolder()
        let (accessory, peer) = (family.address(), family.address())
        let program = try TestSocket(at: family.address())
        let service = try TestService()
        let handler = ServiceHandler.controlAndVideo(
            ControlHandler(local: try endpoint(program.address), serviceClass: .interactiveVoice),
            // Four times as fast as it was made, so that the loop does not take its ten seconds.
            try videoHandler(framesPerSecond: 120))
        let at = try service.open(handler, at: accessory, for: [peer])
        let loop = try EventLoop()
        var configuration = PhoneMedia.Configuration(
            local: peer, accessory: IPEndpoint(address: accessory, port: at.port))
        configuration.streamFile = folder.path("stream.h264")
        configuration.sessionFile = folder.path("stream.sdp")
        let phone = try PhoneMedia(loop: loop, configuration: configuration, entropy: .kernel)
        // A busy machine may make the thread late and leave pictures out: what counts is a loop without a gap.
        let places = Dictionary(
            clip.units.enumerated().map { (nalUnits($1), $0) }, uniquingKeysWith: { first, _ in first })
        var received = 0
        var streak = 0
        var last: Int?
        phone.onAccessUnit = { unit in
            received += 1
            let place = places[nalUnits(unit)]
            streak = place == last.map { ($0 + 1) % clip.units.count } ? streak + 1 : 1
            last = place
            if place == nil || streak == clip.units.count {
                phone.stopViewing()
                loop.exit(place == nil ? 2 : 0)
            }
        }
        // The program echoes what it gets.
        let echo = try loop.watch(program.socket.raw) {
            while let request = try? program.receive(within: .zero) {
                try? program.send(request.octets, to: request.from)
            }
        }
        phone.startViewing()
        phone.startProbing()
        try run(loop)
        _ = consume echo

        let written = try Clip(
            byteStream: [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("stream.h264")))))
        #expect(written.units.count == received)
        let description = try String(contentsOfFile: folder.path("stream.sdp"), encoding: .utf8)
        #expect(description.contains("sprop-parameter-sets="))
        let summary = try #require(phone.roundTrips.summary)
        #expect(summary.answered > 20)
        #expect(summary.median <= summary.ninetyNinth)
        try service.wait { $0 == .viewerEnded(ConnectionID(0), .goodbye) }
    }

    @Test("what a phone sends carries the marking of its kind", arguments: Family.allCases)
    func markings(_ family: Family) throws {
        let address = family.address()
        let accessory = try TestSocket(at: address)
        let phone = try PhoneMedia(
            loop: try EventLoop(),
            configuration: PhoneMedia.Configuration(
                local: family.address(), accessory: IPEndpoint(address: address, port: accessory.address.port)),
            entropy: .kernel)
        phone.send(control: [0x00, 0x01])
        #expect(try accessory.receive()?.class == 46 << 2)
        phone.startViewing()
        #expect(try accessory.receive()?.class == 34 << 2)
    }

    @Test("at 5 % loss by the kernel's filter the picture continues and ffmpeg decodes what was written")
    func lossy() throws {
        let folder = try TemporaryFolder()
        let (accessory, peer) = (TestAddress.fresh(), TestAddress.fresh())
        let service = try TestService()
        let at = try service.open(.video(try videoHandler()), at: accessory, for: [peer])
        let loop = try EventLoop()
        var configuration = PhoneMedia.Configuration(
            local: peer, accessory: IPEndpoint(address: accessory, port: at.port))
        configuration.streamFile = folder.path("stream.h264")
        configuration.lossPerMille = 50
        let phone = try PhoneMedia(loop: loop, configuration: configuration, entropy: .kernel)
        var reports: [VideoReceiver.Report] = []
        phone.onStatistics = { statistics in
            reports.append(statistics.video)
            if reports.count == 6 { loop.exit() }
        }
        phone.startViewing()
        try run(loop)

        #expect(reports.allSatisfy { $0.accessUnits > 5 })
        #expect(reports.reduce(0) { $0 + $1.accessUnits } > 140)
        #expect(reports.reduce(0) { $0 + $1.repaired } > 5)
        #expect(reports.contains { $0.fractionLost > 0 })
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg") else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ffmpeg")
        process.arguments = [
            "-hide_banner", "-loglevel", "error", "-xerror", "-nostdin", "-i", folder.path("stream.h264"), "-f",
            "framemd5", folder.path("out.md5"),
        ]
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let complaints = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(complaints.isEmpty, "\(String(decoding: complaints, as: UTF8.self))")
        let pictures = try String(contentsOfFile: folder.path("out.md5"), encoding: .utf8)
            .split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(pictures.count >= reports.reduce(0) { $0 + $1.accessUnits })
    }

    @Test("probes that are not answered do not count, foreign answers neither") func roundTrips() {
        var trips = RoundTrips()
        #expect(trips.summary == nil)
        var probes: [[UInt8]] = []
        for index in 0..<100 { probes.append(trips.probe(at: .init(nanoseconds: Int64(index) * 1_000_000))) }
        #expect(DatagramKind(of: probes[0]) == .control)
        for (index, probe) in probes.enumerated().dropFirst() {
            let isOurs = trips.take(probe, at: .init(nanoseconds: Int64(index) * 1_001_000))
            #expect(isOurs)
        }
        let isRepeated = trips.take(probes[5], at: .init(nanoseconds: 9_000_000_000))
        let isForeign = !trips.take([1, 2, 3], at: .init(nanoseconds: 0))
        #expect(isRepeated && isForeign)
        #expect(
            trips.summary.map { [$0.median, $0.ninetyNinth] } == [.microseconds(50), .microseconds(99)])
        #expect(trips.summary?.answered == 99)
        #expect(trips.summary?.sent == 100)
    }
}
