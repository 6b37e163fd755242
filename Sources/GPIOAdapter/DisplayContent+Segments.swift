internal import DisplayDrivers
internal import NANSecurity
internal import Ports

extension DisplayContent {
    /// What drivers spell; nil for blank and for a PIN.
    var text: DisplayText? {
        switch self {
        case .blank, .pin: nil
        case .ready: .ready
        case .paired: .paired
        case .failed: .failed
        case .locked: .locked
        }
    }

    /// As so many seven-segment digits show it; nil for blank.
    func pages(digits: Int) -> SegmentPages? {
        if case .pin(let pin) = self {
            // Shown on purpose: this is the display.
            return pin.withDigits { SegmentPages(code: $0, digits: digits) }
        }
        return text.map { SegmentPages($0.word) }
    }
}
