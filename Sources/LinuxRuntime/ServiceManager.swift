internal import CSystemd
internal import Glibc

/// What a service tells the manager that started it (sd_notify(3)).
package enum ServiceNotification: Equatable, Sendable {
    /// Start-up is over: units ordered after this one may start.
    case ready
    /// The configuration is being read again; `ready` follows.
    case reloading(monotonicMicroseconds: UInt64)
    case stopping
    /// The loop turns; `EventLoop.enableWatchdog` sends it by itself.
    case watchdog
    /// One line for `systemctl status`.
    case status(String)

    /// The assignment sent; a line break in a status would start another one.
    package var text: String {
        switch self {
        case .ready: "READY=1"
        case .reloading(let microseconds): "RELOADING=1\nMONOTONIC_USEC=\(microseconds)"
        case .stopping: "STOPPING=1"
        case .watchdog: "WATCHDOG=1"
        case .status(let line):
            "STATUS=" + String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.value >= 0x20 }))
        }
    }
}

package enum ServiceManager {
    /// Tells the service manager.
    ///
    /// - Returns: false when there is none (`$NOTIFY_SOCKET` is not set).
    @discardableResult
    package static func notify(_ notifications: ServiceNotification...) throws(SystemError) -> Bool {
        let text = notifications.map(\.text).joined(separator: "\n")
        return try systemdCall("sd_notify", sd_notify(0, text)) > 0
    }
}
