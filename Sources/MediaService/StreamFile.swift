internal import CLinux
internal import Glibc
internal import LinuxRuntime

/// A file that a received stream is written to, as it comes.
final class StreamFile {
    private let file: FileDescriptor
    private let path: String

    init(_ path: String, isContinued: Bool = false) throws(SystemError) {
        self.path = path
        let place = isContinued ? O_APPEND : O_TRUNC
        file = FileDescriptor(
            owning: try systemCall("open \(path)") { open(path, O_WRONLY | O_CREAT | place | O_CLOEXEC, 0o644) })
    }

    func append(_ octets: [UInt8]) throws(SystemError) {
        let raw = file.raw
        var written = 0
        while written < octets.count {
            written += try systemCall("write \(path)") {
                octets.withUnsafeBytes { buffer in
                    let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                    return write(raw, rest.baseAddress, rest.count)
                }
            }
        }
    }
}
