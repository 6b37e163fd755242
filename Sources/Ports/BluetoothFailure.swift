/// Why the Bluetooth side refused or failed, in words for a person and as a cause for a program.
package struct BluetoothFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: String, Equatable, Sendable {
        /// The kernel has no Bluetooth, or there is no controller.
        case absent
        case permission
        /// Somebody else has the channel.
        case busy
        /// The peer or the service went away.
        case gone
        case other
    }

    package var cause: Cause
    package var text: String

    package init(_ cause: Cause, _ text: String) {
        self.cause = cause
        self.text = text
    }

    package var description: String { text }
}
