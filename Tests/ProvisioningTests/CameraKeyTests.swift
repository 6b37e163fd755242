import Identity
import LinuxRuntime
import Provisioning
import Testing

@Suite("A camera in profile and identity") struct CameraKeyTests {
    private func profile(_ rest: String) throws -> BoardProfile {
        try ProfileFile.parse(
            Array(#"{"schema-version": 1, "board": "b", "radio": {"simulated": {}}\#(rest)}"#.utf8), file: "p")
    }

    private func identity(_ video: String) throws -> AccessoryIdentity {
        let text = """
            {"schema-version": 1, "vendor-name": "V", "model-name": "M", "pairing-name": "P", "serial-number": "S",
             "services": [{"name": "_a._udp", "port": 1, "service-class": "interactive-video",
              "handler": {"video": \(video)}}]}
            """
        return try IdentityFile.parse(Array(text.utf8), file: "i")
    }

    @Test("the profile names a program and its arguments, or none") func program() throws {
        #expect(try profile("").camera == nil)
        #expect(
            try profile(#", "camera": {"program": "/usr/bin/cam", "arguments": ["-o", "-"]}"#).camera
                == BoardProgram(path: "/usr/bin/cam", arguments: ["-o", "-"]))
        #expect(try profile(#", "camera": {"program": "/c"}"#).camera?.arguments == [])
    }

    @Test(
        "what is wrong with it is said",
        arguments: [
            (#""cam""#, "camera: text: accepted is an object"),
            ("{}", "camera.program: missing: accepted is an absolute path"),
            (#"{"program": "cam"}"#, "camera.program: cam: accepted is an absolute path"),
            (#"{"program": "/c", "arguments": "-o"}"#, "camera.arguments: text: accepted is a list of texts"),
            (#"{"program": "/c", "device": "/dev/video0"}"#, "camera.device: unknown key: accepted is one of"),
        ])
    func refused(_ camera: String, _ message: String) throws {
        #expect {
            try profile(", \"camera\": \(camera)")
        } throws: {
            ($0 as? ProvisioningError)?.description.contains(message) == true
        }
    }

    @Test("no more arguments than 64") func many() throws {
        func camera(_ count: Int) -> String {
            let texts = Array(repeating: "\"-v\"", count: count).joined(separator: ",")
            return ", \"camera\": {\"program\": \"/c\", \"arguments\": [\(texts)]}"
        }
        #expect(try profile(camera(64)).camera?.arguments.count == 64)
        #expect(throws: ProvisioningError.self) { try profile(camera(65)) }
    }

    @Test("a service shows the camera, with its own class or the service's") func handler() throws {
        let own = try identity(#"{"camera": true, "service-class": "best-effort"}"#)
        #expect(own.services[0].handler == .video(VideoHandler(cameraWith: .bestEffort)))
        let inherited = try identity(#"{"camera": true}"#)
        #expect(inherited.services[0].handler == .video(VideoHandler(cameraWith: .interactiveVideo)))
        // Written and read again it is the same.
        let text = IdentityFile.value(of: inherited).text
        #expect(try IdentityFile.parse(Array(text.utf8), file: "again") == inherited)
    }

    @Test(
        "video is a file or the camera, one of them",
        arguments: [
            (
                #"{"camera": true, "file": "a.h264"}"#,
                "video.camera: given with file: accepted is one of file and camera"
            ),
            (#"{"camera": false}"#, "video.camera: false: accepted is true, or file in its place"),
            (#"{"camera": 1}"#, "video.camera: whole number: accepted is true or false"),
            ("{}", "video.file: missing: accepted is a path to an H.264 file in Annex B form, or camera: true"),
            (#"{"camera": true, "frames-per-second": 25}"#, "video.frames-per-second: given with camera"),
        ])
    func either(_ video: String, _ message: String) throws {
        #expect {
            try identity(video)
        } throws: {
            ($0 as? ProvisioningError)?.description.contains(message) == true
        }
    }
}
