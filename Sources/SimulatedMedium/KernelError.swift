internal import Ports

/// The errors of the nl80211 commands simulated here, with the kernel's words for them.
enum KernelError: String {
    case exists = "File exists (EEXIST)"
    case invalid = "Invalid argument (EINVAL)"
    case noEntry = "No such file or directory (ENOENT)"
    case noDevice = "No such device (ENODEV)"
    case networkDown = "Network is down (ENETDOWN)"
    case noLink = "Link has been severed (ENOLINK)"
    case notUnique = "Name not unique on network (ENOTUNIQ)"
    case busy = "Device or resource busy (EBUSY)"
    case notSupported = "Operation not supported (EOPNOTSUPP)"
    case range = "Numerical result out of range (ERANGE)"
    case killed = "Operation not possible due to RF-kill (ERFKILL)"
    case noBuffers = "No buffer space available (ENOBUFS)"
    case regulatory = "Channel not allowed for beaconing (EINVAL)"

    private var cause: RadioFailure.Cause {
        switch self {
        case .exists, .notUnique, .busy, .noBuffers: .busy
        case .invalid, .range, .notSupported: .invalid
        case .noEntry: .unknownStation
        case .noDevice: .noRadio
        case .networkDown, .noLink: .notStarted
        case .killed: .radioOff
        case .regulatory: .regulatory
        }
    }

    /// `command` without its NL80211_CMD_ prefix.
    func failure(_ command: String, _ why: String, cause: RadioFailure.Cause? = nil) -> RadioFailure {
        RadioFailure(cause ?? self.cause, "\(command): \(why): \(rawValue)")
    }
}
