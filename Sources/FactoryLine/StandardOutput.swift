internal import Glibc

/// Standard output, without a buffer of its own: lines of several programs keep their order.
package enum StandardOutput {
    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes all of it; who closed the other end does not want it.
    package static func write(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// The one line that says what is wrong, on standard error.
    package static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    private static func write(_ text: String, to descriptor: Int32) {
        var octets = Array(text.utf8)[...]
        while !octets.isEmpty {
            let count = octets.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            octets = octets.dropFirst(count)
        }
    }
}
