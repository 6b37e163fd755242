package import BluetoothFrames
package import Identity
package import LinuxRuntime
internal import NANEngine
internal import NANFrames
internal import NANSecurity
internal import Provisioning

/// What one run of `aware-factory phone` is asked to do, checked as a whole.
package struct PhonePlan: Equatable, Sendable {
    package enum Radio: Equatable, Sendable {
        case simulated(airFolder: String)
        /// Its name; nil for the first that is fit.
        case nl80211(wiphy: String?)
    }

    package enum Bluetooth: Equatable, Sendable {
        case simulated(airFolder: String)
        case adapter
    }

    package static let defaultService = "_drone-service._udp"
    /// The port that RFC 3551 registers for RTP.
    package static let defaultForwardPort: UInt16 = 5004
    package static let defaultControlRate = 50
    package static let defaultWait = 10

    /// A day: a phone that is to stay for longer is left to run until it is interrupted.
    private static let secondsRange = 1...86_400
    private static let loopsRange = 1...10_000
    private static let waitRange = 0...3600
    /// Above this the phone would load the link it measures.
    private static let rateRange = 0...500
    /// Where the hidden option is allowed; nobody sets this by accident.
    package static let revealVariable = "AWARE_FACTORY_REVEALS_KEYS"

    package var service: ServiceName
    package var filter: AccessoryFilter
    /// Nil leaves Bluetooth alone.
    package var bluetooth: Bluetooth?
    package var serviceUUID: BluetoothUUID?
    package var company: UInt16?
    package var pin: PINSource
    package var listsOnly: Bool
    package var forgets: Bool
    /// From the connection on; nil stays until interrupted, or until `loops`.
    package var stay: Duration?
    package var loops: Int?
    /// Nil waits for ever.
    package var wait: Duration?
    package var video: String?
    package var expectedClip: String?
    package var sessionDescription: String?
    package var forwardPort: UInt16?
    package var controlRate: Int
    /// Whether the run fails without an answer to a control datagram: whoever names a rate wants one.
    package var needsControl: Bool
    package var message: String?
    package var dropPerMille: UInt32
    package var stateFolder: String
    package var radio: Radio
    /// The data path's: 1, 2, 7 or 8.
    package var cipherSuite: UInt8
    package var phoneName: String
    package var isJSON: Bool
    package var logLevel: LogLevel
    package var keysFile: String?

    /// Whether the video has to arrive for the run to be a success.
    package var needsVideo: Bool {
        video != nil || loops != nil || expectedClip != nil || sessionDescription != nil || forwardPort != nil
    }

    /// Checks a command line; nothing is opened or created yet.
    ///
    /// - Parameter isTerminal: whether somebody could type the PIN.
    package init(
        _ options: CommandLineOptions<PhoneOption>, directories: ServiceDirectories, environment: [String: String],
        isTerminal: Bool
    ) throws(UsageError) {
        service = try Self.service(options[.service] ?? Self.defaultService)
        filter = AccessoryFilter(
            vendor: try Self.name(options, .vendor), model: try Self.name(options, .model),
            name: try Self.name(options, .name))
        filter.serialNumber = options[.serial]
        serviceUUID = try Self.serviceUUID(options)
        company = try Self.company(options)
        bluetooth = try Self.bluetooth(options, directories)
        pin = try Self.pin(options, isTerminal: isTerminal)
        listsOnly = options.contains(.list)
        forgets = options.contains(.forget)
        stay = try options.integer(.seconds, in: Self.secondsRange).map { .seconds($0) }
        loops = try options.integer(.untilLoops, in: Self.loopsRange)
        let seconds = try options.integer(.wait, in: Self.waitRange) ?? Self.defaultWait
        wait = seconds == 0 ? nil : .seconds(seconds)
        video = options[.video]
        expectedClip = options[.expect]
        sessionDescription = options[.sdp]
        let port = try options.integer(.forwardRTP, in: 1...65535).map { UInt16($0) }
        forwardPort = port ?? (options.contains(.sdp) ? Self.defaultForwardPort : nil)
        controlRate = try options.integer(.controlRate, in: Self.rateRange) ?? Self.defaultControlRate
        needsControl = options.contains(.controlRate) && controlRate > 0
        message = options[.message]
        if let message, !FollowUp.lengths.contains(message.utf8.count) {
            throw .invalidArgument(
                option: PhoneOption.message.rawValue, value: printable(message), accepted: "1 to 255 octets")
        }
        dropPerMille = try options[.dropPercent].map { text throws(UsageError) in try Self.perMille(text) } ?? 0
        stateFolder = options[.state] ?? directories.state + "/phone"
        radio = try Self.radio(options, directories)
        let suite = try options.integer(.cipherSuite, in: 1...8) ?? 1
        guard [1, 2, 7, 8].contains(suite) else {
            throw .invalidArgument(
                option: PhoneOption.cipherSuite.rawValue, value: "\(suite)", accepted: "1, 2, 7 or 8")
        }
        cipherSuite = UInt8(suite)
        phoneName = try Self.name(options, .phoneName) ?? "Factory phone"
        isJSON = options.contains(.json)
        logLevel = try Self.level(options[.logLevel])
        keysFile = options[.revealKeysTo]
        if keysFile != nil, environment[Self.revealVariable] != "1" {
            throw .refused("--\(PhoneOption.revealKeysTo.rawValue) is for tests: it needs \(Self.revealVariable)=1")
        }
        if listsOnly {
            let others: [PhoneOption] = [
                .pin, .pinFile, .pinCommand, .seconds, .untilLoops, .video, .expect, .sdp, .forwardRTP, .controlRate,
                .message, .dropPercent, .forget, .revealKeysTo,
            ]
            if let other = others.first(where: { options.contains($0) }) {
                throw .refused("--list connects to nobody: --\(other.rawValue) does not go with it")
            }
        }
    }

    private static func radio(
        _ options: CommandLineOptions<PhoneOption>, _ directories: ServiceDirectories
    ) throws(UsageError) -> Radio {
        switch options[.radio] {
        case nil, "simulated":
            guard !options.contains(.wiphy) else { throw .refused("--wiphy is for the real radio") }
            return .simulated(airFolder: options[.air] ?? directories.runtime + "/air")
        case "nl80211":
            guard !options.contains(.air) else { throw .refused("--air is for the simulated radio") }
            if let name = options[.wiphy], !BoardProfile.isWiphyName(name) {
                throw .invalidArgument(
                    option: PhoneOption.wiphy.rawValue, value: printable(name), accepted: BoardProfile.acceptedWiphyName
                )
            }
            return .nl80211(wiphy: options[.wiphy])
        case let other?:
            throw .invalidArgument(
                option: PhoneOption.radio.rawValue, value: printable(other), accepted: "simulated or nl80211")
        }
    }

    private static func service(_ text: String) throws(UsageError) -> ServiceName {
        do throws(IdentityError) { return try ServiceName(text) } catch {
            throw .invalidArgument(
                option: PhoneOption.service.rawValue, value: printable(text), accepted: ServiceName.accepted)
        }
    }

    private static func name(
        _ options: CommandLineOptions<PhoneOption>, _ option: PhoneOption
    ) throws(UsageError) -> String? {
        guard let text = options[option] else { return nil }
        do throws(IdentityError) { return try AdvertisedName(text, field: option.rawValue).text } catch {
            throw .invalidArgument(
                option: option.rawValue, value: printable(text), accepted: AdvertisedName.accepted)
        }
    }

    private static func pin(
        _ options: CommandLineOptions<PhoneOption>, isTerminal: Bool
    ) throws(UsageError) -> PINSource {
        let given = [PhoneOption.pin, .pinFile, .pinCommand].filter { options.contains($0) }
        if given.count > 1 {
            throw .refused("--\(given[0].rawValue) and --\(given[1].rawValue) exclude each other")
        }
        if let text = options[.pin] {
            // What was typed is left out of the message: it may be a PIN with one digit too many.
            guard let pin = PIN(typed: text) else { throw .refused("--pin: accepted are six digits") }
            return .given(pin)
        }
        if let path = options[.pinFile] { return path == "-" ? .standardInput : .file(path) }
        if let command = options[.pinCommand] { return .command(command) }
        return isTerminal ? .standardInput : .none
    }

    /// A percentage with one decimal at most.
    private static func perMille(_ text: String) throws(UsageError) -> UInt32 {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        if digits, parts.count <= 2, parts[0].utf8.count <= 3, let whole = UInt32(parts[0]) {
            let tenths = parts.count == 2 ? parts[1].utf8.count == 1 ? UInt32(parts[1]) : nil : 0
            if let tenths, whole * 10 + tenths <= 1000 { return whole * 10 + tenths }
        }
        throw .invalidArgument(
            option: PhoneOption.dropPercent.rawValue, value: printable(text), accepted: "0 to 100, one decimal at most")
    }

    private static func level(_ text: String?) throws(UsageError) -> LogLevel {
        guard let text else { return .warning }
        guard let level = LogLevel(name: text) else {
            throw .invalidArgument(
                option: PhoneOption.logLevel.rawValue, value: printable(text),
                accepted: LogLevel.names.map(\.0).joined(separator: ", "))
        }
        return level
    }
}
