import Glibc
import LinuxRuntime
import Testing

@Suite("A phone whose socket loses packets") struct LossyPhoneTests {
    private static let ffmpeg = "/usr/bin/ffmpeg"

    /// The example drone, with a clip that is found from anywhere and nobody behind its control handler.
    private static func identity() throws -> String {
        let octets = try DurableFile(path: "provisioning/examples/drone.json").read(limit: 1 << 20) ?? []
        let folder = try #require(getcwd(nil, 0))
        defer { free(folder) }
        return String(decoding: octets, as: UTF8.self)
            .split(separator: "clip.h264", omittingEmptySubsequences: false)
            .joined(separator: "\(String(cString: folder))/board/demo/clip.h264")
    }

    @Test(
        "at 5 % loss the picture goes on, nothing fails, and ffmpeg decodes what was written",
        .enabled(if: access(ffmpeg, X_OK) == 0))
    func fivePercent() throws {
        let folder = try TestFolder()
        try folder.write(try Self.identity(), to: "identity.json")
        let accessory = try Program(
            "awared",
            [
                "--identity", folder.file("identity.json"), "--state", folder.file("state"), "--control",
                folder.file("control"), "--air", folder.file("air"),
            ])
        try accessory.waitForLog("udp port 5600 is ready")
        let phone = try Program(
            "aware-factory",
            [
                "phone", "--json", "--air", folder.file("air"), "--state", folder.file("phone"), "--pin-command",
                "until test -s \(folder.file("pin")); do sleep 0.05; done; cat \(folder.file("pin"))",
                "--drop-percent", "5", "--seconds", "6", "--video", folder.file("video.h264"), "--sdp",
                folder.file("video.sdp"),
            ])
        let isShown = try accessory.read { $0.output.contains("PIN ") }
        try #require(isShown)
        let line = try #require(accessory.output.split(separator: "\n").first { $0.hasPrefix("PIN ") })
        try folder.write(String(line.dropFirst(4)) + "\n", to: "pin")
        #expect(try phone.end() == .exited(0), "\(phone.output)\(phone.log)")
        let live = phone.output.split(separator: "\n").filter { $0.contains("\"event\":\"live\"") }
        #expect(live.count >= 5)
        #expect(live.contains { !$0.contains("\"loss_ppm\":0,") }, "the kernel lost nothing: \(phone.output)")
        // Every second had pictures.
        #expect(live.dropFirst().allSatisfy { !$0.contains("\"frames_per_second\":0.0") }, "\(phone.output)")

        let decoder = try ChildProcess(
            path: Self.ffmpeg,
            arguments: [
                "ffmpeg", "-v", "error", "-xerror", "-i", folder.file("video.h264"), "-f", "null", "-",
            ])
        #expect(try decoder.wait() == .exited(0))
        let description = try DurableFile(path: folder.file("video.sdp")).read(limit: 4096) ?? []
        let text = String(decoding: description, as: UTF8.self)
        #expect(text.contains("c=IN IP4 127.0.0.1\r\n"))
        #expect(text.contains("m=video 5004 RTP/AVP"))
        #expect(text.contains("sprop-parameter-sets="))
        accessory.process.send(signal: SIGTERM)
        #expect(try accessory.end() == .exited(0))
    }
}
