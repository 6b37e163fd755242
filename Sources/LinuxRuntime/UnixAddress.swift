internal import Glibc

/// The path of a Unix socket, known to fit.
package struct UnixAddress: Hashable, Sendable, CustomStringConvertible {
    package let path: String

    /// Octets of a path: `sun_path` less the ending NUL (unix(7)).
    package static let maximumLength = 107

    /// - Throws: `ENAMETOOLONG`, or `EINVAL` for an empty path.
    package init(path: String) throws(SystemError) {
        guard path.utf8.count <= Self.maximumLength else { throw SystemError(call: "bind \(path)", code: ENAMETOOLONG) }
        guard !path.isEmpty, !path.utf8.contains(0) else { throw SystemError(call: "bind \(path)", code: EINVAL) }
        self.path = path
    }

    package var description: String { path }

    /// Lends the address as the calls take it.
    func withSocketAddress<R, E: Error>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws(E) -> R
    ) throws(E) -> R {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        return try withUnsafePointer(to: address) { pointer throws(E) in
            let length = socklen_t(MemoryLayout<sockaddr_un>.size)
            // A sockaddr is a prefix of every kind of address.
            return try body(UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), length)
        }
    }
}
