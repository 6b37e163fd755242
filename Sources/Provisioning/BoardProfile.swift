package import LinuxRuntime

/// What one kind of board has and where it keeps things: how the daemon is assembled there.
package struct BoardProfile: Equatable, Sendable {
    package enum Radio: Equatable, Sendable {
        /// The air is a folder of sockets; a relative one is in the runtime folder.
        case simulated(airFolder: String)
    }

    package enum Display: String, CaseIterable, Equatable, Sendable {
        /// The PIN, large, on standard output.
        case console
        /// For boards that show nothing: nobody can be paired.
        case none
    }

    package enum Bluetooth: String, CaseIterable, Equatable, Sendable {
        case none
    }

    package var board: String
    package var radio: Radio
    package var display: Display
    package var bluetooth: Bluetooth
    /// Nil leaves it to `ServiceDirectories`.
    package var stateFolder: String?
    package var runtimeFolder: String?
    package var logLevel: LogLevel
    package var allowsCoreDumps: Bool

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
