package import LinuxRuntime

/// Why a GPIO line cannot be used: in words for whoever wired the board.
package struct LineFailure: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Cause: Equatable, Sendable {
        case noChips
        case noSuchChip(String)
        case noSuchLine
        /// Chips that each have a line of this name.
        case ambiguous([String])
        case taken(by: String)
        /// What another key of the same display names is this line, too.
        case namedTwice(String)
        case notPermitted(String)
        /// The lines of one display are on several chips.
        case severalChips(String, String)
        /// The lines are there, and the part behind them says nothing.
        case noAnswer
        case system(SystemError)
    }

    /// As the profile names it.
    package let line: String
    package let cause: Cause

    package init(line: String, cause: Cause) {
        self.line = line
        self.cause = cause
    }

    /// Whether only a person can mend it: another start would find the same.
    package var isPermanent: Bool {
        switch cause {
        case .ambiguous, .severalChips, .namedTwice: true
        // Chips come with their drivers, rights on them with udev, and a line is free again when its holder ends.
        case .noChips, .noSuchChip, .noSuchLine, .taken, .notPermitted, .noAnswer, .system: false
        }
    }

    package var description: String {
        switch cause {
        case .noChips: "line \(line): this board has no GPIO chip (/dev/gpiochip*); load its driver"
        case .noSuchChip(let chip): "line \(line): there is no GPIO chip \(chip); gpiodetect lists those there are"
        case .noSuchLine: "line \(line): no GPIO chip has such a line; gpioinfo lists those there are"
        case .ambiguous(let chips):
            "line \(line): several chips have a line of this name (\(chips.joined(separator: ", "))); name it as CHIP:NUMBER"
        case .taken(let consumer): "line \(line): it is taken by \(consumer); stop that, or choose another line"
        case .namedTwice(let other): "line \(line): it is the same as \(other), and each line can do one thing only"
        case .notPermitted(let path):
            "line \(line): no permission to use \(path); board/udev has a rule that gives it to the group gpio"
        case .severalChips(let one, let other): "line \(line): it is on \(other), and the lines before it are on \(one)"
        case .noAnswer: "line \(line): the display does not acknowledge; check its wires and supply"
        case .system(let error): "line \(line): \(error)"
        }
    }
}
