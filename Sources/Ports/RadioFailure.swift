/// Why a radio refused or failed, in words for a person and as a cause for a program.
package struct RadioFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: String, Equatable, Sendable {
        case noRadio
        case noNAN
        case noUserSpaceDiscovery
        case noDataPath
        case regulatory
        case permission
        case busy
        case radioOff
        case notStarted
        case unknownStation
        case invalid
        case other
    }

    package var cause: Cause
    package var text: String

    package init(_ cause: Cause, _ text: String) {
        self.cause = cause
        self.text = text
    }

    package var description: String { text }
}
