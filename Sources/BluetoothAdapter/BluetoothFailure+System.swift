internal import Glibc
internal import LinuxRuntime
internal import Ports

extension BluetoothFailure {
    /// What the kernel's refusal means, in words that say what to do.
    init(_ error: SystemError, _ what: String) {
        switch error.code {
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            self.init(
                .absent,
                "the kernel has no Bluetooth: \(what) cannot be opened (\(error)); load its driver, or set bluetooth to none"
            )
        case ENODEV, EHOSTUNREACH, ENETDOWN:
            self.init(.absent, "no Bluetooth controller is there for \(what) (\(error))")
        case EPERM, EACCES:
            self.init(.permission, "\(what): CAP_NET_ADMIN is missing (\(error)); run it from its unit, or as root")
        case EADDRINUSE, EBUSY:
            self.init(.busy, "another program has \(what) (\(error)); stop it")
        case ECONNRESET, ECONNREFUSED, ECONNABORTED, EPIPE, ETIMEDOUT, ENOTCONN, EHOSTDOWN:
            self.init(.gone, "\(what): \(error)")
        default: self.init(.other, "\(what): \(error)")
        }
    }
}
