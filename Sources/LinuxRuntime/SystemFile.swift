internal import Glibc

/// The small files in which the kernel tells about devices and processes.
package enum SystemFile {
    /// Nil when the file cannot be read.
    package static func firstLine(_ path: String) -> String? { lines(path)?.first }

    /// What follows `label` in the line that it begins.
    package static func line(_ path: String, beginning label: String) -> String? {
        lines(path)?.first { $0.hasPrefix(label) }.map { line in
            String(line.dropFirst(label.count).drop { $0 == " " || $0 == "\t" })
        }
    }

    private static func lines(_ path: String) -> [String]? {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = FileDescriptor(owning: number)
        var octets = [UInt8](repeating: 0, count: 4096)
        let count = read(file.raw, &octets, octets.count)
        return octets.prefix(max(0, count)).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    }
}
