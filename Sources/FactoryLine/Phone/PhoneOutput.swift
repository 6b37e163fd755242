internal import JSONText
internal import LinuxRuntime
package import Octets

/// Standard output of a run: sentences for a person, with one line written over each second, or JSON lines.
package final class PhoneOutput {
    private let isJSON: Bool
    /// Whether a line can be written over; in a file every line stays.
    private let isTerminal: Bool
    private var hasOpenLine = false
    private var hasOpenPrompt = false

    package init(isJSON: Bool) {
        self.isJSON = isJSON
        isTerminal = StandardOutput.isTerminal
    }

    package func tell(_ event: PhoneEvent, at now: MonotonicInstant) {
        if isJSON { return StandardOutput.write(event.json(at: now).text + "\n") }
        guard let sentence = event.sentence else { return closeLine() }
        guard isTerminal, case .live = event else {
            closeLine()
            return StandardOutput.write(sentence + "\n")
        }
        StandardOutput.write("\r\u{1B}[K" + sentence)
        hasOpenLine = true
    }

    /// Leaves the cursor after the question; the answer's line break ends the line.
    package func prompt(_ text: String) {
        guard !isJSON else { return }
        closeLine()
        StandardOutput.write(text)
        hasOpenPrompt = isTerminal
    }

    private func closeLine() {
        if hasOpenLine { StandardOutput.write("\n") }
        hasOpenLine = false
        // Once answered, the cursor is on the next line; else the question is no question any more.
        if hasOpenPrompt { StandardOutput.write("\r\u{1B}[K") }
        hasOpenPrompt = false
    }
}
