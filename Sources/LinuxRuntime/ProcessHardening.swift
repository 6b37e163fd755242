internal import CLinux
internal import Glibc

/// Keeps the memory of a process that handles keys to itself.
package enum ProcessHardening {
    /// Allows or forbids core dumps and tracing by the same user.
    ///
    /// Off in production. A judge who wants the core of a pairing process turns it on in the board's profile.
    package static func setCoreDumps(allowed: Bool) throws(SystemError) {
        try systemCall("prctl(PR_SET_DUMPABLE)") { clinux_set_dumpable(allowed ? 1 : 0) }
        if allowed { return }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        try systemCall("setrlimit(RLIMIT_CORE)") { setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) }
    }
}
