import Glibc
import LinuxRuntime
import Octets
import Testing

@Suite("aware-factory phone with awared", .serialized) struct PhoneOnTheAirTests {
    private static let ffmpeg = "/usr/bin/ffmpeg"

    @Test(
        "at 5 % loss the picture goes on, nothing fails, and ffmpeg decodes what was written",
        .enabled(if: access(ffmpeg, X_OK) == 0))
    func fivePercentLoss() throws {
        let drone = try Drone()
        let phone = try drone.phone([
            "--drop-percent", "5", "--seconds", "6", "--video", drone.folder.file("video.h264"), "--sdp",
            drone.folder.file("video.sdp"),
        ])
        try drone.showPIN()
        let exit = try phone.end()
        #expect(exit == .exited(0), "\(phone.output)\(phone.log)")
        let live = phone.output.split(separator: "\n").filter { $0.contains("\"event\":\"live\"") }
        #expect(live.count >= 5)
        #expect(live.contains { !$0.contains("\"loss_ppm\":0,") }, "the kernel lost nothing: \(phone.output)")
        #expect(live.allSatisfy { !$0.contains("\"frames_per_second\":0.0") }, "a second without: \(phone.output)")

        let decoder = try ChildProcess(
            path: Self.ffmpeg,
            arguments: ["ffmpeg", "-v", "error", "-xerror", "-i", drone.folder.file("video.h264"), "-f", "null", "-"])
        let decoded = try decoder.wait()
        #expect(decoded == .exited(0))
        let description = try DurableFile(path: drone.folder.file("video.sdp")).read(limit: 4096) ?? []
        let text = String(decoding: description, as: UTF8.self)
        #expect(text.contains("c=IN IP4 127.0.0.1\r\n"))
        #expect(text.contains("m=video 5004 RTP/AVP"))
        #expect(text.contains("sprop-parameter-sets="))
        try drone.stop()
    }

    @Test("the log at full debug and the events have neither the PIN nor a key in them") func secrets() throws {
        let drone = try Drone()
        let keysFile = drone.folder.file("keys")
        let phone = try drone.phone(
            ["--seconds", "1", "--log-level", "debug", "--reveal-keys-to", keysFile],
            environment: ["AWARE_FACTORY_REVEALS_KEYS": "1"])
        let pin = try drone.showPIN()
        let exit = try phone.end()
        #expect(exit == .exited(0), "\(phone.output)\(phone.log)")
        let revealed = String(decoding: try DurableFile(path: keysFile).read(limit: 65536) ?? [], as: UTF8.self)
        let keys = revealed.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        for name in ["own-nik", "peer-nik", "npk", "nm-tk", "nd-tk"] {
            #expect(keys.contains { $0.first == name }, "\(name) was not revealed")
        }
        let text = (phone.output + phone.log).lowercased()
        #expect(text.contains("authenticat"), "there is a log at all")
        for key in keys {
            let octets = try #require([UInt8](hex: key[1]))
            #expect(octets.count >= 16)
            #expect(!text.contains(octets.hex), "\(key[0]) in hexadecimal")
            // An array of octets is printed in decimal; half a key is as bad as a whole one.
            let decimal = octets.prefix(8).map(String.init).joined(separator: ", ")
            #expect(!text.contains(decimal), "\(key[0]) in decimal")
        }
        let words = text.split { !($0.isLetter || $0.isNumber) }
        #expect(!words.contains { $0 == pin }, "the PIN")
        try drone.stop()
    }

    @Test("an accessory that dies and comes back is connected again by itself, without a PIN") func comesBack() throws {
        let drone = try Drone()
        let phone = try drone.phone(["--video", drone.folder.file("video.h264")])
        try drone.showPIN()
        let isViewing = try phone.read { $0.output.contains("\"event\":\"live\"") }
        try #require(isViewing, "\(phone.output)\(phone.log)")
        drone.program.process.send(signal: SIGKILL)
        _ = try drone.program.end()
        let isLost = try phone.read { $0.output.contains("\"event\":\"trying_again\"") }
        try #require(isLost, "\(phone.output)\(phone.log)")
        let second = try Drone(in: drone.folder)
        let isBack = try phone.read { $0.output.split(separator: "\n").count { $0.contains("\"connected\"") } == 2 }
        try #require(isBack, "\(phone.output)\(phone.log)")
        phone.process.send(signal: SIGINT)
        let exit = try phone.end()
        #expect(exit == .exited(0))
        #expect(phone.output.split(separator: "\n").count { $0.contains("\"pin_needed\"") } == 1)
        try second.stop()
    }
}
