import Foundation
import Glibc
import Identity
import LinuxRuntime
import MediaService
import MediaTransport
import Octets
import Ports
import Testing

@Suite("The camera of a board", .timeLimit(.minutes(3))) struct CameraServiceTests {
    /// Past this, what a machine busy with something else is given, it does not come any more.
    private static let patience = Duration.seconds(60)
    private static let player = URL(fileURLWithPath: clipPath).deletingLastPathComponent()
        .appendingPathComponent("camera").path

    /// A video service that shows what `program` writes.
    private struct Board {
        let accessory = TestAddress.fresh()
        let peer = TestAddress.fresh()
        let service: TestService
        let at: SocketAddress

        init(_ program: BoardProgram, _ change: (inout MediaService.Configuration) -> Void = { _ in }) throws {
            var configuration = MediaService.Configuration()
            configuration.camera = program
            // However long a busy machine takes to start it.
            configuration.cameraLife.stallLimit = CameraServiceTests.patience
            // Nor does a viewer leave because its test looks at something else.
            configuration.video.silenceLimit = CameraServiceTests.patience
            change(&configuration)
            service = try TestService(configuration)
            at = try service.open(.video(VideoHandler(cameraWith: .interactiveVideo)), at: accessory, for: [peer])
        }

        func viewer() throws -> TestSocket {
            let phone = try TestSocket(at: peer, connectedTo: at)
            try phone.send(receiverReport)
            return phone
        }

        /// Waits for the camera to come into a state.
        @discardableResult
        func wait(for state: CameraStatus.State) throws -> CameraStatus {
            let found = try service.wait(for: CameraServiceTests.patience) {
                if case .camera(let status) = $0 { status.state == state } else { false }
            }
            guard case .camera(let status) = found else { return CameraStatus(state: .idle) }
            return status
        }
    }

    private static func shell(_ script: String) -> BoardProgram {
        BoardProgram(path: "/bin/sh", arguments: ["-c", script])
    }

    /// The pictures that come to each viewer, until all have `count` of them.
    private func pictures(_ count: Int, to phones: [TestSocket]) throws -> [[H264Depacketizer.Unit]] {
        var depacketizers = phones.map { _ in H264Depacketizer() }
        var units: [[H264Depacketizer.Unit]] = phones.map { _ in [] }
        let end = MonotonicInstant.boot.advanced(by: Self.patience)
        var nextReport = MonotonicInstant.boot
        while units.contains(where: { $0.count < count }), MonotonicInstant.boot < end {
            if nextReport <= .boot {
                for phone in phones { try phone.send(receiverReport) }
                nextReport = MonotonicInstant.boot.advanced(by: .seconds(1))
            }
            for (index, phone) in phones.enumerated() {
                while let datagram = try phone.receive(within: .milliseconds(5))?.octets, MonotonicInstant.boot < end {
                    guard DatagramKind(of: datagram) != .rtcp else { continue }
                    units[index] += depacketizers[index].receive(try RTPPacket(parsing: datagram))
                    if nextReport <= .boot { break }
                }
            }
        }
        return units
    }

    /// Whether a process is there, or a zombie of it.
    private func isThere(_ processID: Int32) -> Bool { Glibc.kill(processID, 0) == 0 }

    @Test("two viewers see one program's pictures from a keyframe on, every NAL unit of them; it ends with the last")
    func view() throws {
        let folder = try TemporaryFolder()
        // exec: what is started is what plays.
        let script = "echo $$ >> \(folder.path("pids")); exec \(Self.player) \(clipPath)"
        let board = try Board(Self.shell(script))
        #expect(!FileManager.default.fileExists(atPath: folder.path("pids")))
        let one = try board.viewer()
        let two = try board.viewer()
        let both = try pictures(40, to: [one, two])
        let (first, second) = (both[0], both[1])
        let clip = try Clip(byteStream: [UInt8](Data(contentsOf: URL(fileURLWithPath: clipPath))))
        let film = clip.units.map { unit in unit.nalUnits.map(unit.nalUnit) }
        for seen in [first, second] {
            try #require(seen.count >= 40)
            #expect(Clip.isEntryPoint(seen[0].accessUnit))
            let units = seen.map { unit in unit.accessUnit.nalUnits.map(unit.accessUnit.nalUnit) }
            let start = try #require(film.firstIndex(of: units[0]))
            // As they stand in the film, one after the other.
            let same = units.enumerated().allSatisfy { film[(start + $0) % film.count] == $1 }
            #expect(same)
        }
        // At 30 a second their times are some 3000 apart.
        let steps = zip(first, first.dropFirst()).map { $1.timestamp &- $0.timestamp }.sorted()
        #expect((1000...9000).contains(steps[steps.count / 2]), "\(steps)")

        let pids = try String(contentsOfFile: folder.path("pids"), encoding: .utf8)
        let pid = try #require(Int32(pids.trimmingCharacters(in: .whitespacesAndNewlines)), "one program: \(pids)")
        try one.send(goodbye)
        #expect(isThere(pid))
        try two.send(goodbye)
        try board.wait(for: .idle)
        #expect(!isThere(pid))
    }

    @Test("a program that dies is started again, which its viewer sees as a keyframe, and everybody is told")
    func dies() throws {
        // Some seconds of film, and out.
        let script = "timeout 3 \(Self.player) \(clipPath); exit 3"
        let board = try Board(Self.shell(script))
        let phone = try board.viewer()
        try board.wait(for: .running)
        let lost = try board.wait(for: .waiting)
        #expect(lost.trouble == "it has ended with exit status 3" && lost.losses == 1 && lost.delay == .seconds(1))
        let again = try board.wait(for: .running)
        #expect(again.losses == 1 && again.trouble == nil)
        let seen = try pictures(20, to: [phone])[0]
        let entry = try #require(seen.first).accessUnit
        #expect(Clip.isEntryPoint(entry))
    }

    @Test("a program that stalls is ended, with what it has started, even when it does not care") func stalls() throws {
        let folder = try TemporaryFolder()
        let script = """
            trap '' TERM; sh -c 'trap "" TERM; echo $$ > \(folder.path("inner")); sleep 100 & wait; sleep 100' &
            head -c 100000 \(clipPath); sleep 100; sleep 100
            """
        let board = try Board(Self.shell(script)) {
            $0.cameraLife.stallLimit = .milliseconds(700)
            $0.cameraLife.patience = .milliseconds(300)
        }
        let phone = try board.viewer()
        let lost = try board.wait(for: .waiting)
        withExtendedLifetime(phone) {}
        #expect(lost.trouble == "it has written nothing for 0 s")
        let text = try String(contentsOfFile: folder.path("inner"), encoding: .utf8)
        let inner = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // Killed; whoever inherited it may not have buried it yet.
        let state = (try? String(contentsOfFile: "/proc/\(inner)/stat", encoding: .utf8)) ?? ") Z"
        #expect(state.contains(") Z") || state.contains(") X"), "\(state)")
    }

    @Test("a program that writes garbage for ever delays nobody, is ended, and started again") func garbage() throws {
        let board = try Board(BoardProgram(path: "/usr/bin/yes", arguments: [])) {
            $0.cameraLife.stallLimit = .milliseconds(1500)
        }
        let phone = try board.viewer()
        try board.wait(for: .starting)
        // The thread still hears a viewer's goodbye and takes another on.
        let other = try board.viewer()
        let asked = MonotonicInstant.boot
        try other.send(goodbye)
        try board.service.wait { if case .viewerEnded = $0 { true } else { false } }
        #expect(asked.duration(to: .boot) < .seconds(1))
        let lost = try board.wait(for: .waiting)
        #expect(lost.trouble?.hasPrefix("no picture that a viewer could start at") == true)
        withExtendedLifetime(phone) {}
    }

    @Test("a program that is not there is said to be, and tried again") func missing() throws {
        let board = try Board(BoardProgram(path: "/nonexistent/camera", arguments: []))
        let phone = try board.viewer()
        let lost = try board.wait(for: .waiting)
        #expect(lost.trouble?.contains("/nonexistent/camera: No such file") == true)
        try board.wait(for: .starting)
        withExtendedLifetime(phone) {}
    }

    @Test("the thread's end ends the program first") func close() throws {
        let folder = try TemporaryFolder()
        let script = "echo $$ > \(folder.path("pid")); exec \(Self.player) \(clipPath)"
        let board = try Board(Self.shell(script))
        let phone = try board.viewer()
        try board.wait(for: .running)
        try board.service.send(.close)
        try board.service.wait { $0 == .closed }
        let text = try String(contentsOfFile: folder.path("pid"), encoding: .utf8)
        let pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(!isThere(pid))
        withExtendedLifetime(phone) {}
    }

    @Test("a service for a camera on a board without one fails, and says why") func none() throws {
        let service = try TestService()
        let declaration = try ServiceDeclaration(
            name: ServiceName("_v._udp"), port: 5000,
            handler: .video(VideoHandler(cameraWith: .interactiveVideo)))
        try service.send(.openService(declaration))
        let failed = try service.wait { if case .serviceFailed = $0 { true } else { false } }
        #expect(failed == .serviceFailed(ServicePort(declaration), "the board's profile has no camera"))
    }

    @Test(
        "ffmpeg's encoder is understood as it writes, and no picture waits for the next",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg"), "ffmpeg is not installed"))
    func encoder() throws {
        let arguments = [
            "-hide_banner", "-loglevel", "error", "-nostats", "-nostdin", "-re", "-f", "lavfi", "-i",
            "testsrc2=size=320x180:rate=10", "-c:v", "libx264", "-preset", "ultrafast", "-tune", "zerolatency",
            "-pix_fmt", "yuv420p", "-g", "10", "-f", "h264", "-",
        ]
        let board = try Board(BoardProgram(path: "/usr/bin/ffmpeg", arguments: arguments))
        let phone = try board.viewer()
        let seen = try pictures(25, to: [phone])[0]
        try #require(seen.count >= 25)
        #expect(seen.allSatisfy { $0.isComplete })
        // An independent reader decodes as many pictures as have come, and complains of none.
        let folder = try TemporaryFolder()
        let octets = seen.flatMap { $0.accessUnit.octets }
        try Data(octets).write(to: URL(fileURLWithPath: folder.path("seen.h264")))
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ffprobe")
        process.arguments = [
            "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries", "stream=nb_read_frames", "-of",
            "csv=p=0", folder.path("seen.h264"),
        ]
        process.standardOutput = output
        process.standardError = output
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(text.trimmingCharacters(in: .whitespacesAndNewlines) == "\(seen.count)")
    }
}
