import Foundation
import Glibc
import MediaTransport
import Octets
import Testing

/// ffmpeg as the independent other end, where it is installed.
@Suite("ffmpeg as witness", .enabled(if: FFmpeg.isInstalled, "ffmpeg is not installed")) struct FFmpegWitnessTests {
    @Test("ffmpeg decodes the packets we send") func decodesOurs() throws {
        let folder = try TemporaryFolder()
        // A socket of ours finds a free port, and ffmpeg then binds it and the one above.
        let port = try LoopbackSocket(receiving: true).port & ~1
        let clip = try DemoClip.clip()
        let sets = clip.units[0]
        let description = SessionDescription(
            address: .ipv4("127.0.0.1"), port: port, name: "witness",
            sequenceParameterSet: sets.nalUnit(sets.nalUnits[0]), pictureParameterSet: sets.nalUnit(sets.nalUnits[1]))
        try description.text.write(toFile: folder.path("stream.sdp"), atomically: true, encoding: .utf8)
        let process = try FFmpeg.start([
            "-protocol_whitelist", "file,udp,rtp", "-i", folder.path("stream.sdp"), "-frames:v", "60", "-f", "framemd5",
            folder.path("out.md5"),
        ])
        defer { process.terminate() }

        let sender = try LoopbackSocket(sendingTo: port)
        var machine = VideoSender(configuration: .init(), entropy: .seeded(3))
        let start = MonotonicInstant(nanoseconds: 0)
        _ = machine.handle(.control(RTCPPacket.compound([.receiverReport(ssrc: 1, blocks: [])])), now: start)
        // The loop ends when ffmpeg has seen enough; before it listens, the kernel answers "refused".
        let exited = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in exited.signal() }
        var tick: Int64 = 0
        // The pace matters: ffmpeg drops what comes faster than it reads.
        while tick < 30 * 40, exited.wait(timeout: .now() + .milliseconds(10)) == .timedOut {
            let now = MonotonicInstant(nanoseconds: tick * 33_333_333)
            let unit = clip.units[Int(tick) % clip.units.count]
            _ = machine.handle(.control(RTCPPacket.compound([.receiverReport(ssrc: 1, blocks: [])])), now: now)
            machine.begin(unit, timestamp: UInt32(tick * 3000), spread: .zero, now: now)
            while let run = machine.nextBurst(now: now) {
                for datagram in datagrams(machine, first: run.first, count: run.count) { sender.send(datagram) }
            }
            tick += 1
        }
        let text = try String(contentsOfFile: folder.path("out.md5"), encoding: .utf8)
        let sums = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last
        }
        #expect(sums.count == 60)
        // Each decoded picture is one of those the file itself decodes to.
        let direct = try FFmpeg.run([
            "-i", DemoClip.path, "-f", "framemd5", folder.path("direct.md5"),
        ])
        #expect(direct == 0)
        let whole = try String(contentsOfFile: folder.path("direct.md5"), encoding: .utf8)
        let known = Set(whole.split(separator: "\n").compactMap { $0.split(separator: ",").last })
        #expect(sums.allSatisfy { known.contains($0) })
    }

    @Test("the NAL units in ffmpeg's own RTP are those of the file") func readsTheirs() throws {
        let socket = try LoopbackSocket(receiving: true)
        let process = try FFmpeg.start([
            "-readrate", "8", "-i", DemoClip.path, "-c", "copy", "-f", "rtp",
            "rtp://127.0.0.1:\(socket.port)?pkt_size=1200",
        ])
        defer { process.terminate() }
        let clip = try DemoClip.clip()
        let expected = clip.units.flatMap { unit in unit.nalUnits.map(unit.nalUnit) }
        var depacketizer = H264Depacketizer()
        var received: [[UInt8]] = []
        var sequence: UInt16?
        var aggregates = 0
        while received.count < expected.count, let datagram = socket.receive() {
            guard DatagramKind(of: datagram) != .rtcp else { continue }
            let packet = try RTPPacket(parsing: datagram)
            if let sequence { #expect(packet.header.sequenceNumber == sequence &+ 1) }
            sequence = packet.header.sequenceNumber
            if packet.datagram[packet.payload.lowerBound] & 0x1F == 24 { aggregates += 1 }
            for unit in depacketizer.receive(packet) {
                #expect(unit.isComplete)
                received += unit.accessUnit.nalUnits.map(unit.accessUnit.nalUnit)
            }
        }
        #expect(depacketizer.malformed == 0)
        #expect(received.count == expected.count)
        // Bound first, so that a failure does not print the film.
        let same = received == expected
        #expect(same)
    }
}

enum FFmpeg {
    static let path = "/usr/bin/ffmpeg"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    static func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-hide_banner", "-loglevel", "fatal", "-nostdin", "-y"] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        return process
    }

    static func run(_ arguments: [String]) throws -> Int32 {
        let process = try start(arguments)
        process.waitUntilExit()
        return process.terminationStatus
    }
}

final class TemporaryFolder {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}

/// A plain UDP socket on 127.0.0.1.
final class LoopbackSocket {
    private let descriptor: Int32
    private(set) var port: UInt16 = 0

    convenience init(receiving: Bool) throws {
        try self.init()
        var address = Self.address(port: 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        try #require(result == 0)
        port = UInt16(bigEndian: address.sin_port)
    }

    convenience init(sendingTo port: UInt16) throws {
        try self.init()
        self.port = port
        var address = Self.address(port: port)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
    }

    private init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        try #require(descriptor >= 0)
        // Past this, what was waited for does not come any more.
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var size: Int32 = 4 << 20
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    func send(_ datagram: [UInt8]) { _ = Glibc.send(descriptor, datagram, datagram.count, 0) }

    func receive() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 2048)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    private static func address(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
