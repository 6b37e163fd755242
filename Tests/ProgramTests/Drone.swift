import Glibc
import LinuxRuntime
import Testing

/// The example drone on an air of its own, and phones that come to it.
final class Drone {
    let folder: TestFolder
    let program: Program

    convenience init() throws { try self.init(in: TestFolder()) }

    /// Starts it with what is left of an earlier one.
    init(in folder: TestFolder) throws {
        self.folder = folder
        try folder.write(try Self.identity(), to: "identity.json")
        program = try Program(
            "awared",
            [
                "--identity", folder.file("identity.json"), "--state", folder.file("state"), "--control",
                folder.file("control"), "--air", folder.file("air"),
            ])
        try program.waitForLog("udp port 5600 is ready")
    }

    /// The clip is named so that it is found from anywhere; nobody is behind the control handler.
    private static func identity() throws -> String {
        let octets = try DurableFile(path: "provisioning/examples/drone.json").read(limit: 1 << 20) ?? []
        let folder = try #require(getcwd(nil, 0))
        defer { free(folder) }
        return String(decoding: octets, as: UTF8.self)
            .split(separator: "clip.h264", omittingEmptySubsequences: false)
            .joined(separator: "\(String(cString: folder))/board/demo/clip.h264")
    }

    /// A phone that waits for its PIN until `showPIN` has written it down.
    func phone(_ options: [String], environment: [String: String] = [:]) throws -> Program {
        let pin = folder.file("pin")
        return try Program(
            "aware-factory",
            [
                "phone", "--json", "--air", folder.file("air"), "--state", folder.file("phone"), "--pin-command",
                "until test -s \(pin); do sleep 0.05; done; cat \(pin)",
            ] + options, environment: environment)
    }

    /// Reads the display and tells the phone; returns the digits.
    @discardableResult
    func showPIN() throws -> String {
        let isShown = try program.read { $0.output.contains("PIN ") && $0.output.hasSuffix("\n") }
        try #require(isShown, "no PIN was shown: \(program.log)")
        let line = try #require(program.output.split(separator: "\n").last { $0.hasPrefix("PIN ") })
        let digits = String(line.dropFirst(4))
        try folder.write(digits + "\n", to: "pin")
        return digits
    }

    func stop() throws {
        program.process.send(signal: SIGTERM)
        let exit = try program.end()
        #expect(exit == .exited(0))
    }
}
