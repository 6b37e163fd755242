package import DisplayDrivers

/// A board's push button: where it is and what it does.
package struct ButtonSettings: Equatable, Sendable {
    /// What a press does.
    package enum Action: String, CaseIterable, Equatable, Sendable {
        /// Opens the pairing window, and unlocks.
        case openWindow = "open-window"
        /// Closes it again, and takes a PIN off the display.
        case closeWindow = "close-window"
        /// Takes the lock away that wrong PINs have put on pairing.
        case unlock
        case forgetAll = "forget-all"
        case none
    }

    package var line: LineName
    package var bias: LineBias
    package var debounce: Duration
    package var longPress: Duration
    package var onShortPress: Action
    package var onLongPress: Action

    package var actions: [Action] { [onShortPress, onLongPress] }

    package static let defaultShortPress = Action.openWindow
    package static let defaultLongPress = Action.forgetAll
}
