internal import Glibc

/// A file that is made by us and only appended to.
package final class AppendedFile: Sendable {
    private let descriptor: FileDescriptor

    /// - Throws: `EEXIST` when there is something of that name.
    package init(creating path: String, mode: UInt32 = 0o600) throws(SystemError) {
        descriptor = FileDescriptor(
            owning: try systemCall("create \(path)") {
                open(path, O_CREAT | O_EXCL | O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC, mode)
            })
    }

    /// Writes all octets, waiting for the disk where need be.
    package func append(_ octets: [UInt8]) throws(SystemError) {
        let raw = descriptor.raw
        var offset = 0
        while offset < octets.count {
            offset += try octets.withUnsafeBytes { buffer in
                Result { () throws(SystemError) in
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
                    return try systemCall("write") { Glibc.write(raw, rest.baseAddress, rest.count) }
                }
            }.get()
        }
    }
}
