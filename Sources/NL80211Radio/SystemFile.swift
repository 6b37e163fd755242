internal import Glibc
internal import LinuxRuntime

/// The small files in which the kernel tells about devices.
enum SystemFile {
    /// Nil when the file cannot be read.
    static func firstLine(_ path: String) -> String? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = FileDescriptor(owning: number)
        var octets = [UInt8](repeating: 0, count: 128)
        let count = read(file.raw, &octets, octets.count)
        return String(decoding: octets.prefix(max(0, count)).prefix { $0 != 0x0A }, as: UTF8.self)
    }
}
