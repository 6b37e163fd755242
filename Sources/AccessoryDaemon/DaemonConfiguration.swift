package import Identity
package import LinuxRuntime
package import Provisioning

/// Everything one run of the daemon is told: identity, profile and command line, read once and checked whole.
package struct DaemonConfiguration: Equatable, Sendable {
    package enum Radio: Equatable, Sendable {
        case simulated(airFolder: String)
        /// The radio's name and the country, where they are given.
        case nl80211(wiphy: String?, country: String?)
    }

    package var identity: AccessoryIdentity
    package var identityPath: String
    package var profile: BoardProfile
    /// Nil when the built-in profile is used.
    package var profilePath: String?
    package var stateFolder: String
    /// Made at the start; nil when the control socket was asked for elsewhere.
    package var runtimeFolder: String?
    package var controlSocket: UnixAddress
    package var radio: Radio
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
        radio = try Self.radio(options, profile.radio, runtimeFolder: directories.runtime)
        display = askedDisplay ?? profile.display
        logLevel = askedLevel ?? profile.logLevel
        capturePath = options[.capture]
        allowsCoreDumps = profile.allowsCoreDumps || options.contains(.allowCoreDumps)
        try checkWindow()
    }

    /// The profile's radio, with what the command line says instead.
    private static func radio(
        _ options: CommandLineOptions<DaemonOption>, _ profile: BoardProfile.Radio, runtimeFolder: String
    ) throws(StartFailure) -> Radio {
        let isReal: Bool
        switch (options[.radio], profile) {
        case ("simulated"?, _), (nil, .simulated): isReal = false
        case ("nl80211"?, _), (nil, .nl80211): isReal = true
        case (let other?, _):
            throw .usage(.invalidArgument(option: "radio", value: other, accepted: "simulated or nl80211"))
        }
        let misplaced: [DaemonOption] = isReal ? [.seed, .air] : [.wiphy, .country]
        if let option = misplaced.first(where: { options.contains($0) }) {
            let why = option == .seed ? ": what it draws can be guessed" : ""
            throw .usage(
                .refused("--\(option.rawValue) is for the \(isReal ? "simulated" : "real") radio\(why)"))
        }
        return isReal ? try real(options, profile) : try simulated(options, profile, runtimeFolder)
    }

    private static func real(
        _ options: CommandLineOptions<DaemonOption>, _ profile: BoardProfile.Radio
    ) throws(StartFailure) -> Radio {
        var (wiphy, country): (String?, String?) = (nil, nil)
        if case .nl80211(let name, let letters) = profile { (wiphy, country) = (name, letters) }
        if let asked = options[.wiphy] {
            guard BoardProfile.isWiphyName(asked) else {
                throw .usage(
                    .invalidArgument(option: "wiphy", value: asked, accepted: BoardProfile.acceptedWiphyName))
            }
            wiphy = asked
        }
        if let asked = options[.country] {
            guard BoardProfile.isCountry(asked) else {
                throw .usage(.invalidArgument(option: "country", value: asked, accepted: BoardProfile.acceptedCountry))
            }
            country = asked
        }
        return .nl80211(wiphy: wiphy, country: country)
    }

    private static func simulated(
        _ options: CommandLineOptions<DaemonOption>, _ profile: BoardProfile.Radio, _ runtimeFolder: String
    ) throws(StartFailure) -> Radio {
        var folder = BoardProfile.defaultAirFolder
        if case .simulated(let named) = profile { folder = named }
        let air = options[.air] ?? (folder.hasPrefix("/") ? folder : "\(runtimeFolder)/\(folder)")
        let limit = UnixAddress.maximumLength - SimulatedPort.nameLength
        guard 1...limit ~= air.utf8.count else {
            throw .configuration(
                "air folder: its path has \(air.utf8.count) octets, accepted are 1 to \(limit): \(air)")
        }
        return .simulated(airFolder: air)
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
        switch radio {
        case .simulated: "simulated"
        case .nl80211: "nl80211"
        }
    }
}

extension DaemonConfiguration.Radio {
    var isReal: Bool {
        if case .nl80211 = self { return true }
        return false
    }

    /// What a capture file starts with.
    var captureHeader: [UInt8] {
        switch self {
        case .simulated: SimulatedPort.captureHeader
        case .nl80211: KernelPort.captureHeader
        }
    }
}
