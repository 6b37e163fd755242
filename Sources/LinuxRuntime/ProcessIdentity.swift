internal import CLinux
internal import Glibc

/// As whom this process acts, and what it is called.
package enum ProcessIdentity {
    package static var userID: UInt32 { geteuid() }

    /// Names the process for `ps`, `pidof` and `/proc`, 15 octets at most; call on the first thread.
    package static func setName(_ name: String) { clinux_name_thread(name) }
}
