import Glibc
import LinuxRuntime
import Testing

/// What `awared` says of displays and buttons on a machine that may have no GPIO chip at all.
@Suite("awared and its board") struct AwaredBoardTests {
    private func profile(_ accessory: Accessory, _ rest: String) throws -> [String] {
        let path = accessory.folder.file("profile.json")
        try accessory.folder.write(
            #"{"schema-version": 1, "board": "b", "radio": {"simulated": {}}, "# + rest + "}", to: "profile.json")
        return ["--profile", path]
    }

    private static let missing = #""display": {"tm1637": {"clk": "gpiochip-none:0", "dio": "gpiochip-none:1"}}"#
    private static let program = #""display": {"exec": {"program": "/bin/cat"}}"#

    @Test("a display on a chip that is not there ends the start with 75 and a line that names it") func noChip() throws
    {
        let accessory = try Accessory()
        let program = try accessory.start(try profile(accessory, Self.missing))
        #expect(try program.end() == .exited(75))
        #expect(program.log.contains("display: line gpiochip-none:0: "), "\(program.log)")
    }

    @Test("a button on a chip that is not there does, too") func noButtonChip() throws {
        let accessory = try Accessory()
        let program = try accessory.start(
            try profile(accessory, Self.program + #", "button": {"line": "gpiochip-none:2"}"#))
        #expect(try program.end() == .exited(75))
        #expect(program.log.contains("button: line gpiochip-none:2: "), "\(program.log)")
    }

    @Test("a window for a button needs a button that opens it") func windowWithoutButton() throws {
        let accessory = try Accessory(window: "button")
        let program = try accessory.start(try profile(accessory, Self.program))
        #expect(try program.end() == .exited(78))
        #expect(program.log.contains("pairing.window: button: the profile has no button"), "\(program.log)")
    }

    @Test("a display's program that may not be run is refused") func noProgram() throws {
        let accessory = try Accessory()
        let program = try accessory.start(
            try profile(accessory, #""display": {"exec": {"program": "/etc/passwd"}}"#))
        #expect(try program.end() == .exited(78))
        #expect(program.log.contains("display: /etc/passwd is no program"), "\(program.log)")
    }

    @Test("--check has a line for display and button, and a fault for what is missing") func check() throws {
        let accessory = try Accessory()
        let options = try profile(accessory, Self.missing + #", "button": {"line": "gpiochip-none:2"}"#)
        let program = try accessory.start(options + ["--check"])
        #expect(try program.end() == .exited(75))
        for part in ["FAULT display tm1637: line gpiochip-none:0: ", "FAULT button line gpiochip-none:2: "] {
            #expect(Self.words(program.output).contains(part), "\(program.output)")
        }
        let good = try accessory.start(try profile(accessory, Self.program) + ["--check"])
        #expect(try good.end() == .exited(0))
        #expect(Self.words(good.output).contains("ok display exec"), "\(good.output)")
    }

    @Test("--check reads what has been saved and the file that is played") func checkFiles() throws {
        let accessory = try Accessory()
        let options = try profile(accessory, Self.program)
        let program = try accessory.run(options)
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
        let good = try accessory.start(options + ["--check"])
        #expect(try good.end() == .exited(0), "\(good.output)")
        #expect(Self.words(good.output).contains("ok state \(accessory.folder.file("state"))\n"), "\(good.output)")
        try accessory.folder.write("cut", to: "state/accessory.state")
        let damaged = try accessory.start(options + ["--check"])
        #expect(try damaged.end() == .exited(75))
        #expect(damaged.output.contains("damaged, and so is the generation before"), "\(damaged.output)")

        let player = try Accessory.withVideo(#"{"file": "/etc/hostname"}"#)
        let played = try player.start(try profile(player, Self.program) + ["--check"])
        #expect(try played.end() == .exited(75))
        #expect(
            Self.words(played.output).contains("FAULT video /etc/hostname holds no H.264 byte stream (Annex B)\n"),
            "\(played.output)")
    }

    @Test("a reload to a board that would not let it start is refused, and what runs goes on") func reload() throws {
        let accessory = try Accessory()
        let program = try accessory.run(try profile(accessory, Self.program))
        let boards = [
            #""display": {"exec": {"program": "/etc/passwd"}}"#, Self.missing,
            Self.program + #", "button": {"line": "gpiochip-none:2"}"#,
        ]
        for (number, board) in boards.enumerated() {
            _ = try profile(accessory, board)
            program.process.send(signal: SIGHUP)
            let isRefused = try program.read { $0.log.components("the old one stays") == number + 1 }
            try #require(isRefused, "\(program.log)")
        }
        #expect(try accessory.status().identity.pairingName == "Test Board")
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
    }

    /// Columns are as wide as their widest cell, which is not what is asked here.
    private static func words(_ output: String) -> String {
        output.split(separator: " ").joined(separator: " ")
    }

    @Test("a service that shows a camera needs a board that has one, and a program that may be run") func camera()
        throws
    {
        let accessory = try Accessory.withVideo()
        let without = try accessory.start(try profile(accessory, Self.program))
        #expect(try without.end() == .exited(78))
        #expect(
            without.log.contains(
                "services[0].handler.video.camera: true: accepted is file, because this board's profile has no camera"),
            "\(without.log)")
        let missing = try profile(accessory, Self.program + #", "camera": {"program": "/etc/passwd"}"#)
        let refused = try accessory.start(missing)
        #expect(try refused.end() == .exited(78))
        #expect(refused.log.contains("camera: /etc/passwd is no program that may be run"), "\(refused.log)")
        let check = try accessory.start(missing + ["--check"])
        #expect(try check.end() == .exited(75))
        #expect(Self.words(check.output).contains("FAULT camera /etc/passwd may not be run"), "\(check.output)")
    }

    @Test("--check and status name the camera; one that no service shows is not needed") func cameraLine() throws {
        let accessory = try Accessory.withVideo()
        let options = try profile(accessory, Self.program + #", "camera": {"program": "/bin/cat"}"#)
        let check = try accessory.start(options + ["--check"])
        #expect(try check.end() == .exited(0))
        #expect(Self.words(check.output).contains("ok camera /bin/cat\n"), "\(check.output)")
        let program = try accessory.run(options)
        let camera = try accessory.status().camera
        #expect(camera?.program == "/bin/cat" && camera?.state == .idle && camera?.losses == 0)
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))

        let other = try Accessory()
        let unused = try profile(other, Self.program + #", "camera": {"program": "/nonexistent"}"#)
        let good = try other.start(unused + ["--check"])
        #expect(try good.end() == .exited(0))
        #expect(
            Self.words(good.output).contains("ok camera /nonexistent: no such program; no service shows it"),
            "\(good.output)")
    }

    @Test("--blank-display does nothing where no lines are wired, and says what is in its way") func blank() throws {
        let accessory = try Accessory()
        let none = try Program("awared", ["--blank-display"] + (try profile(accessory, Self.program)))
        #expect(try none.end() == .exited(0))
        let missing = try Program("awared", ["--blank-display"] + (try profile(accessory, Self.missing)))
        #expect(try missing.end() == .exited(75))
        #expect(missing.log.contains("display: line gpiochip-none:0: "), "\(missing.log)")
    }

    @Test("a display's program is told what to show, and blank at the end") func exec() throws {
        let accessory = try Accessory()
        let lines = accessory.folder.file("lines")
        let display = #""display": {"exec": {"program": "/bin/sh", "arguments": ["-c", "cat > \#(lines)"]}}"#
        let program = try accessory.run(try profile(accessory, display))
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
        let octets = try DurableFile(path: lines).readConfiguration(limit: 65_536) ?? []
        let text = String(decoding: octets, as: UTF8.self)
        #expect(text.hasPrefix(#"{"state":"blank"}"#) && text.hasSuffix("{\"state\":\"blank\"}\n"), "\(text)")
        #expect(text.contains(#"{"state":"ready"}"#), "\(text)")
    }

    @Test("--try-display shows what its input says, says so, and ends blank") func tryDisplay() throws {
        let accessory = try Accessory()
        let lines = accessory.folder.file("lines")
        let display = #""display": {"exec": {"program": "/bin/sh", "arguments": ["-c", "cat > \#(lines)"]}}"#
        let options = ["--try-display"] + (try profile(accessory, display))
        let program = try Program("awared", options)
        for line in ["ready", "pin 314159", "paired"] {
            try program.type(line)
            #expect(try program.read { $0.output.hasSuffix(line + "\n") }, "\(program.output)")
        }
        program.process.send(signal: SIGTERM)
        #expect(try program.end() == .exited(0))
        let octets = try DurableFile(path: lines).readConfiguration(limit: 65_536) ?? []
        let states = ["blank", "ready", "pin\",\"pin\":\"314159", "paired", "blank"]
        let expected = states.map { "{\"state\":\"\($0)\"}\n" }.joined()
        #expect(String(decoding: octets, as: UTF8.self) == expected)
        let wrong = try Program("awared", options)
        try wrong.type("blank\r")
        try wrong.type("pin 12345")
        #expect(try wrong.end() == .exited(2))
        #expect(wrong.log.contains("line 2 cannot be shown; accepted is pin and six digits, blank,"), "\(wrong.log)")
        #expect(!wrong.log.contains("12345"))
    }
}
