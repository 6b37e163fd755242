import Glibc
import LinuxRuntime
import Testing

@Suite("awared: starts that are refused") struct AwaredStartTests {
    private func refusal(_ accessory: Accessory, _ options: [String]) throws -> (ChildExit, String) {
        let program = try accessory.start(options)
        let exit = try program.end()
        #expect(program.output.isEmpty)
        return (exit, program.log)
    }

    @Test(
        "a wrong command line ends with 2 and says what is accepted",
        arguments: [
            (["--colour", "red"], "unknown option --colour"),
            (["--log-level"], "--log-level needs an argument"),
            (["--log-level", "loud"], "accepted is error, warning, info, debug"),
            (["--display", "wall"], "accepted is console, none"),
            (["--radio", "morse"], "accepted is simulated or nl80211"),
            (["--seed", "-1"], "accepted is 0 to"),
            (["--radio", "nl80211", "--seed", "1"], "--seed is for the simulated radio"),
            (["--radio", "simulated", "--wiphy", "phy0"], "--wiphy is for the real radio"),
            (["--radio", "nl80211", "--wiphy", "a/b"], "accepted is a radio's name"),
            (["--radio", "nl80211", "--country", "us"], "accepted is two capital letters"),
            (["surplus"], "unexpected argument surplus"),
        ])
    func usage(options: [String], reason: String) throws {
        // Whatever the files are like.
        let (exit, log) = try refusal(Accessory(window: "sometimes"), options)
        #expect(exit == .exited(2))
        #expect(log.hasPrefix("awared: ") && log.contains(reason), "\(log)")
        #expect(log.hasSuffix("; see awared --help\n") && log.split(separator: "\n").count == 1, "\(log)")
    }

    /// Whether this machine's kernel has anything wireless.
    private static var hasWireless: Bool { FileSystem.exists("/sys/class/ieee80211") }

    @Test("a real radio that is not there ends with 75, and says so", .enabled(if: !hasWireless))
    func noRadio() throws {
        let accessory = try Accessory()
        let program = try accessory.startReal()
        #expect(try program.end() == .exited(75))
        let log = program.log
        #expect(log.contains("radio: this kernel has no wireless configuration (nl80211)"), "\(log)")
    }

    @Test("a missing identity ends with 78 and its path") func noIdentity() throws {
        let (exit, log) = try refusal(Accessory(), ["--identity", "/nowhere/identity.json"])
        #expect(exit == .exited(78))
        #expect(log.contains("/nowhere/identity.json: no such file"))
    }

    @Test("a wrong identity ends with 78, file, line, key and what is accepted; nothing is made") func badIdentity()
        throws
    {
        let accessory = try Accessory(window: "sometimes")
        let (exit, log) = try refusal(accessory, [])
        #expect(exit == .exited(78))
        #expect(
            log.contains("identity.json:15: pairing.window: sometimes: accepted is one of always, button"), "\(log)")
        #expect(accessory.folder.contents() == ["identity.json"])
    }

    @Test("an identity with a fixed PIN is refused, and the PIN is not repeated") func fixedPIN() throws {
        let accessory = try Accessory()
        let text = Accessory.identity(window: "always", pairingName: "P")
        try accessory.folder.write(
            text.replacingFirst("\"schema-version\": 1,", with: "\"schema-version\": 1, \"pin\": \"271828\","),
            to: "identity.json")
        let (exit, log) = try refusal(accessory, [])
        #expect(exit == .exited(78))
        #expect(log.contains("pin") && !log.contains("271828"), "\(log)")
    }

    @Test("a wrong profile ends with 78") func badProfile() throws {
        let accessory = try Accessory()
        try accessory.folder.write("{\"schema-version\": 1, \"board\": \"b\", \"radio\": {}}", to: "profile.json")
        let (exit, log) = try refusal(accessory, ["--profile", accessory.folder.file("profile.json")])
        #expect(exit == .exited(78))
        #expect(log.contains("profile.json:1: radio: empty"), "\(log)")
    }

    @Test("a board without display cannot be told to let itself be paired") func noDisplay() throws {
        let (exit, log) = try refusal(Accessory(window: "always"), ["--display", "none"])
        #expect(exit == .exited(78))
        #expect(log.contains("accepted is command"), "\(log)")
    }

    @Test("a console display is refused where its PINs would be in the log") func displayIsLog() throws {
        let accessory = try Accessory()
        let program = try Program("awared", accessory.arguments, mergesOutput: true)
        #expect(try program.end() == .exited(78))
        #expect(program.log.contains("PINs would be kept there"), "\(program.log)")
    }

    @Test("a state that another process uses ends with 75") func stateInUse() throws {
        let accessory = try Accessory()
        let first = try accessory.run()
        let (exit, log) = try refusal(accessory, ["--control", accessory.folder.file("other")])
        #expect(exit == .exited(75))
        #expect(log.contains("in use by another process"), "\(log)")
        first.process.send(signal: SIGTERM)
        #expect(try first.end() == .exited(0))
    }

    @Test("a control socket that somebody answers ends with 75") func controlInUse() throws {
        let accessory = try Accessory()
        let first = try accessory.run()
        let (exit, log) = try refusal(accessory, ["--state", accessory.folder.file("other")])
        #expect(exit == .exited(75))
        #expect(
            log.contains("control: another awared serves it; end that one with kill \(first.process.processID)"),
            "\(log)")
        first.process.send(signal: SIGTERM)
        #expect(try first.end() == .exited(0))
    }

    @Test("what is no socket in the control socket's place is left alone, and said") func controlIsNoSocket() throws {
        let accessory = try Accessory()
        try accessory.folder.write("mine", to: "control")
        let (exit, log) = try refusal(accessory, [])
        #expect(exit == .exited(78))
        #expect(log.contains("no socket; move it away"), "\(log)")
    }

    @Test("the socket that a killed awared left is replaced") func abandonedSocket() throws {
        let accessory = try Accessory()
        try accessory.run().kill()
        #expect(accessory.folder.contents().contains("control"))
        let second = try accessory.run()
        #expect(try accessory.status().services.count == 1)
        second.process.send(signal: SIGTERM)
        #expect(try second.end() == .exited(0))
    }

    @Test("a damaged state ends with 78 and says what to do") func damagedState() throws {
        let accessory = try Accessory()
        try systemCall("mkdir") { mkdir(accessory.folder.file("state"), 0o700) }
        for name in ["accessory.state", "accessory.state.previous"] {
            try accessory.folder.write("this is no state", to: "state/\(name)")
            try systemCall("chmod") { chmod(accessory.folder.file("state/\(name)"), 0o600) }
        }
        let (exit, log) = try refusal(accessory, [])
        #expect(exit == .exited(78))
        #expect(log.contains("move both away"), "\(log)")
    }

    @Test("a state folder that others may write to ends with 78") func openFolder() throws {
        let accessory = try Accessory()
        try systemCall("mkdir") { mkdir(accessory.folder.file("state"), 0o777) }
        try systemCall("chmod") { chmod(accessory.folder.file("state"), 0o777) }
        let (exit, log) = try refusal(accessory, [])
        #expect(exit == .exited(78))
        #expect(log.contains("mode 777"), "\(log)")
    }

    @Test("a state file that others may read ends with 78 and says what mends it") func openState() throws {
        let accessory = try Accessory()
        try systemCall("mkdir") { mkdir(accessory.folder.file("state"), 0o700) }
        try accessory.folder.write("state", to: "state/accessory.state")
        try systemCall("chmod") { chmod(accessory.folder.file("state/accessory.state"), 0o644) }
        let (exit, log) = try refusal(accessory, [])
        #expect(exit == .exited(78))
        #expect(log.contains("mode 644") && log.contains("chmod 600"), "\(log)")
    }

    @Test("a path that no later start finds better ends with 78 and its reason") func wrongPaths() throws {
        let accessory = try Accessory()
        let folder = accessory.folder
        for (options, reason) in [
            (["--air", ""], "air folder: its path has 0 octets"),
            (["--air", folder.file(String(repeating: "a", count: 100))], "air folder: its path has"),
            (["--air", folder.file("identity.json")], "Not a directory"),
            (["--control", folder.file("")], "is in the way"),
            (["--control", folder.file("identity.json")], "no socket"),
            (["--control", folder.file("nowhere/control")], "No such file"),
            (["--state", folder.file("identity.json")], "Not a directory"),
        ] {
            let (exit, log) = try refusal(accessory, options)
            #expect(exit == .exited(78), "\(options): \(log)")
            #expect(log.contains(reason) && !log.contains("Address already in use"), "\(options): \(log)")
        }
    }

    @Test("a capture overwrites nothing") func captureExists() throws {
        let accessory = try Accessory()
        let (exit, log) = try refusal(accessory, ["--capture", accessory.folder.file("identity.json")])
        #expect(exit == .exited(1))
        #expect(log.contains("File exists"), "\(log)")
    }

    @Test("help and version are printed, and nothing is done") func help() throws {
        let help = try Program("awared", ["--help"])
        #expect(try help.end() == .exited(0))
        for word in ["NAME", "OPTIONS", "--allow-core-dumps", "SIGHUP", "EXIT STATUS", "78"] {
            #expect(help.output.contains(word))
        }
        #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
        let version = try Program("awared", ["-V"])
        #expect(try version.end() == .exited(0))
        #expect(version.output.hasPrefix("awared 0.1.0"))
    }
}

extension String {
    /// The text with the first `target` replaced.
    func replacingFirst(_ target: String, with replacement: String) -> String {
        guard let range: Range<String.Index> = firstRange(of: target) else { return self }
        return String(self[..<range.lowerBound]) + replacement + String(self[range.upperBound...])
    }
}
