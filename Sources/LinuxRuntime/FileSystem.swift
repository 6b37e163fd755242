internal import Glibc

/// Questions about paths that need no descriptor.
package enum FileSystem {
    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
