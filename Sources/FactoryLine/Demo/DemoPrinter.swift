package import Octets

/// What a person sees of the demo: time, who, and what, one a line; and one line that is written over.
package final class DemoPrinter {
    private let isTerminal = StandardOutput.isTerminal
    private let usesColour: Bool
    private var hasOpenLine = false
    /// A question that stands on the last line until it is answered.
    private var openPrompt: String?
    private var start = MonotonicInstant(nanoseconds: 0)

    private let phones: Int

    /// Colours are for terminals, unless $NO_COLOR or $CLICOLOR_FORCE say otherwise.
    package init(phones: Int, environment: [String: String]) {
        self.phones = phones
        let isForced = environment["CLICOLOR_FORCE"].map { $0 != "0" && !$0.isEmpty } ?? false
        usesColour = isForced || (isTerminal && (environment["NO_COLOR"] ?? "").isEmpty)
    }

    package func begin(at now: MonotonicInstant) { start = now }

    package func say(_ speaker: DemoScript.Speaker, _ text: String, at now: MonotonicInstant) {
        closeLine()
        defer { repeatPrompt() }
        let who: String
        let colour: String
        switch speaker {
        case .demo: (who, colour) = ("demo", "2")
        case .accessory: (who, colour) = ("accessory", "36")
        case .display: (who, colour) = ("display", "1;33")
        case .phone(let index):
            (who, colour) = (phones == 1 ? "phone" : "phone \(index + 1)", index == 0 ? "32" : "35")
        }
        let seconds = (Double(start.duration(to: now).nanosecondsCount) / 1e9).text(decimals: 2)
        write(pad(seconds, 7, isRight: true) + "  " + coloured(pad(who, 10), colour))
        write(speaker == .display ? coloured(text, colour) + "\n" : text + "\n")
    }

    /// What a display shows, as large as a display of segments would.
    package func enlarge(_ digits: String) {
        closeLine()
        defer { repeatPrompt() }
        for row in SegmentDigits.rows(of: digits) {
            write(String(repeating: " ", count: 19) + coloured(row, "1;33") + "\n")
        }
    }

    /// Writes over the last such line, where that can be done.
    package func show(_ text: String) {
        let line = String(repeating: " ", count: 9) + coloured(pad("live", 10), "34") + text
        write(isTerminal ? "\r\u{1B}[K" + line : line + "\n")
        hasOpenLine = isTerminal
    }

    package func prompt(_ text: String) {
        closeLine()
        write(coloured(text, "1") + (isTerminal ? "" : "\n"))
        openPrompt = isTerminal ? text : nil
    }

    package func endPrompt() {
        closeLine()
        openPrompt = nil
    }

    package func plain(_ text: String) {
        closeLine()
        write(text)
    }

    package func heading(_ text: String) { plain(coloured(text, "1") + "\n") }

    private func closeLine() {
        if hasOpenLine { write("\n") }
        hasOpenLine = false
        // What comes takes the question's line, and the question comes again below it.
        if openPrompt != nil { write("\r\u{1B}[K") }
    }

    private func repeatPrompt() {
        if let openPrompt { write(coloured(openPrompt, "1")) }
    }

    private func write(_ text: String) { StandardOutput.write(text) }

    private func coloured(_ text: String, _ code: String) -> String {
        usesColour ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    private func pad(_ text: String, _ width: Int, isRight: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return isRight ? blanks + text : text + blanks
    }
}
