package import NANFrames

/// Why a data path ended, or never began.
package struct DataPathEnd: Equatable, Sendable, CustomStringConvertible {
    package var cause: DataPathMachine.Ending.Cause
    package var reason: ReasonCode

    package var description: String { "\(cause.rawValue), reason \(reason.rawValue)" }
}
