package import DisplayDrivers
package import LinuxRuntime

/// What one kind of board has and where it keeps things: how the daemon is assembled there.
package struct BoardProfile: Equatable, Sendable {
    package enum Radio: Equatable, Sendable {
        /// The air is a folder of sockets; a relative one is in the runtime folder.
        case simulated(airFolder: String)
        /// A real one: its name, nil for the first that is fit, and the country whose rules it keeps.
        case nl80211(wiphy: String?, country: String?)
    }

    package enum Display: Equatable, Sendable {
        /// The PIN, large, on standard output.
        case console
        /// For boards that show nothing: nobody can be paired.
        case none
        /// Digits or characters on GPIO lines.
        case wired(WiredDisplay)
        /// A program that is told what to show.
        case exec(BoardProgram)

        /// Its kind in one word, as the profile and people are told.
        package var name: String {
            switch self {
            case .console: "console"
            case .none: "none"
            case .exec: "exec"
            case .wired(let display):
                switch display.driver {
                case .latched(.max7219): "max7219"
                case .latched(.tm1637): "tm1637"
                case .latched(.registers), .multiplexed(.registers): "74hc595"
                case .latched(.characters): "hd44780"
                case .multiplexed(.lines): "segments"
                }
            }
        }
    }

    package enum Bluetooth: String, CaseIterable, Equatable, Sendable {
        case none
        /// A controller on the simulated air, in the radio's air folder.
        case simulated
        /// The kernel's.
        case adapter
    }

    package var board: String
    package var radio: Radio
    package var display: Display
    package var button: ButtonSettings?
    /// A program that captures and encodes, and writes H.264 in Annex B form to its standard output.
    package var camera: BoardProgram?
    package var bluetooth: Bluetooth
    /// The number of the kernel's controller, 0 for hci0; nil takes the first that speaks LE.
    package var bluetoothController: Int?
    /// Nil leaves it to `ServiceDirectories`.
    package var stateFolder: String?
    package var runtimeFolder: String?
    package var logLevel: LogLevel
    package var allowsCoreDumps: Bool

    package static let defaultAirFolder = "air"
    package static let acceptedWiphyName = "a radio's name as iw shows it, phy0 for example"
    package static let acceptedCountry = "two capital letters (ISO 3166-1)"

    /// A name that the kernel could have given a radio: 1 to 31 letters, digits, hyphens, dots and underscores.
    package static func isWiphyName(_ text: String) -> Bool {
        (1...31).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789-._".unicodeScalars.contains($0))
            }
    }

    package static func isCountry(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
    }

    package static let bluetoothControllers = 0...15
    package static let maximumNameLength = 32
    package static let maximumFolderLength = 4000

    /// The folders, with what the profile leaves open filled in.
    package func directories(_ standard: ServiceDirectories) -> ServiceDirectories {
        ServiceDirectories(
            configuration: standard.configuration, state: stateFolder ?? standard.state,
            runtime: runtimeFolder ?? standard.runtime)
    }
}

extension LogLevel {
    /// As configuration files and options spell it.
    package static let names: [(String, LogLevel)] = [
        ("error", .error), ("warning", .warning), ("info", .info), ("debug", .debug),
    ]

    package init?(name: String) {
        guard let level = Self.names.first(where: { $0.0 == name })?.1 else { return nil }
        self = level
    }
}
