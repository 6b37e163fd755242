package import LinuxRuntime

/// What `awared` takes on its command line; everything but tests and trials is in the two files.
package enum DaemonOption: String, CommandLineOption {
    case identity
    case profile
    case state
    case control
    case radio
    case air
    case wiphy
    case country
    case bluetooth
    case display
    case capture
    case logLevel = "log-level"
    case seed
    case allowCoreDumps = "allow-core-dumps"
    case check
    case blankDisplay = "blank-display"
    case tryDisplay = "try-display"
    case help
    case version

    package var letter: Unicode.Scalar {
        switch self {
        case .identity: "i"
        case .profile: "p"
        case .state: "s"
        case .control: "c"
        case .radio: "r"
        case .air: "a"
        case .wiphy: "w"
        case .country: "n"
        case .bluetooth: "b"
        case .display: "d"
        case .capture: "C"
        case .logLevel: "l"
        case .seed: "S"
        case .allowCoreDumps: "D"
        case .check: "k"
        case .blankDisplay: "B"
        case .tryDisplay: "t"
        case .help: "h"
        case .version: "V"
        }
    }

    package var argument: String? {
        switch self {
        case .identity, .profile, .capture: "FILE"
        case .state, .air: "FOLDER"
        case .control: "SOCKET"
        case .radio: "RADIO"
        case .wiphy: "NAME"
        case .country: "LETTERS"
        case .bluetooth: "BLUETOOTH"
        case .display: "DISPLAY"
        case .logLevel: "LEVEL"
        case .seed: "NUMBER"
        case .allowCoreDumps, .check, .blankDisplay, .tryDisplay, .help, .version: nil
        }
    }

    package var summary: String {
        switch self {
        case .identity: "Who the accessory is. The default is identity.json in the configuration folder."
        case .profile:
            "What the board has. The default is profile.json in the configuration folder; without that file the radio "
                + "is simulated and the display a console."
        case .state: "Where pairings are kept, instead of the profile's folder. Made when it is missing."
        case .control: "The control socket, instead of the one in the runtime folder."
        case .radio: "simulated or nl80211, instead of the profile's."
        case .air: "The simulated air's folder, instead of the profile's."
        case .wiphy: "Which real radio, phy0 for example; the first that is fit if left out."
        case .country: "The country whose rules the real radio keeps, two capital letters; the system's if left out."
        case .bluetooth: "none, simulated or adapter, instead of the profile's."
        case .display: "console or none, instead of the profile's; displays on GPIO lines are the profile's to name."
        case .capture: "Writes all frames to FILE as pcapng, from the start on. FILE must not exist."
        case .logLevel: "error, warning, info or debug, instead of the profile's."
        case .seed: "Draws all randomness from NUMBER, to repeat a run. Refused with a real radio."
        case .allowCoreDumps: "Lets the kernel dump, and a debugger read, the memory of this process."
        case .check: "Looks at everything that a start needs, prints a line each, and ends; see awarectl doctor."
        case .blankDisplay:
            "Blanks the profile's display on GPIO lines, and ends: for after a kill, since such displays keep what they show."
        case .tryDisplay:
            "Shows on the profile's display what standard input says, a line each: ready, pin 123456, paired, failed, locked, "
                + "blank; prints each line once it can be seen. Ends with its input, blank. For who wires a board."
        case .help: "Prints this text and ends."
        case .version: "Prints the version and ends."
        }
    }
}

extension DaemonOption {
    /// The program's manual page.
    package static var manual: Manual {
        Manual(
            name: "awared", summary: "Wi-Fi Aware accessory: discovery, pairing by PIN, control and video",
            synopsis: ["awared [OPTION]..."],
            description: [
                "Publishes the services of one accessory, shows a PIN when a phone wants to pair, keeps what is paired, "
                    + "and lets paired phones connect. It stays in the foreground; the log goes to standard error, what "
                    + "a console display shows to standard output.",
                "SIGTERM and SIGINT end it in good order: phones are told, the display is blanked, within 3 s. A second "
                    + "signal ends it at once. SIGHUP reads identity and profile anew: when both are good it ends "
                    + "in good order and starts over in the same process; otherwise it logs what is wrong and goes on.",
            ],
            options: CommandLineOptions<DaemonOption>.manualEntries,
            files: [
                Manual.Entry(
                    "identity.json", "Who the accessory is, written by awarectl provision; see docs/CONFIG.md."),
                Manual.Entry("profile.json", "What the board has; examples are in board/profiles."),
                Manual.Entry("control", "In the runtime folder: the control socket, for awarectl."),
            ],
            environment: [
                Manual.Entry(
                    "CONFIGURATION_DIRECTORY, STATE_DIRECTORY, RUNTIME_DIRECTORY",
                    "The folders, as systemd names them. Without them root has /etc/aware-accessory, "
                        + "/var/lib/aware-accessory and /run/aware-accessory, everybody else the XDG folders."),
                Manual.Entry("NOTIFY_SOCKET, WATCHDOG_USEC", "systemd's, for readiness, status and watchdog."),
            ],
            exitStatus: [
                Manual.Entry("0", "Ended by a signal or through the control socket."),
                Manual.Entry("1", "Failure."),
                Manual.Entry("2", "The command line is wrong."),
                Manual.Entry("75", "Something is not there yet or still in use; trying again makes sense."),
                Manual.Entry("78", "A configuration file is wrong, or this build lacks what it names."),
            ],
            examples: [
                Manual.Entry(
                    "awared -i /tmp/drone/identity.json -s /tmp/drone/state -a /tmp/air",
                    "An accessory on the simulated air, for somebody without rights:")
            ])
    }
}
