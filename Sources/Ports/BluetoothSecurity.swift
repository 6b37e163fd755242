/// How well a link is protected, as the kernel counts it (`BT_SECURITY` of bluetooth.h).
package enum BluetoothSecurity: UInt8, Comparable, Sendable {
    case none = 1
    /// Encrypted, with a key that anybody could have agreed on.
    case encrypted = 2
    /// With a key that a person vouched for.
    case authenticated = 3
    /// The same, by Secure Connections: who has listened knows nothing.
    case secureConnections = 4

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
