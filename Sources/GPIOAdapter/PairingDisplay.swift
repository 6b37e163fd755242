package import LinuxRuntime
package import Octets
package import Ports

/// What shows people the PIN and how pairing goes: a console, segments, or a program that knows the board's screen.
///
/// It lives on a thread of its own (`DisplayThread`) and may take its time. It shows nothing but what it is
/// given last, and leaves no trace of a PIN once something else is shown, unless others write to the same place.
package protocol PairingDisplay: AnyObject {
    /// Returns when `content` can be seen.
    func show(_ content: DisplayContent) throws(SystemError)

    /// When it wants to be woken, by itself: a multiplexed row for its next digit, a program to be started anew.
    var alarm: MonotonicInstant? { get }
    /// A descriptor; when its other end goes away the display is woken.
    var hazard: Int32? { get }
    func wake()
}

extension PairingDisplay {
    package var alarm: MonotonicInstant? { nil }
    package var hazard: Int32? { nil }
    package func wake() {}
}

extension DisplayContent {
    /// The content in one word, without its PIN: what a display that is a program is told.
    package var word: String {
        switch self {
        case .blank: "blank"
        case .ready: "ready"
        case .pin: "pin"
        case .paired: "paired"
        case .failed: "failed"
        case .locked: "locked"
        }
    }
}
