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

    package enum Bluetooth: Equatable, Sendable {
        case none
        case simulated(airFolder: String)
        /// The kernel's controller; nil for the first that speaks LE.
        case adapter(UInt16?)
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
    package var bluetooth: Bluetooth
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
        let askedBluetooth: BoardProfile.Bluetooth?
        // The command line first: what is wrong there is wrong whatever the files say.
        do throws(UsageError) {
            askedDisplay = try Self.choice(options, .display, [("console", .console), ("none", .none)])
            askedBluetooth = try Self.choice(
                options, .bluetooth, BoardProfile.Bluetooth.allCases.map { ($0.rawValue, $0) })
            askedLevel = try Self.choice(options, .logLevel, LogLevel.names)
            seed = try options.integer(.seed, in: 0...Int.max).map { UInt64($0) }
            try Self.checkRadio(options)
        } catch { throw .usage(error) }
        identityPath = options[.identity] ?? "\(standard.configuration)/\(IdentityFile.name)"
        guard FileSystem.exists(identityPath) else {
            throw .configuration(
                "\(identityPath): no such file; `awarectl provision` writes one, --identity names one elsewhere")
        }
        do throws(ProvisioningError) {
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
        switch askedBluetooth ?? profile.bluetooth {
        case .none: bluetooth = .none
        case .simulated:
            bluetooth = .simulated(
                airFolder: try Self.airFolder(options, profile.radio, runtimeFolder: directories.runtime))
        case .adapter: bluetooth = .adapter(profile.bluetoothController.map { UInt16($0) })
        }
        display = askedDisplay ?? profile.display
        logLevel = askedLevel ?? profile.logLevel
        capturePath = options[.capture]
        allowsCoreDumps = profile.allowsCoreDumps || options.contains(.allowCoreDumps)
        try checkWindow()
        try checkSleep()
        try checkCamera()
    }

    /// What `--blank-display` and `--try-display` need; not the identity, which may be what a start failed for.
    static func display(
        _ options: CommandLineOptions<DaemonOption>, directories standard: ServiceDirectories
    ) throws(StartFailure) -> BoardProfile.Display {
        do throws(ProvisioningError) {
            return try profile(options[.profile], in: standard.configuration).0.display
        } catch { throw StartFailure(error) }
    }

    /// The radio alone.
    static func radio(
        _ options: CommandLineOptions<DaemonOption>, directories standard: ServiceDirectories
    ) throws(StartFailure) -> Radio {
        let found: BoardProfile
        do throws(ProvisioningError) { found = try profile(options[.profile], in: standard.configuration).0 } catch {
            throw StartFailure(error)
        }
        return try radio(options, found.radio, runtimeFolder: found.directories(standard).runtime)
    }

    private static func checkRadio(_ options: CommandLineOptions<DaemonOption>) throws(UsageError) {
        if let name = options[.wiphy], !BoardProfile.isWiphyName(name) {
            throw .invalidArgument(option: "wiphy", value: name, accepted: BoardProfile.acceptedWiphyName)
        }
        if let letters = options[.country], !BoardProfile.isCountry(letters) {
            throw .invalidArgument(option: "country", value: letters, accepted: BoardProfile.acceptedCountry)
        }
        switch options[.radio] {
        case nil: break
        case "simulated": try refuse([.wiphy, .country], in: options, isReal: false)
        case "nl80211": try refuse([.seed, .air], in: options, isReal: true)
        case let other?:
            throw .invalidArgument(option: "radio", value: other, accepted: "simulated or nl80211")
        }
    }

    /// Options of the other kind of radio.
    private static func refuse(
        _ misplaced: [DaemonOption], in options: CommandLineOptions<DaemonOption>, isReal: Bool
    ) throws(UsageError) {
        guard let option = misplaced.first(where: { options.contains($0) }) else { return }
        let why = option == .seed ? ": what it draws can be guessed" : ""
        throw .refused("--\(option.rawValue) is for the \(isReal ? "simulated" : "real") radio\(why)")
    }

    /// The profile's radio, with what the command line says instead.
    private static func radio(
        _ options: CommandLineOptions<DaemonOption>, _ profile: BoardProfile.Radio, runtimeFolder: String
    ) throws(StartFailure) -> Radio {
        let isReal: Bool
        switch (options[.radio], profile) {
        case (nil, .simulated), ("simulated", _): isReal = false
        default: isReal = true
        }
        do throws(UsageError) {
            try refuse(isReal ? [.seed, .air] : [.wiphy, .country], in: options, isReal: isReal)
        } catch { throw .usage(error) }
        guard isReal else {
            return .simulated(airFolder: try airFolder(options, profile, runtimeFolder: runtimeFolder))
        }
        guard case .nl80211(let wiphy, let country) = profile else {
            return .nl80211(wiphy: options[.wiphy], country: options[.country])
        }
        return .nl80211(wiphy: options[.wiphy] ?? wiphy, country: options[.country] ?? country)
    }

    private static func airFolder(
        _ options: CommandLineOptions<DaemonOption>, _ profile: BoardProfile.Radio, runtimeFolder: String
    ) throws(StartFailure) -> String {
        var folder = BoardProfile.defaultAirFolder
        if case .simulated(let named) = profile { folder = named }
        let air = options[.air] ?? (folder.hasPrefix("/") ? folder : "\(runtimeFolder)/\(folder)")
        let limit = UnixAddress.maximumLength - SimulatedPort.nameLength
        guard 1...limit ~= air.utf8.count else {
            throw .configuration(
                "air folder: its path has \(air.utf8.count) octets, accepted are 1 to \(limit): \(air)")
        }
        return air
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

    /// A board without Bluetooth would sleep for ever.
    private func checkSleep() throws(StartFailure) {
        guard identity.sleep.sleep == .untilBLE, bluetooth == .none else { return }
        throw .configuration(
            "\(identityPath): nan.sleep: until-ble: accepted is never, because this board's profile has no bluetooth")
    }

    private func checkCamera() throws(StartFailure) {
        guard profile.camera == nil,
            let index = identity.services.firstIndex(where: { $0.handler.video?.source == .camera })
        else { return }
        throw .configuration(
            "\(identityPath): services[\(index)].handler.video.camera: true: accepted is file, because this board's "
                + "profile has no camera")
    }

    /// A board without a display cannot be told to let itself be paired, nor one without a button by a button.
    private func checkWindow() throws(StartFailure) {
        if identity.pairing.window == .button, profile.button?.actions.contains(.openWindow) != true {
            throw .configuration(
                "\(identityPath): pairing.window: button: the profile has no button with a press that is open-window")
        }
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
    /// The program that is the camera; nil when no service shows it.
    var camera: BoardProgram? {
        identity.services.contains { $0.handler.video?.source == .camera } ? profile.camera : nil
    }

    /// What the radio is, for the log and for `awarectl`.
    var radioName: String {
        switch radio {
        case .simulated: "simulated"
        case .nl80211: "nl80211"
        }
    }
}

extension DaemonConfiguration {
    /// What the Bluetooth side is, for the log and for `awarectl`.
    var bluetoothName: String {
        switch bluetooth {
        case .none: "none"
        case .simulated: "simulated"
        case .adapter(let index): index.map { "hci\($0)" } ?? "adapter"
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
