internal import CLinux
internal import Glibc

/// As whom this process acts, and what it is called.
package enum ProcessIdentity {
    package static var userID: UInt32 { geteuid() }

    /// Names the process for `ps`, `pidof` and `/proc`, 15 octets at most; call on the first thread.
    package static func setName(_ name: String) { clinux_name_thread(name) }

    /// The folder that the program lies in, where the kernel tells it.
    package static var programFolder: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &path, path.count)
        guard count > 0 else { return nil }
        let octets = path.prefix(count).map { UInt8(bitPattern: $0) }
        return FileSystem.parent(of: String(decoding: octets, as: UTF8.self))
    }
}
