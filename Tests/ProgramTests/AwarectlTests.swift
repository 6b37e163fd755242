import Foundation
import JSONText
import Testing
import Varlink

@Suite("awarectl, talking to the accessory", .timeLimit(.minutes(2))) struct AwarectlTests {
    private let scratch: Scratch
    init() throws { scratch = try Scratch() }

    private func accessory(_ story: FakeAccessory.Story = .pairs) throws -> FakeAccessory {
        try FakeAccessory(in: scratch.path, story: story)
    }

    @Test("status tells everything, in tables") func status() throws {
        let accessory = try accessory()
        let run = try ToolRun.awarectl("status", "--control", accessory.path)
        #expect(
            run.output == """
                Falcon 2 A17 (Example Air Falcon 2, serial EA-17)
                awared 1.0, radio simulated, up 1 h 2 min

                Pairing window: closed (policy command)

                SERVICE      PORT  HANDLER            MODE      CLASS              CONNECTIONS  STATE
                _drone._udp  5600  control and video  realtime  interactive-video  1            ready

                DEVICE    NAME         VENDOR  MODEL   PAIRED (UTC)      LAST SEEN (UTC)  STATE
                0badcafe  Ann's phone  Apple   iPhone  2026-09-21 14:13  -                connected
                00000002  -            -       -       -                 -                away

                CONNECTION  DEVICE    SERVICE      INTERFACE  ADDRESS    AGE        VIDEO
                1           0badcafe  _drone._udp  lo         127.9.0.2  1 min 1 s  playing

                Rejected frames: truncated 3

                """)
        #expect(run.status == 0 && run.errors.isEmpty)
        try accessory.stop()
    }

    @Test("status --json is the interface's snapshot") func json() throws {
        let accessory = try accessory()
        let run = try ToolRun.awarectl("status", "-j", "-C", accessory.path)
        let value = try JSONParser.value(Array(run.output.utf8), limits: .file)
        let snapshot = try Control.Snapshot(value)
        #expect(snapshot == FakeAccessory.snapshot && run.status == 0)
        try accessory.stop()
    }

    @Test("the socket of one's own service is found without being named") func discovery() throws {
        let folder = "\(scratch.path)/aware-accessory"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let accessory = try FakeAccessory(in: folder)
        let run = try ToolRun.awarectl("peers", environment: ["RUNTIME_DIRECTORY": folder])
        #expect(run.status == 0 && run.output.contains("Ann's phone"))
        try accessory.stop()
    }

    @Test("without a service, everywhere it was looked for is named") func nowhere() throws {
        let run = try ToolRun.awarectl("status", environment: ["RUNTIME_DIRECTORY": scratch.path])
        // The system's own service may run here.
        guard !FileManager.default.fileExists(atPath: "/run/aware-accessory/control") else { return }
        #expect(
            run.errors == "awarectl: awared is not running at \(scratch.path)/control or /run/aware-accessory/control; "
                + "start it, or give --control\n")
        #expect(run.status == 75)
    }

    @Test("watch prints a whole snapshot for each change, and none for time alone") func watch() throws {
        let accessory = try accessory()
        let run = try ToolRun.awarectl("watch", "--json", "-C", accessory.path)
        let snapshots = try run.output.split(separator: "\n").map { line in
            try Control.Snapshot(JSONParser.value(Array(line.utf8), limits: .file))
        }
        #expect(snapshots.map(\.pairing.attempt) == [.none, .requested, .pinShown, .verifying, .none])
        #expect(snapshots.map(\.peers.count) == [2, 2, 2, 2, 3])
        let text = try ToolRun.awarectl("watch", "--count", "2", "-C", accessory.path)
        let checking = try ToolRun.awarectl("watch", "--count", "4", "-C", accessory.path)
        #expect(checking.output.contains("open, a PIN is being checked (policy command)\n"), "\(checking.output)")
        #expect(text.output.components(separatedBy: "Pairing window: open").count == 3 && text.output.hasPrefix("== 2"))
        try accessory.stop()
    }

    @Test("a filter leaves the devices that match all of it") func filters() throws {
        let accessory = try accessory()
        let run = try ToolRun.awarectl("watch", "--json", "--vendor", "Google", "-C", accessory.path)
        let snapshots = try run.output.split(separator: "\n").map { line in
            try Control.Snapshot(JSONParser.value(Array(line.utf8), limits: .file))
        }
        #expect(snapshots.map { $0.peers.map(\.id) } == [[], [], [], [], ["00000003"]])
        #expect(snapshots.flatMap(\.connections).isEmpty)
        let peers = try ToolRun.awarectl("peers", "-V", "Apple", "-m", "iPhone", "--json", "-C", accessory.path)
        #expect(peers.output.contains("0badcafe") && !peers.output.contains("00000002"))
        let none = try ToolRun.awarectl("peers", "--name", "nobody", "-C", accessory.path)
        #expect(none.output == "No paired device matches.\n")
        let watched = try ToolRun.awarectl("watch", "--name", "nobody", "--count", "1", "-C", accessory.path)
        #expect(watched.output.contains("\nNo paired device matches.\n"), "\(watched.output)")
        let heading = try #require(watched.output.split(separator: "\n").first)
        #expect(heading.wholeMatch(of: /== \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC ==/) != nil, "\(heading)")
        try accessory.stop()
    }

    @Test("pair opens the window, follows the attempt and names who was paired") func pair() throws {
        let accessory = try accessory()
        let run = try ToolRun.awarectl("pair", "--seconds", "60", "-C", accessory.path)
        #expect(
            run.output == """
                The pairing window is open for 1 min 0 s.
                Choose "Falcon 2 A17" on the phone.
                A phone asks to pair.
                Type the PIN from the accessory's display on the phone.
                The PIN is being checked.
                Paired: 00000003, Bob?[2J, Google.

                """)
        #expect(run.status == 0)
        #expect(accessory.calls == ["Status {}", "OpenPairingWindow {\"seconds\":60}", "Watch {}"])
        try accessory.stop()
    }

    @Test(
        "pair fails when nobody was paired, and says why",
        arguments: [
            (FakeAccessory.Story.closes, "awarectl: the pairing window closed and nobody was paired\n"),
            (.locks, "awarectl: too many wrong PINs; pairing is locked\n"),
        ])
    func pairFails(_ story: FakeAccessory.Story, _ message: String) throws {
        let accessory = try accessory(story)
        let run = try ToolRun.awarectl("pair", "-C", accessory.path)
        #expect(run.status == 1 && run.errors == message)
        if case .closes = story {
            let end = "The PIN is being checked.\nThat did not work (1 failed attempt); the next one in 2 s.\n"
            #expect(run.output.hasSuffix(end), "\(run.output)")
        }
        try accessory.stop()
    }

    @Test("pair --no-wait and --close do just that") func window() throws {
        let accessory = try accessory()
        let open = try ToolRun.awarectl("pair", "--no-wait", "-C", accessory.path)
        #expect(open.output == "The pairing window is open for 2 min 0 s.\n" && open.status == 0)
        let close = try ToolRun.awarectl("pair", "--close", "-C", accessory.path)
        #expect(close.output == "The pairing window is closed.\n" && close.status == 0)
        try accessory.stop()
    }

    @Test("forget names whom it forgot, and fails for a stranger") func forget() throws {
        let accessory = try accessory()
        let one = try ToolRun.awarectl("forget", "0badcafe", "-C", accessory.path)
        #expect(one.output == "Forgot 0badcafe.\n" && one.status == 0)
        let all = try ToolRun.awarectl("forget", "--all", "-C", accessory.path)
        #expect(all.output == "Forgot 0badcafe.\nForgot 00000002.\n" && all.status == 0)
        let stranger = try ToolRun.awarectl("forget", "x\u{1B}", "-C", accessory.path)
        #expect(stranger.errors == "awarectl: no paired device has the id x?; see awarectl peers\n")
        #expect(stranger.status == 1 && stranger.output.isEmpty)
        try accessory.stop()
    }

    @Test("send hands the text on as it is, and fails for a stranger") func send() throws {
        let accessory = try accessory()
        let sent = try ToolRun.awarectl("send", "0badcafe", "come home, \u{1F42E}", "-C", accessory.path)
        #expect(sent.output == "Sent.\n" && sent.status == 0)
        #expect(accessory.calls.last == "Send {\"id\":\"0badcafe\",\"text\":\"come home, \u{1F42E}\"}")
        let stranger = try ToolRun.awarectl("send", "1", "x", "-C", accessory.path)
        #expect(stranger.errors == "awarectl: no paired device has the id 1; see awarectl peers\n")
        #expect(stranger.status == 1 && stranger.output.isEmpty)
        try accessory.stop()
    }

    @Test("capture writes what comes, to a file of one's own or to a pipe") func capture() throws {
        let accessory = try accessory()
        let file = "\(scratch.path)/c.pcapng"
        let run = try ToolRun.awarectl("capture", file, "-t", "3", "-C", accessory.path)
        #expect(run.status == 0 && run.errors == "awarectl: 9 octets captured\n")
        let content = try String(contentsOfFile: file, encoding: .utf8)
        #expect(content == "\n\rcapture")
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let pipe = try ToolRun.awarectl("capture", "-", "-C", accessory.path)
        #expect(pipe.output == "\n\rcapture")
        let again = try ToolRun.awarectl("capture", file, "-t", "3", "-C", accessory.path)
        #expect(again.status == 1 && again.errors.contains("File exists"), "\(again.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == content)
        let failed = try ToolRun.awarectl("capture", "\(file).2", "-t", "77", "-C", accessory.path)
        #expect(failed.status == 1 && failed.errors == "awarectl: the radio cannot capture\n")
        try accessory.stop()
    }

    @Test(
        "no service is exit 75, with what to do",
        arguments: ["status", "watch", "pair", "peers", "forget -a", "send 1 x", "capture /dev/null"])
    func absent(_ command: String) throws {
        let socket = "\(scratch.path)/none"
        let arguments = command.split(separator: " ").map(String.init) + ["--control", socket]
        let run = try ToolRun("awarectl", arguments)
        #expect(run.status == 75 && run.output.isEmpty)
        #expect(
            run.errors == "awarectl: \(socket): awared is not running there (connect \(socket): "
                + "No such file or directory (errno 2)); start it, or give --control\n")
    }
}
