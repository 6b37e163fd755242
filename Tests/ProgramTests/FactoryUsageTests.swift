import JSONText
import LinuxRuntime
import Testing

@Suite("The command line of aware-factory") struct FactoryUsageTests {
    private static let refusals: [([String], String)] = [
        ([], "aware-factory: a command is missing: one of phone, demo"),
        (["fax"], "aware-factory: unknown command fax: accepted is one of phone, demo"),
        (["help", "fax"], "aware-factory: unknown command fax: accepted is one of phone, demo"),
        (["phone", "--fax"], "aware-factory: unknown option --fax"),
        (["phone", "--pin", "1234567"], "aware-factory: --pin: accepted are six digits"),
        (
            ["phone", "--list", "--pin", "123456"],
            "aware-factory: --list connects to nobody: --pin does not go with it"
        ),
        (
            ["phone", "--reveal-keys-to", "/tmp/x"],
            "aware-factory: --reveal-keys-to is for tests: it needs AWARE_FACTORY_REVEALS_KEYS=1"
        ),
        (["demo", "--phones", "3"], "aware-factory: --phones 3: accepted is 1 to 2"),
        (["demo", "--interactive", "--runs", "2"], "aware-factory: --interactive is for one run with one phone"),
    ]

    @Test(
        "a wrong command line is one line on standard error and exit status 2",
        arguments: refusals)
    func usage(_ arguments: [String], _ message: String) throws {
        let run = try ToolRun("aware-factory", arguments)
        #expect(run.status == 2)
        #expect(run.errors == message + "\n")
        #expect(run.output == "")
    }

    @Test("help is a manual page on standard output", arguments: [["--help"], ["phone", "--help"], ["demo", "-h"]])
    func help(_ arguments: [String]) throws {
        let run = try ToolRun("aware-factory", arguments)
        #expect(run.status == 0)
        #expect(run.errors == "")
        for heading in ["NAME\n", "SYNOPSIS\n", "DESCRIPTION\n", "EXIT STATUS\n"] {
            #expect(run.output.contains(heading))
        }
    }

    @Test("help COMMAND is that command's manual") func helpCommand() throws {
        for command in ["phone", "demo"] {
            let asked = try ToolRun("aware-factory", ["help", command])
            #expect(asked.status == 0 && asked.output.hasPrefix("NAME\n"))
            let told = try ToolRun("aware-factory", [command, "--help"])
            #expect(asked.output == told.output)
        }
    }

    @Test("a path that cannot work is said before anything is started") func badPaths() throws {
        let scratch = try Scratch()
        for (option, path, reason) in [
            ("--video", scratch.path, "not a file"),
            ("--video", "\(scratch.path)/none/video.h264", "its folder does not exist"),
            ("--sdp", "\(scratch.path)/none/video.sdp", "its folder does not exist"),
            ("--pin-file", scratch.path, "not a regular file"),
            ("--pin-file", "\(scratch.path)/none/pin", "its folder does not exist"),
        ] {
            let run = try ToolRun(
                "aware-factory",
                ["phone", "--air", "\(scratch.path)/air", "--state", "\(scratch.path)/state", option, path])
            #expect(run.status == 1)
            #expect(run.errors == "aware-factory phone: \(option) \(path): \(reason)\n")
            #expect(!FileSystem.exists("\(scratch.path)/state"))
        }
    }

    @Test("a clip that is not there or is none is said before anything is started")
    func badClip() throws {
        let scratch = try Scratch()
        let text = try scratch.write("no video", to: "clip.h264")
        for clip in ["\(scratch.path)/none.h264", text] {
            let run = try ToolRun(
                "aware-factory",
                ["phone", "--air", "\(scratch.path)/air", "--state", "\(scratch.path)/state", "--expect", clip])
            #expect(run.status == 1)
            #expect(run.errors.hasPrefix("aware-factory phone: \(clip): "))
        }
    }
}

@Suite("aware-factory phone on an empty air") struct EmptyAirTests {
    @Test("looking for somebody in vain is exit status 75, told in JSON") func nobody() throws {
        let scratch = try Scratch()
        let run = try ToolRun(
            "aware-factory",
            ["phone", "--json", "--wait", "2", "--air", "\(scratch.path)/air", "--state", "\(scratch.path)/state"])
        #expect(run.status == 75)
        let events = try run.output.split(separator: "\n").map { line in
            try #require(try JSONParser.value(Array(line.utf8), limits: .file).object)
        }
        #expect(events.map { $0["event"]?.string } == ["joined", "ended"])
        #expect(events.last?["cause"] == "no accessory was found")
        let times = events.compactMap { $0["at_us"]?.integer }
        #expect(times.count == 2 && times == times.sorted())
    }

    @Test("a list of nobody says so to a person") func emptyList() throws {
        let scratch = try Scratch()
        let run = try ToolRun(
            "aware-factory",
            ["phone", "--list", "--wait", "2", "--air", "\(scratch.path)/air", "--state", "\(scratch.path)/state"])
        #expect(run.status == 75)
        #expect(run.output.hasSuffix("failed: nobody is there\n"))
    }
}

@Suite("The demonstration", .serialized) struct DemonstrationTests {
    private func demo(_ arguments: [String]) throws -> ToolRun {
        let programs = Program.path("aware-factory").split(separator: "/").dropLast().joined(separator: "/")
        return try ToolRun(
            "aware-factory", ["demo", "--programs", "/" + programs] + arguments,
            environment: ["PATH": "/usr/bin:/bin"])
    }

    @Test("two phones: the second is asked to wait, each has its own PIN, and both view at once; nothing is left")
    func twoPhones() throws {
        // The machine may be busy, or the programs be instrumented: how long it takes is the demo's own business.
        let run = try demo(["--phones", "2", "--report-only"])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("phone 2   asked to come back in "))
        #expect(run.output.contains("Everything happened."))
        for phone in ["phone 1", "phone 2"] {
            let whole = run.output.split(separator: "\n").contains { line in
                line.contains("\(phone)   loop ") && line.contains(": 320 NAL units, every one as sent")
            }
            #expect(whole, "\(run.output)")
            #expect(run.output.contains("\(phone)   verified, without a PIN"))
        }
    }

    @Test("a clip that cannot be played is said, with both logs, and is exit status 1") func broken() throws {
        let scratch = try Scratch()
        let clip = try scratch.write("no video", to: "clip.h264")
        let run = try demo(["--clip", clip])
        #expect(run.status == 1)
        #expect(run.output.contains("The demo failed: the phone ended: exit status 1"))
        #expect(run.output.contains("End of the accessory's log:\n"))
        #expect(run.output.contains("no H.264 clip that could be played"))
    }
}
