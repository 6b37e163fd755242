package import NANSecurity

/// Where the PIN comes from that the accessory shows.
package enum PINSource: Equatable, Sendable {
    case given(PIN)
    /// The first line of this file, at the moment the PIN is due.
    case file(String)
    /// One line of standard input for each PIN that is due: a person at a terminal, or a program's pipe.
    case standardInput
    /// The first line that this shell command prints.
    case command(String)
    /// Nobody to ask: only accessories paired before can be connected.
    case none

    /// Whether another PIN can be had after a wrong one.
    package var canAskAgain: Bool {
        switch self {
        case .standardInput, .command: true
        case .given, .file, .none: false
        }
    }
}
