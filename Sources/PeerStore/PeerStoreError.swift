package import LinuxRuntime

/// Why the store cannot be opened.
package enum PeerStoreError: Error, Equatable, Sendable, CustomStringConvertible {
    case file(FileError)
    /// Neither the newest generation nor the one before it verifies.
    case damaged(path: String, StateFormatError)
    /// Written by a later version of this software; opening it would lose what that version knows.
    case newer(path: String, version: UInt16)

    package var description: String {
        switch self {
        case .file(let error): error.description
        case .damaged(let path, let error):
            "\(path): \(error), and so is the generation before; move both away to start with no paired devices"
        case .newer(let path, let version):
            "\(path): format \(version), accepted is \(StateFormat.firstVersion) or \(StateFormat.version); "
                + "install the software that wrote it"
        }
    }
}

/// Why octets are not a state file.
package enum StateFormatError: Error, Equatable, Sendable, CustomStringConvertible {
    case absent
    case notAStateFile
    case newer(version: UInt16)
    /// The checksum or the length does not fit: the file is cut or changed.
    case damaged
    case invalid(field: String)

    package var description: String {
        switch self {
        case .absent: "absent"
        case .notAStateFile: "not a state file"
        case .newer(let version): "format \(version)"
        case .damaged: "damaged"
        case .invalid(let field): "\(field) is invalid"
        }
    }
}
