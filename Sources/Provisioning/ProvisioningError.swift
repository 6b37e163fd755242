package import LinuxRuntime

/// Why a configuration file was refused: where, what stands there, and what would be right.
package struct ProvisioningError: Error, Equatable, Sendable, CustomStringConvertible {
    package let file: String
    package let line: Int?
    /// The key's path, `services[0].port`; nil when the trouble is with the file as a whole.
    package let field: String?
    /// The value refused, or what is wrong.
    package let found: String
    package let accepted: String?

    package init(file: String, line: Int?, field: String?, found: String, accepted: String?) {
        self.file = file
        self.line = line
        self.field = field
        self.found = found
        self.accepted = accepted
    }

    package init(_ error: FileError) {
        var reason = error.description
        if reason.hasPrefix("\(error.path): ") { reason.removeFirst(error.path.count + 2) }
        self.init(file: error.path, line: nil, field: nil, found: reason, accepted: nil)
    }

    package var description: String {
        var text = file
        if let line { text += ":\(line)" }
        if let field { text += ": \(field)" }
        text += ": \(found)"
        if let accepted { text += ": accepted is \(accepted)" }
        return text
    }
}
