internal import Glibc

/// Holds an exclusive lock on a file of its own, until it goes away or the process ends.
///
/// The kernel lets go of it, so a killed owner never leaves a stale one.
package struct FileLock: ~Copyable {
    private let descriptor: FileDescriptor

    /// - Throws: `.inUse` when another process has it.
    package init(path: String) throws(FileError) {
        descriptor = try Self.take(path)
    }

    // Closing is not enough: a program being started at this moment has a copy of the descriptor until it runs.
    deinit { flock(descriptor.raw, LOCK_UN) }

    private static func take(_ path: String) throws(FileError) -> FileDescriptor {
        do throws(SystemError) {
            let raw = try systemCall("open") { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
            let descriptor = FileDescriptor(owning: raw)
            try systemCall("flock") { flock(raw, LOCK_EX | LOCK_NB) }
            return descriptor
        } catch {
            throw FileError(path: path, cause: error.code == EWOULDBLOCK ? .inUse : .system(error))
        }
    }
}
