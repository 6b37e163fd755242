internal import DisplayDrivers
internal import Identity

extension ProfileFile {
    static let buttonKeys = [
        "line", "bias", "debounce-milliseconds", "long-press-milliseconds", "short-press", "long-press",
    ]

    /// Nil where the board has none.
    static func button(_ root: StrictObject) throws(ProvisioningError) -> ButtonSettings? {
        guard let object = try root.nested("button", accepting: buttonKeys) else { return nil }
        let line = try object.requiredLine("line")
        let debounce = try object.integer(
            "debounce-milliseconds", in: PushButton.debounceMilliseconds,
            default: PushButton.defaultDebounceMilliseconds)
        let longPress = try object.integer(
            "long-press-milliseconds", in: PushButton.longPressMilliseconds,
            default: PushButton.defaultLongPressMilliseconds)
        return ButtonSettings(
            line: line, bias: try object.choice("bias") ?? (line.isActiveLow ? .pullUp : .pullDown),
            debounce: .milliseconds(debounce), longPress: .milliseconds(longPress),
            onShortPress: try object.choice("short-press") ?? ButtonSettings.defaultShortPress,
            onLongPress: try object.choice("long-press") ?? ButtonSettings.defaultLongPress)
    }

    static var buttonDocumentation: [ConfigurationKey] {
        typealias Key = ConfigurationKey
        let actions = acceptedNames(ButtonSettings.Action.self)
        return [
            Key("button", accepted: "an object", default: "none", "a push button on a GPIO line"),
            Key("button.line", accepted: LineName.accepted, default: nil, "its line; pressed is active"),
            Key(
                "button.bias", accepted: acceptedNames(LineBias.self),
                default: "pull-up when active-low, else pull-down",
                "the resistor that the chip is asked to put on it"),
            Key(
                "button.debounce-milliseconds", accepted: PushButton.debounceMilliseconds.accepted,
                default: "\(PushButton.defaultDebounceMilliseconds)", "shorter changes mean nothing"),
            Key(
                "button.long-press-milliseconds", accepted: PushButton.longPressMilliseconds.accepted,
                default: "\(PushButton.defaultLongPressMilliseconds)", "held this long it is a long press"),
            Key(
                "button.short-press", accepted: actions, default: ButtonSettings.defaultShortPress.rawValue,
                "what a short press does, when it is let go; open-window unlocks too, and is ignored where the "
                    + "identity's `pairing.window` is command"),
            Key(
                "button.long-press", accepted: actions, default: ButtonSettings.defaultLongPress.rawValue,
                "what a long press does, while it is held"),
        ]
    }
}

extension StrictObject {
    /// A line that must be named.
    func requiredLine(_ key: String) throws(ProvisioningError) -> LineName {
        guard let line = try line(key) else { throw missing(key, accepted: LineName.accepted) }
        return line
    }

    func line(_ key: String) throws(ProvisioningError) -> LineName? {
        guard let text = try string(key) else { return nil }
        guard let line = LineName(text) else { throw error(key, text, accepted: LineName.accepted) }
        return line
    }

    /// A whole number within a range.
    func integer(
        _ key: String, in range: ClosedRange<Int>, default standard: Int
    ) throws(ProvisioningError) -> Int {
        guard let value = try integer(key, accepted: range.accepted) else { return standard }
        guard range.contains(value) else { throw error(key, "\(value)", accepted: range.accepted) }
        return value
    }
}
