import LinuxRuntime

/// What the tool can be told to do.
enum Command: String, CaseIterable {
    case provision
    case doctor
    case status
    case watch
    case pair
    case peers
    case forget
    case send
    case capture
    case help

    static let names = allCases.map(\.rawValue)

    var summary: String {
        switch self {
        case .provision: "check or write the identity of this unit"
        case .doctor: "look at what a start of awared needs, and say what is missing"
        case .status: "show what the accessory is doing"
        case .watch: "show it again after every change"
        case .pair: "open the pairing window and follow a pairing"
        case .peers: "list the paired devices"
        case .forget: "forget a paired device, or all of them"
        case .send: "send a connected device a message"
        case .capture: "capture frames as pcapng"
        case .help: "show this, or the manual of a command"
        }
    }

    var manual: Manual {
        switch self {
        case .provision: ProvisionCommand.manual
        case .doctor: DoctorCommand.manual
        case .status: StatusCommand.manual
        case .watch: WatchCommand.manual
        case .pair: PairCommand.manual
        case .peers: PeersCommand.manual
        case .forget: ForgetCommand.manual
        case .send: SendCommand.manual
        case .capture: CaptureCommand.manual
        case .help: Self.manual
        }
    }

    static let manual = Manual(
        name: Tool.name, summary: "provision a Wi-Fi Aware accessory, see what it does, pair it",
        synopsis: ["\(Tool.name) COMMAND [options]", "\(Tool.name) help [COMMAND]", "\(Tool.name) --version"],
        description: [
            "awarectl is for the engineer at the board and for scripts. provision writes the file that says who the unit "
                + "is; every other command talks to the running awared over its control socket, which speaks Varlink "
                + "(interface io.awareaccessory.Control).",
            "A PIN is never given, stored or printed: the accessory draws one for each attempt and shows it on its own "
                + "display.",
        ],
        commands: allCases.map { .init($0.rawValue, $0.summary) },
        options: [
            .init("-h, --help", "print this and exit"), .init("-V, --version", "print the version and exit"),
        ],
        files: [
            .init("/etc/aware-accessory/identity.json", "the identity, for a system service"),
            .init("~/.config/aware-accessory/identity.json", "the identity, for a service run by oneself"),
            .init(Socket.systemPath, "the control socket of a system service"),
            .init(
                "$XDG_RUNTIME_DIR/aware-accessory/control",
                "the control socket of a service run by oneself, which is looked for first"),
            .init("/tmp/aware-accessory-UID/control", "the same where that variable is not set"),
        ],
        environment: [
            .init(
                "RUNTIME_DIRECTORY, XDG_RUNTIME_DIR",
                "whose control socket is looked for first: the folder itself, or aware-accessory in XDG's"),
            .init(
                "CONFIGURATION_DIRECTORY, XDG_CONFIG_HOME",
                "where provision writes if no file is named: the folder itself, or aware-accessory in XDG's"),
        ],
        exitStatus: exitStatus,
        examples: [
            .init("\(Tool.name) provision --check identity.json", "Check an identity file:"),
            .init("\(Tool.name) pair", "Pair a phone:"),
            .init("\(Tool.name) status --json", "Read the state from a script:"),
        ])

    /// The same for every command.
    static let exitStatus: [Manual.Entry] = [
        .init("0", "done"), .init("1", "what was asked for did not happen"),
        .init("2", "the command line is wrong; one line on standard error says how"),
        .init("75", "awared is not running or does not answer; trying again makes sense"),
        .init("78", "a configuration file is wrong; one line says where and what is accepted"),
    ]
}

/// `awarectl help`.
enum HelpCommand {
    enum Option: String, CommandLineOption {
        case help

        var letter: Unicode.Scalar { "h" }
        var argument: String? { nil }
        var summary: String { "print this and exit" }
    }

    static func run(_ arguments: [String]) throws {
        let options = try CommandLineOptions<Option>(parsing: ["help"] + arguments, operands: ["COMMAND"])
        guard let name = options.operands.first else { return try Output.write(Command.manual.text()) }
        guard let command = Command(rawValue: name) else {
            throw UsageError.unknownCommand(name, accepted: Command.names)
        }
        try Output.write(command.manual.text())
    }
}
