internal import NANSecurity
internal import Ports

/// What a machine answered, in so far as the campaign looks at it.
struct Answer {
    var radio: [RadioEffect] = []
    var jobs: [CryptoJob] = []
    /// Keys of dropped frames and of pairings that they ended, and names of everything else that was reported.
    var drops: [String] = []
    var reports: [String] = []

    /// `discovered` of `discovered(...)`.
    static func name(_ report: Any) -> String { Mirror(reflecting: report).children.first?.label ?? "\(report)" }
}
