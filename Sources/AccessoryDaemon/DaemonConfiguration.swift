package import Identity
package import LinuxRuntime
package import Provisioning

/// Everything one run of the daemon is told: identity, profile and command line, read once and checked whole.
package struct DaemonConfiguration: Equatable, Sendable {
    package var identity: AccessoryIdentity
    package var identityPath: String
    package var profile: BoardProfile
    /// Nil when the built-in profile is used.
    package var profilePath: String?
    package var stateFolder: String
    /// Made at the start; nil when the control socket was asked for elsewhere.
    package var runtimeFolder: String?
    package var controlSocket: UnixAddress
    package var airFolder: String
    package var display: BoardProfile.Display
    package var logLevel: LogLevel
    package var capturePath: String?
    package var allowsCoreDumps: Bool
    /// Nil draws from the kernel.
    package var seed: UInt64?

    private static let profileName = "profile.json"
    private static let builtInProfile = """
        {"schema-version": 1, "board": "any", "radio": {"simulated": {}}, "display": "console"}
        """

    /// Reads and checks; touches nothing.
    package init(
        _ options: CommandLineOptions<DaemonOption>, directories standard: ServiceDirectories
    ) throws(StartFailure) {
        let askedDisplay: BoardProfile.Display?
        let askedLevel: LogLevel?
        // The command line first: what is wrong there is wrong whatever the files say.
        do throws(UsageError) {
            askedDisplay = try Self.choice(options, .display, BoardProfile.Display.allCases.map { ($0.rawValue, $0) })
            askedLevel = try Self.choice(options, .logLevel, LogLevel.names)
            seed = try options.integer(.seed, in: 0...Int.max).map { UInt64($0) }
        } catch { throw .usage(error) }
        try Self.checkRadio(options)
        do throws(ProvisioningError) {
            identityPath = options[.identity] ?? "\(standard.configuration)/\(IdentityFile.name)"
            identity = try IdentityFile.load(identityPath)
            (profile, profilePath) = try Self.profile(options[.profile], in: standard.configuration)
        } catch { throw StartFailure(error) }
        let directories = profile.directories(standard)
        stateFolder = options[.state] ?? directories.state
        let control = options[.control] ?? "\(directories.runtime)/control"
        do throws(SystemError) { controlSocket = try UnixAddress(path: control) } catch {
            throw .configuration("control socket \(control): \(error)")
        }
        runtimeFolder = options.contains(.control) ? nil : directories.runtime
        switch profile.radio {
        case .simulated(let folder):
            airFolder = options[.air] ?? (folder.hasPrefix("/") ? folder : "\(directories.runtime)/\(folder)")
        }
        let limit = UnixAddress.maximumLength - SimulatedPort.nameLength
        guard 1...limit ~= airFolder.utf8.count else {
            throw .configuration(
                "air folder: its path has \(airFolder.utf8.count) octets, accepted are 1 to \(limit): \(airFolder)")
        }
        display = askedDisplay ?? profile.display
        logLevel = askedLevel ?? profile.logLevel
        capturePath = options[.capture]
        allowsCoreDumps = profile.allowsCoreDumps || options.contains(.allowCoreDumps)
        try checkWindow()
    }

    private static func checkRadio(_ options: CommandLineOptions<DaemonOption>) throws(StartFailure) {
        switch options[.radio] {
        case nil, "simulated": return
        case "nl80211":
            // First: it would be wrong with any build.
            guard !options.contains(.seed) else {
                throw .usage(.refused("--seed is for the simulated radio: what it draws can be guessed"))
            }
            throw .configuration("radio nl80211: this build does not have it yet; accepted is simulated")
        case let other?:
            throw .usage(.invalidArgument(option: "radio", value: other, accepted: "simulated or nl80211"))
        }
    }

    private static func profile(
        _ path: String?, in folder: String
    ) throws(ProvisioningError) -> (BoardProfile, String?) {
        if let path { return (try ProfileFile.load(path), path) }
        let usual = "\(folder)/\(profileName)"
        if FileSystem.exists(usual) { return (try ProfileFile.load(usual), usual) }
        return (try ProfileFile.parse(Array(builtInProfile.utf8), file: "built-in profile"), nil)
    }

    private static func choice<Value>(
        _ options: CommandLineOptions<DaemonOption>, _ option: DaemonOption, _ accepted: [(String, Value)]
    ) throws(UsageError) -> Value? {
        guard let text = options[option] else { return nil }
        guard let value = accepted.first(where: { $0.0 == text })?.1 else {
            throw .invalidArgument(
                option: option.rawValue, value: text, accepted: accepted.map(\.0).joined(separator: ", "))
        }
        return value
    }

    /// A board without a display cannot be told to let itself be paired.
    private func checkWindow() throws(StartFailure) {
        guard display == .none else { return }
        switch identity.pairing.window {
        case .command: return
        case .always, .afterBoot, .button:
            throw .configuration(
                "\(identityPath): pairing.window: \(identity.pairing.window.rawValue): accepted is command, because "
                    + "this board has no display for a PIN")
        }
    }
}

extension DaemonConfiguration {
    /// What the radio is, for the log and for `awarectl`.
    var radioName: String {
        switch profile.radio {
        case .simulated: "simulated"
        }
    }
}
