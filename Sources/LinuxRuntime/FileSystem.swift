internal import Glibc

/// Questions about paths that need no descriptor.
package enum FileSystem {
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }
    /// A file that may be run.
    package static func isExecutable(_ path: String) -> Bool {
        kind(path, followingLinks: true) == .regularFile && access(path, X_OK) == 0
    }
    package static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// The folder that a path's last step is in.
    package static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// What stands at a path, without following a link at its last step.
    package enum Kind: Equatable, Sendable {
        case regularFile
        case folder
        case socket
        case other
    }

    /// Nil when nothing is there, or nothing that we may see.
    package static func kind(_ path: String, followingLinks follows: Bool = false) -> Kind? {
        var status = stat()
        guard (follows ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .regularFile
        case S_IFDIR: return .folder
        case S_IFSOCK: return .socket
        default: return .other
        }
    }
}
