import FactoryLine
import Identity
import LinuxRuntime
import NANSecurity
import Testing

@Suite("The phone's command line") struct PhonePlanTests {
    @Test("nothing given means the example service, ten seconds of search and no PIN without a terminal")
    func defaults() throws {
        let plan = try PhonePlan()
        #expect(plan.service.text == "_drone-service._udp")
        #expect(plan.wait == .seconds(10))
        #expect(plan.stay == nil)
        #expect(plan.pin == .none)
        #expect(plan.stateFolder == "/s/phone")
        #expect(plan.radio == .simulated(airFolder: "/r/air"))
        #expect(plan.cipherSuite == 1)
        #expect(!plan.needsVideo)
        #expect(!plan.needsControl)
    }

    @Test("a person at a terminal types the PIN") func terminal() throws {
        #expect(try PhonePlan(isTerminal: true).pin == .standardInput)
    }

    @Test("a PIN comes from the command line, a file, standard input or a command") func sources() throws {
        let pin = try #require(PIN(typed: "012345"))
        #expect(try PhonePlan("--pin", "012345", isTerminal: true).pin == .given(pin))
        #expect(try PhonePlan("--pin-file", "/tmp/pin").pin == .file("/tmp/pin"))
        #expect(try PhonePlan("--pin-file", "-").pin == .standardInput)
        #expect(try PhonePlan("--pin-command", "echo 1").pin == .command("echo 1"))
    }

    /// With their types said: Swift 6.0 takes too long to find them.
    private static let refusals: [([String], String)] = [
        (["--pin", "12345"], "--pin: accepted are six digits"),
        (["--pin", "１２３４５６"], "--pin: accepted are six digits"),
        (["--pin", "123456", "--pin-file", "x"], "--pin and --pin-file exclude each other"),
        (["--cipher-suite", "3"], "--cipher-suite 3: accepted is 1, 2, 7 or 8"),
        (["--radio", "nl80211", "--air", "x"], "--air is for the simulated radio"),
        (["--wiphy", "phy0"], "--wiphy is for the real radio"),
        (["--seconds", "0"], "--seconds 0: accepted is 1 to 86400"),
        (["--until-loops", "many"], "--until-loops many: accepted is 1 to 10000"),
        (["--wait", "-1"], "--wait -1: accepted is 0 to 3600"),
        (["--forward-rtp", "65536"], "--forward-rtp 65536: accepted is 1 to 65535"),
        (["--drop-percent", "100.1"], "--drop-percent 100.1: accepted is 0 to 100, one decimal at most"),
        (["--drop-percent", "5.25"], "--drop-percent 5.25: accepted is 0 to 100, one decimal at most"),
        (["--drop-percent", ""], "--drop-percent : accepted is 0 to 100, one decimal at most"),
        (["--log-level", "loud"], "--log-level loud: accepted is error, warning, info, debug"),
        (["--list", "--video", "x"], "--list connects to nobody: --video does not go with it"),
        (["--reveal-keys-to", "x"], "--reveal-keys-to is for tests: it needs AWARE_FACTORY_REVEALS_KEYS=1"),
        (["--nonsense"], "unknown option --nonsense"),
        (["--json=1"], "option --json takes no argument"),
        (["--video"], "option --video needs an argument"),
        (["surplus"], "unexpected argument surplus"),
    ]

    @Test(
        "a wrong command line is refused with what is accepted",
        arguments: refusals)
    func refused(_ arguments: [String], _ message: String) throws {
        do throws(UsageError) {
            _ = try PhonePlan(
                CommandLineOptions(parsing: ["phone"] + arguments),
                directories: ServiceDirectories(configuration: "/c", state: "/s", runtime: "/r"), environment: [:],
                isTerminal: false)
            Issue.record("accepted")
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test("a service name, and names longer than the air carries, are refused")
    func names() {
        #expect(throws: UsageError.self) { try PhonePlan("--service", "drone") }
        #expect(throws: UsageError.self) { try PhonePlan("--vendor", "sixteen octets!!") }
        #expect(throws: UsageError.self) { try PhonePlan("--name", "") }
    }

    private static let losses: [(String, UInt32)] = [("0", 0), ("5", 50), ("2.5", 25), ("100", 1000)]

    @Test("a loss is taken in tenths of a per cent", arguments: losses)
    func loss(_ text: String, _ perMille: UInt32) throws {
        #expect(try PhonePlan("--drop-percent", text).dropPerMille == perMille)
    }

    @Test("a message is what fits into a frame") func message() throws {
        #expect(try PhonePlan("--message", "land").message == "land")
        #expect(try PhonePlan().message == nil)
        #expect(throws: UsageError.self) { try PhonePlan("--message", "") }
        #expect(throws: UsageError.self) { try PhonePlan("--message", String(repeating: "x", count: 256)) }
        #expect(throws: UsageError.self) { try PhonePlan("--list", "--message", "x") }
    }

    @Test("a session description goes with a port for the other player") func session() throws {
        #expect(try PhonePlan("--sdp", "x.sdp").forwardPort == 5004)
        #expect(try PhonePlan("--sdp", "x.sdp", "--forward-rtp", "6000").forwardPort == 6000)
        #expect(try PhonePlan().forwardPort == nil)
    }

    @Test("asking for video or for control datagrams makes them necessary") func necessities() throws {
        #expect(try PhonePlan("--video", "x").needsVideo)
        #expect(try PhonePlan("--until-loops", "1").needsVideo)
        #expect(try PhonePlan("--control-rate", "10").needsControl)
        #expect(try !PhonePlan("--control-rate", "0").needsControl)
    }

    @Test("keys are revealed only to whoever says so twice") func reveal() throws {
        let plan = try PhonePlan("--reveal-keys-to", "x", environment: [PhonePlan.revealVariable: "1"])
        #expect(plan.keysFile == "x")
    }

    @Test("the manual names every option but the hidden one, and fits a terminal")
    func manual() {
        let text = Manual.phone.text()
        for option in PhoneOption.allCases where option != .revealKeysTo {
            #expect(text.contains("--\(option.rawValue)"), "\(option)")
        }
        #expect(!text.contains("reveal"))
        for line in text.split(separator: "\n") { #expect(line.count <= 96, "\(line)") }
    }
}
