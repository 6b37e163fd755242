internal import LinuxRuntime

/// Looks at the paths of a command line before anybody waits for a run that cannot end well.
enum PhonePaths {
    static func check(_ plan: PhonePlan) throws(FactoryError) {
        if let path = plan.video { try checkOutput(path, of: .video) }
        if let path = plan.sessionDescription { try checkOutput(path, of: .sdp) }
        if case .file(let path) = plan.pin { try checkPIN(path) }
    }

    private static func checkOutput(_ path: String, of option: PhoneOption) throws(FactoryError) {
        let kind = FileSystem.kind(path, followingLinks: true)
        if kind == nil {
            try checkParent(of: path, option)
            guard FileSystem.isWritable(FileSystem.parent(of: path)) else {
                throw fault(option, path, "its folder cannot be written to")
            }
            return
        }
        guard kind != .folder, kind != .socket else { throw fault(option, path, "not a file") }
        guard FileSystem.isWritable(path) else { throw fault(option, path, "it cannot be written to") }
    }

    /// The file may still be absent: it is read when the PIN is due.
    private static func checkPIN(_ path: String) throws(FactoryError) {
        guard let kind = FileSystem.kind(path) else { return try checkParent(of: path, .pinFile) }
        guard kind == .regularFile else { throw fault(.pinFile, path, "not a regular file") }
        guard FileSystem.isReadable(path) else { throw fault(.pinFile, path, "it cannot be read") }
    }

    private static func checkParent(of path: String, _ option: PhoneOption) throws(FactoryError) {
        guard FileSystem.kind(FileSystem.parent(of: path), followingLinks: true) == .folder, !path.hasSuffix("/") else {
            throw fault(option, path, "its folder does not exist")
        }
    }

    private static func fault(_ option: PhoneOption, _ path: String, _ cause: String) -> FactoryError {
        FactoryError("--\(option.rawValue) \(printable(path)): \(cause)")
    }
}
