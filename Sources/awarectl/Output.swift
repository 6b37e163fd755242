import Glibc
import LinuxRuntime

/// Standard output and error, unbuffered: what was said was said, also into a pipe.
enum Output {
    static func write(_ text: String) throws(SystemError) { try write(Array(text.utf8), to: STDOUT_FILENO) }

    static func line(_ text: String) throws(SystemError) { try write(text + "\n") }

    /// One line on standard error; there is nowhere to complain about its failure.
    static func complain(_ text: String) { try? write(Array("\(text)\n".utf8), to: STDERR_FILENO) }

    static func write(_ octets: [UInt8], to raw: Int32) throws(SystemError) {
        var rest = octets[...]
        while !rest.isEmpty {
            let chunk = Array(rest)
            let count = try systemCall("write") { Glibc.write(raw, chunk, chunk.count) }
            rest = rest.dropFirst(count)
        }
    }
}
