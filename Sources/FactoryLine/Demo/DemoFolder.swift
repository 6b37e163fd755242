internal import Glibc
package import LinuxRuntime

/// A folder of its own for one run of the demo, with everything that both sides write.
package final class DemoFolder {
    package let path: String
    private let isKept: Bool

    /// - Parameter isKept: leaves the folder where it is.
    package init(isKept: Bool) throws(SystemError) {
        let base = ProcessEnvironment.variable("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
        var template = Array("\(base)/aware-demo.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError(call: "mkdtemp \(base)", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.isKept = isKept
        for name in Self.folders {
            let folder = "\(path)/\(name)"
            try systemCall("mkdir \(folder)") { mkdir(folder, 0o700) }
        }
    }

    deinit {
        guard !isKept else { return }
        Self.remove(path)
    }

    private static let folders = ["configuration", "state", "runtime", "phone1", "phone2"]

    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Columns of a log's line that are shown; a frame's octets go on for longer.
    private static let tailWidth = 160

    /// The last lines of a log, indented, for a report of what went wrong.
    package func tail(of name: String, lines: Int = 15) -> String {
        let text: [UInt8]?
        do throws(FileError) { text = try DurableFile(path: file(name)).read(limit: 64 << 20) } catch { text = nil }
        guard let text, !text.isEmpty else { return "    (empty)\n" }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").suffix(lines)
            .map { "    \(printable(String($0.prefix(Self.tailWidth))))\n" }.joined()
    }

    /// Sockets that the programs should have removed.
    package func leftovers() -> [String] {
        ["runtime/control", "runtime/notify"].filter { access(file($0), F_OK) == 0 }
            + Self.entries(of: file("runtime/air")).map { "runtime/air/\($0)" }
    }

    /// Deepest first; symbolic links are removed, not followed.
    private static func remove(_ path: String) {
        if unlink(path) == 0 || errno != EISDIR { return }
        for name in entries(of: path) { remove("\(path)/\(name)") }
        rmdir(path)
    }

    private static func entries(of folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // The name runs past what the tuple's type says; only its address is right.
            guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
            let characters = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            let name = String(cString: characters)
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
