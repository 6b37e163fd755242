import JSONText
import LinuxRuntime
import Testing
import Varlink

/// `awared` in a folder of its own: identity, state, control socket and air.
struct Accessory {
    let folder: TestFolder

    init(window: String = "always", pairingName: String = "Test Board", lockOutAttempts: Int = 100) throws {
        folder = try TestFolder()
        try writeIdentity(window: window, pairingName: pairingName, lockOutAttempts: lockOutAttempts)
    }

    /// One that shows its board's camera, or other video, besides.
    static func withVideo(_ video: String = #"{"camera": true}"#) throws -> Self {
        let accessory = try Self()
        let text = identity(window: "always", pairingName: "Test Board")
        let parts = text.split(separator: #""127.0.0.1:9"}"#, omittingEmptySubsequences: false)
        try accessory.folder.write(
            parts.joined(separator: #""127.0.0.1:9"}, "video": \#(video)"#), to: "identity.json")
        return accessory
    }

    func writeIdentity(
        window: String = "always", pairingName: String = "Test Board", lockOutAttempts: Int = 100
    ) throws {
        try folder.write(
            Self.identity(window: window, pairingName: pairingName, lockOutAttempts: lockOutAttempts),
            to: "identity.json")
    }

    static func identity(window: String, pairingName: String, lockOutAttempts: Int = 100) -> String {
        """
        {
          "schema-version": 1,
          "vendor-name": "Test Works",
          "model-name": "Board",
          "pairing-name": "\(pairingName)",
          "serial-number": "T-1",
          "services": [
            {
              "name": "_test-board._udp",
              "port": 5004,
              "handler": {"control": {"local-udp": "127.0.0.1:9"}},
              "performance-mode": "realtime"
            }
          ],
          "pairing": {"window": "\(window)", "lock-out-attempts": \(lockOutAttempts), "back-off-cap-seconds": 1}
        }
        """
    }

    var arguments: [String] { anyRadio + ["--air", folder.file("air")] }

    /// Without the simulated radio's option.
    private var anyRadio: [String] {
        [
            "--identity", folder.file("identity.json"), "--state", folder.file("state"), "--control",
            folder.file("control"),
        ]
    }

    /// Where no file may be longer than `blocks` of 512 octets: a full disk, as far as `awared` can tell.
    func startOnFullDisk(blocks: Int, _ options: [String]) throws -> Program {
        let script = "trap '' XFSZ; ulimit -f \(blocks); exec \"$@\""
        return try Program("/bin/sh", ["-c", script, "sh", Program.path("awared")] + arguments + options)
    }

    func startReal(_ options: [String] = []) throws -> Program {
        try Program("awared", anyRadio + ["--radio", "nl80211"] + options)
    }

    func start(_ options: [String] = [], environment: [String: String] = [:]) throws -> Program {
        try Program("awared", arguments + options, environment: environment)
    }

    /// Started, and on the air.
    func run(_ options: [String] = [], environment: [String: String] = [:]) throws -> Program {
        let program = try start(options, environment: environment)
        try program.waitForLog("udp port 5004 is ready")
        return program
    }

    /// The phone in a process of its own, its PIN typed on standard input.
    func phone(_ name: String, _ options: [String] = [], environment: [String: String] = [:]) throws -> Program {
        let options =
            [
                "phone", "--json", "--service", "_test-board._udp", "--air", folder.file("air"), "--state",
                folder.file(name), "--phone-name", name, "--pin-file", "-",
            ] + options
        return try Program("aware-factory", options, environment: environment)
    }

    /// Whether the phone is in this build.
    static var hasPhone: Bool { FileSystem.exists(Program.path("aware-factory")) }

    func client() throws -> VarlinkClient { try VarlinkClient(path: folder.file("control")) }

    func status() throws -> Control.Snapshot {
        try Control.snapshot(in: client().call(ControlInterface.Method.status.qualifiedName))
    }
}
