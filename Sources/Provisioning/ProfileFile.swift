internal import Identity

/// A board's profile, `board/profiles/*.json`.
package enum ProfileFile {
    package static let schemaVersion = 1

    private enum Keys {
        static let root = [
            "schema-version", "board", "radio", "display", "button", "camera", "bluetooth",
            "bluetooth-controller", "state-folder", "runtime-folder", "log-level", "core-dumps",
        ]
        static let radio = ["simulated", "nl80211"]
        static let simulated = ["air-folder"]
        static let nl80211 = ["wiphy", "country"]
    }

    private static let acceptedRadio = "an object with one key, simulated or nl80211"
    private static let acceptedFolder = "a path"
    private static let acceptedAbsoluteFolder = "an absolute path"
    private static let acceptedLevels = "one of " + names
    private static var names: String { LogLevelName.allCases.map(\.rawValue).joined(separator: ", ") }

    private enum LogLevelName: String, CaseIterable {
        case error
        case warning
        case info
        case debug
    }

    package static func load(_ path: String) throws(ProvisioningError) -> BoardProfile {
        try profile(StrictObject.load(path, accepting: Keys.root))
    }

    /// `file` is what errors call the text.
    package static func parse(_ octets: [UInt8], file: String) throws(ProvisioningError) -> BoardProfile {
        try profile(StrictObject.parse(octets, file: file, accepting: Keys.root))
    }

    private static func profile(_ root: StrictObject) throws(ProvisioningError) -> BoardProfile {
        try root.checkVersion(schemaVersion)
        let acceptedName = "1 to \(BoardProfile.maximumNameLength) letters, digits and hyphens"
        let board = try root.requiredString("board", accepted: acceptedName)
        guard (1...BoardProfile.maximumNameLength).contains(board.utf8.count),
            board.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || Character(Unicode.Scalar($0)).isASCIIAlphanumeric })
        else { throw root.error("board", board, accepted: acceptedName) }
        guard let radio = try root.nested("radio", accepting: Keys.radio) else {
            throw root.missing("radio", accepted: acceptedRadio)
        }
        let level = try root.choice("log-level", LogLevelName.self) ?? .info
        let controllers = BoardProfile.bluetoothControllers
        let controller = try root.integer("bluetooth-controller", accepted: controllers.accepted)
        if let controller, !controllers.contains(controller) {
            throw root.error("bluetooth-controller", "\(controller)", accepted: controllers.accepted)
        }
        return BoardProfile(
            board: board, radio: try self.radio(radio, of: root), display: try display(root),
            button: try button(root), camera: try camera(root), bluetooth: try root.choice("bluetooth") ?? .none,
            bluetoothController: controller,
            stateFolder: try folder(root, "state-folder", isAbsolute: true),
            runtimeFolder: try folder(root, "runtime-folder", isAbsolute: true),
            logLevel: .init(name: level.rawValue) ?? .info, allowsCoreDumps: try root.bool("core-dumps") ?? false)
    }

    private static func radio(
        _ object: StrictObject, of root: StrictObject
    ) throws(ProvisioningError) -> BoardProfile.Radio {
        let simulated = try object.nested("simulated", accepting: Keys.simulated)
        let real = try object.nested("nl80211", accepting: Keys.nl80211)
        switch (simulated, real) {
        case (let simulated?, nil):
            return .simulated(
                airFolder: try folder(simulated, "air-folder", isAbsolute: false) ?? BoardProfile.defaultAirFolder)
        case (nil, let real?):
            let wiphy = try real.string("wiphy")
            if let wiphy, !BoardProfile.isWiphyName(wiphy) {
                throw real.error("wiphy", wiphy, accepted: BoardProfile.acceptedWiphyName)
            }
            let country = try real.string("country")
            if let country, !BoardProfile.isCountry(country) {
                throw real.error("country", country, accepted: BoardProfile.acceptedCountry)
            }
            return .nl80211(wiphy: wiphy, country: country)
        case (nil, nil): throw root.error("radio", "empty", accepted: acceptedRadio)
        case (_?, _?): throw root.error("radio", "both", accepted: acceptedRadio)
        }
    }

    private static func folder(
        _ object: StrictObject, _ key: String, isAbsolute: Bool
    ) throws(ProvisioningError) -> String? {
        guard let path = try object.string(key) else { return nil }
        guard (1...BoardProfile.maximumFolderLength).contains(path.utf8.count), !path.utf8.contains(0),
            path.hasPrefix("/") || !isAbsolute
        else { throw object.error(key, path, accepted: isAbsolute ? acceptedAbsoluteFolder : acceptedFolder) }
        return path
    }

    /// Every key of the file, in the order of `docs/CONFIG.md`.
    package static let keys: [ConfigurationKey] = {
        typealias Key = ConfigurationKey
        let beginning: [Key] = [
            Key("schema-version", accepted: "\(schemaVersion)", default: nil, "version of this file's form"),
            Key(
                "board", accepted: "1 to \(BoardProfile.maximumNameLength) letters, digits and hyphens", default: nil,
                "which kind of board the profile is for"),
            Key("radio", accepted: acceptedRadio, default: nil, "where frames come from"),
            Key("radio.simulated", accepted: "an object", default: nil, "the simulated air, shared through a folder"),
            Key(
                "radio.simulated.air-folder", accepted: acceptedFolder, default: BoardProfile.defaultAirFolder,
                "that folder; a relative path is in the runtime folder"),
            Key("radio.nl80211", accepted: "an object", default: nil, "a real radio, on Linux 7.2 or later"),
            Key(
                "radio.nl80211.wiphy", accepted: BoardProfile.acceptedWiphyName, default: "the first that is fit",
                "which of the board's radios"),
            Key(
                "radio.nl80211.country", accepted: BoardProfile.acceptedCountry, default: "the system's",
                "the country whose rules the radio keeps"),
        ]
        let end: [Key] = [
            Key(
                "bluetooth", accepted: acceptedNames(BoardProfile.Bluetooth.self),
                default: BoardProfile.Bluetooth.none.rawValue,
                "the Bluetooth LE side: one on the simulated air, or the kernel's"),
            Key(
                "bluetooth-controller", accepted: BoardProfile.bluetoothControllers.accepted,
                default: "the first that speaks LE", "which of the kernel's controllers: 0 is hci0"),
            Key(
                "state-folder", accepted: acceptedAbsoluteFolder, default: "`$STATE_DIRECTORY`",
                "paired devices and keys"),
            Key(
                "runtime-folder", accepted: acceptedAbsoluteFolder, default: "`$RUNTIME_DIRECTORY`",
                "the control socket"),
            Key("log-level", accepted: acceptedLevels, default: "info", "what is written to the log"),
            Key(
                "core-dumps", accepted: "true or false", default: "false",
                "lets the kernel dump, and a debugger read, the daemon's memory; for investigations only"),
        ]
        let camera = programDocumentation(
            "camera",
            "a program of the board's maker that captures and encodes: H.264 in Annex B form on its standard output")
        let parts: [[Key]] = [beginning, displayDocumentation, buttonDocumentation, camera, end]
        return parts.flatMap { $0 }
    }()
}

extension Character {
    fileprivate var isASCIIAlphanumeric: Bool { isASCII && (isLetter || isNumber) }
}
