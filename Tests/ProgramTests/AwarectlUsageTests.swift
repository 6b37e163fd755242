import Foundation
import Testing

@Suite("awarectl, its command line and provisioning", .timeLimit(.minutes(2))) struct AwarectlUsageTests {
    private let scratch: Scratch
    init() throws { scratch = try Scratch() }

    private static let flags = [
        "-v", "Acme", "-m", "Cam", "-n", "Acme Cam", "-s", "1", "-S", "_cam._udp", "-P", "5004", "-V", "clip.h264",
    ]

    /// With their types said: Swift 6.0 takes too long to find them.
    private static let refusals: [([String], String)] = [
        (
            [],
            "a command is missing: one of provision, doctor, status, watch, pair, peers, forget, send, capture, help; "
                + "see awarectl --help"
        ),
        (
            ["nonsense"],
            "unknown command nonsense: accepted is one of provision, doctor, status, watch, pair, peers, forget, "
                + "send, capture, help; see awarectl --help"
        ),
        (["--nonsense"], "unknown option --nonsense; see awarectl --help"),
        (["status", "--nonsense"], "unknown option --nonsense; see awarectl status --help"),
        (["status", "x"], "unexpected argument x; see awarectl status --help"),
        (["watch", "--count", "0"], "--count 0: accepted is 1 to 1000000; see awarectl watch --help"),
        (["pair", "-t", "9"], "--seconds 9: accepted is 10 to 3600; see awarectl pair --help"),
        (["pair", "--close", "--no-wait"], "--close goes with no other option; see awarectl pair --help"),
        (["forget"], "the ID of a device, or --all, is missing; see awarectl forget --help"),
        (["forget", "--all", "x"], "give the ID of a device or --all, not both; see awarectl forget --help"),
        (["send", "0badcafe"], "the ID of a device and a TEXT is missing; see awarectl send --help"),
        (["send", "0badcafe", ""], "a message has 1 to 255 octets; see awarectl send --help"),
        (["capture"], "FILE is missing; see awarectl capture --help"),
        (
            ["help", "x"],
            "unknown command x: accepted is one of provision, doctor, status, watch, pair, peers, forget, send, "
                + "capture, help; see awarectl help --help"
        ),
        (["provision"], "a FILE, or an option that says something, is missing; see awarectl provision --help"),
        (["provision", "-P", "0"], "--port 0: accepted is 1 to 65535; see awarectl provision --help"),
        (
            ["provision", "-v", ""],
            "--vendor-name : accepted is 1 to 15 octets of UTF-8 without control characters; "
                + "see awarectl provision --help"
        ),
        (
            ["provision", "-M", "fast"],
            "--performance-mode fast: accepted is one of bulk, realtime; see awarectl provision --help"
        ),
        (
            ["provision", "--service-uuid", "FD5"],
            "--service-uuid FD5: accepted is four hexadecimal digits, or 8-4-4-4-12 of them; "
                + "see awarectl provision --help"
        ),
        (
            ["provision", "--interval-milliseconds", "100"],
            "--interval-milliseconds 100: accepted is one of 152.5, 211.25, 318.75, 417.5, 546.25, 760, 852.5, "
                + "1022.5, 1285; see awarectl provision --help"
        ),
        (
            ["provision", "-v", "V"],
            "model-name: missing: accepted is 1 to 15 octets of UTF-8 without control characters; "
                + "see awarectl provision --help"
        ),
    ]

    @Test(
        "a wrong command line is one line on standard error and exit 2",
        arguments: refusals)
    func usage(_ arguments: [String], _ message: String) throws {
        let run = try ToolRun("awarectl", arguments)
        #expect(run.errors == "awarectl: \(message)\n")
        #expect(run.status == 2 && run.output.isEmpty)
    }

    @Test(
        "every command has a manual of man's sections, within 80 columns but for commands to copy",
        arguments: ["", "provision", "doctor", "status", "watch", "pair", "peers", "forget", "send", "capture"])
    func manuals(_ command: String) throws {
        let help = try ToolRun("awarectl", command.isEmpty ? ["--help"] : [command, "--help"])
        let other = try ToolRun("awarectl", command.isEmpty ? ["help"] : ["help", command])
        #expect(help.status == 0 && help.errors.isEmpty && help.output == other.output)
        var rest = help.output[...]
        for section in ["NAME\n", "\nSYNOPSIS\n", "\nDESCRIPTION\n", "\nOPTIONS\n", "\nEXIT STATUS\n", "\nEXAMPLES\n"] {
            let range = try #require(rest.range(of: section), "\(section)")
            rest = rest[range.upperBound...]
        }
        let text = help.output.components(separatedBy: "EXAMPLES")[0]
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("every program says its version", arguments: ["awarectl", "aware-factory", "awared"], ["--version", "-V"])
    func version(_ program: String, _ option: String) throws {
        let run = try ToolRun(program, [option])
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.hasPrefix("\(program) 0.1.0") && run.output.split(separator: "\n").count == 1)
    }

    @Test("options alone make an identity, which checks, and which is written once") func fromOptions() throws {
        let file = "\(scratch.path)/identity.json"
        let summary = "Acme Cam (Acme Cam, serial 1), _cam._udp on port 5004\n"
        let written = try ToolRun("awarectl", ["provision", "-o", file] + Self.flags)
        #expect(written.status == 0 && written.output == "Wrote \(file): \(summary)")
        let check = try ToolRun.awarectl("provision", "--check", file)
        #expect(check.status == 0 && check.output == "\(file): \(summary)")
        let again = try ToolRun("awarectl", ["provision", "-o", file] + Self.flags)
        #expect(again.status == 0 && again.output == "\(file) is right already: \(summary)")
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        let other = try ToolRun.awarectl("provision", file, "-s", "2", "-o", file)
        #expect(other.status == 1 && other.errors.hasPrefix("awarectl: \(file) is there already and differs"))
        let after = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(after == before)
        let replaced = try ToolRun.awarectl("provision", file, "-s", "2", "-o", file, "--replace")
        #expect(replaced.status == 0 && replaced.output.contains("serial 2"))
        let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
        #expect(left == ["identity.json"])
    }

    @Test("without --output the file is in the configuration folder") func standardPlace() throws {
        let run = try ToolRun(
            "awarectl", ["provision"] + Self.flags, environment: ["CONFIGURATION_DIRECTORY": "\(scratch.path)/etc"])
        #expect(run.status == 0)
        #expect(FileManager.default.fileExists(atPath: "\(scratch.path)/etc/identity.json"))
    }

    @Test("the folder of --output is made, to be read by everybody") func missingFolder() throws {
        let folder = "\(scratch.path)/a/b"
        let run = try ToolRun("awarectl", ["provision", "-o", "\(folder)/identity.json"] + Self.flags)
        #expect(run.status == 0 && run.errors.isEmpty)
        for path in [folder, "\(scratch.path)/a"] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o755)
        }
    }

    @Test("what is advertised can be said by options, key by key") func bluetoothOptions() throws {
        let made = try ToolRun(
            "awarectl",
            [
                "provision", "-U", "fd5a", "-I", "00e0", "-D", "0a0B", "-N", "Cam 1", "-f", "2.1", "-i", "1022.5", "-p",
                "resolvable", "-z", "until-ble", "-Z", "30", "-o", "-",
            ] + Self.flags)
        #expect(made.status == 0 && made.errors.isEmpty)
        for part in [
            "\"service-uuid\": \"FD5A\"", "\"company-identifier\": \"00E0\"", "\"product-data\": \"0a0b\"",
            "\"name\": \"Cam 1\"", "\"firmware-revision\": \"2.1\"", "\"interval-milliseconds\": \"1022.5\"",
            "\"privacy\": \"resolvable\"", "\"sleep\": \"until-ble\"", "\"sleep-after-seconds\": 30",
        ] {
            #expect(made.output.contains(part), "\(part)")
        }
    }

    @Test("an advertisement that is too long is refused with what each part of it takes") func bluetoothBudget() throws
    {
        let long = ["-U", "A3C87500-8ED3-4BDF-8A39-A01BEBEDE295", "-I", "FFFF", "-D", "010203040506"]
        let refusal =
            "bluetooth.product-data: the advertisement takes 32 octets (flags 3, service UUID 18, manufacturer data 11): "
            + "accepted is 31 octets in all: shorten product-data by 1 to 5, or use a service-uuid of 16 bits, which "
            + "takes 14 less"
        let options = try ToolRun("awarectl", ["provision", "-o", "-"] + Self.flags + long)
        #expect(options.status == 2 && options.output.isEmpty)
        #expect(options.errors == "awarectl: \(refusal); see awarectl provision --help\n")
        // The company stands in the file, and the option makes it too long.
        let template = try scratch.write(
            """
            {"schema-version": 1, "vendor-name": "Acme", "model-name": "Cam", "pairing-name": "Cam", "serial-number": "1",
             "services": [{"name": "_cam._udp", "port": 5004, "handler": {"video": {"file": "a.h264"}}}],
             "bluetooth": {"service-uuid": "A3C87500-8ED3-4BDF-8A39-A01BEBEDE295", "company-identifier": "FFFF"}}
            """, to: "t.json")
        let fits = try ToolRun("awarectl", ["provision", template, "-D", "0102030405", "-o", "-"])
        #expect(fits.status == 0)
        let both = try ToolRun("awarectl", ["provision", template, "-D", "010203040506", "-o", "-"])
        #expect(both.status == 78 && both.output.isEmpty && both.errors == "awarectl: \(template):3: \(refusal)\n")
        let alone = try ToolRun("awarectl", ["provision", "-D", "00", "-o", "-"] + Self.flags)
        #expect(
            alone.status == 2 && alone.errors.contains("bluetooth.product-data: 00: accepted is hexadecimal digits"))
    }

    @Test("a template is completed by options, and its lines are still named") func template() throws {
        let template = try scratch.write(
            """
            {"schema-version": 1, "vendor-name": "Acme", "model-name": "Cam", "pairing-name": "Cam",
             "services": [{"name": "_cam._udp", "port": 5004, "handler": {"video": {"file": "a.h264"}}}],
             "limits": {"maximum-connections": 2}}
            """, to: "t.json")
        let made = try ToolRun.awarectl("provision", template, "-s", "77", "-R", "25", "-x", "3", "-o", "-")
        #expect(made.status == 0)
        for part in [
            "\"serial-number\": \"77\"", "\"frames-per-second\": 25", "\"maximum-connections\": 3", "\"a.h264\"",
        ] {
            #expect(made.output.contains(part), "\(part)")
        }
        let live = try ToolRun.awarectl("provision", template, "-s", "77", "--camera", "-o", "-")
        #expect(live.status == 0 && live.output.contains("\"camera\": true") && !live.output.contains("a.h264"))
        let both = try ToolRun.awarectl("provision", template, "-s", "77", "--camera", "--video", "b.h264", "-o", "-")
        #expect(both.status == 2 && both.errors.contains("one of the two"), "\(both.errors)")
        let bad = try scratch.write(
            String(contentsOfFile: template, encoding: .utf8).replacingOccurrences(of: "5004", with: "0"), to: "b.json")
        let refused = try ToolRun.awarectl("provision", bad, "-s", "77", "-o", "-")
        #expect(refused.status == 78 && refused.output.isEmpty)
        #expect(refused.errors == "awarectl: \(bad):2: services[0].port: 0: accepted is 1 to 65535\n")
        let incomplete = try ToolRun.awarectl("provision", "--check", template)
        #expect(incomplete.status == 78 && incomplete.errors.contains("serial-number: missing"))
    }

    @Test("a static PIN is refused on the command line and in a file, and never repeated") func staticPIN() throws {
        let option = try ToolRun("awarectl", ["provision", "--pairing-pin=123456"] + Self.flags)
        #expect(
            option.status == 2 && option.errors.contains("a static PIN is refused") && !option.errors.contains("123456")
        )
        let file = try scratch.write(#"{"schema-version": 1, "pin": "123456"}"#, to: "p.json")
        let run = try ToolRun.awarectl("provision", "--check", file)
        #expect(run.status == 78 && run.errors.hasPrefix("awarectl: \(file):1: pin: a static PIN is refused"))
        #expect(!run.errors.contains("123456"))
    }

    @Test(
        "the shipped examples check", arguments: ["drone", "camera", "tcp-forward"])
    func examples(_ name: String) throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let run = try ToolRun.awarectl("provision", "-c", package.path + "/provisioning/examples/\(name).json")
        #expect(run.status == 0 && run.errors.isEmpty)
    }

    @Test("the tool links neither radio, Bluetooth nor GPIO") func linkage() throws {
        let tests = try #require(try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let tool = URL(fileURLWithPath: tests).deletingLastPathComponent().appending(path: "awarectl")
        let octets = try Data(contentsOf: tool)
        for library in ["libnl-", "libbluetooth", "libgpiod", "libmbed"] {
            #expect(octets.range(of: Data(library.utf8)) == nil, "\(library)")
        }
    }
}
