internal import Glibc
internal import Ports

/// What the kernel answered to a netlink request that it refused.
struct NetlinkError: Error, Equatable, CustomStringConvertible {
    /// The command's name, without NL80211_CMD_ or RTM_.
    var command: String
    /// `errno`.
    var code: Int32
    /// The kernel's extended acknowledgement; empty when there is none.
    var text: String = ""

    var description: String {
        let words = "\(command): " + String(cString: strerror(code))
        return text.isEmpty ? words : "\(words): \(text)"
    }

    /// What it means for whoever asked.
    var failure: RadioFailure { RadioFailure(cause, description) }

    private var cause: RadioFailure.Cause {
        switch code {
        case EPERM, EACCES: .permission
        case ERFKILL: .radioOff
        case ENETDOWN, ENOLINK: .notStarted
        case ENODEV: .noRadio
        case ENOENT: .unknownStation
        case EEXIST, EBUSY, ENOTUNIQ, ENFILE, EALREADY: .busy
        case EINVAL, EOPNOTSUPP, ERANGE, ENOBUFS, EMSGSIZE: .invalid
        default: .other
        }
    }

    /// NAN does not run on that interface (any more).
    var saysDown: Bool { code == ENETDOWN || code == ENODEV }
}
