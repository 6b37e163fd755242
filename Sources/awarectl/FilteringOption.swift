import LinuxRuntime

/// The options of a command that lists devices: the filter's, then its own.
enum FilteringOption<Own: CommandLineOption>: CommandLineOption {
    case filter(PeerFilter.Option)
    case own(Own)

    static var allCases: [Self] { PeerFilter.Option.allCases.map(Self.filter) + Own.allCases.map(Self.own) }

    init?(rawValue: String) {
        guard let option = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = option
    }

    private var option: any CommandLineOption {
        switch self {
        case .filter(let option): option
        case .own(let option): option
        }
    }

    var rawValue: String { option.rawValue }
    var letter: Unicode.Scalar { option.letter }
    var argument: String? { option.argument }
    var summary: String { option.summary }
}
