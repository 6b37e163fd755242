package import BluetoothFrames

/// How the Bluetooth side stands.
package enum BluetoothControllerState: Equatable, Sendable {
    case off
    case starting
    /// There is no controller, or no Bluetooth in the kernel; one that appears is taken.
    case absent(String)
    /// Tried again by itself.
    case failed(String)
    case ready(BluetoothController)

    /// Why it is not ready, for people.
    package var reason: String? {
        switch self {
        case .absent(let text), .failed(let text): text
        case .off, .starting, .ready: nil
        }
    }
}

package struct BluetoothController: Equatable, Sendable {
    /// The kernel's number: 0 is hci0.
    package var index: UInt16
    /// What it advertises from; nil where that changes.
    package var address: BluetoothAddress?
    /// It shows resolvable private addresses.
    package var isPrivate: Bool
}
