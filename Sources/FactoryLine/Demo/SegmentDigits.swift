/// Decimal digits as seven segments, three lines of text high.
enum SegmentDigits {
    private static let top = [" _ ", "   ", " _ ", " _ ", "   ", " _ ", " _ ", " _ ", " _ ", " _ "]
    private static let middle = ["| |", "  |", " _|", " _|", "|_|", "|_ ", "|_ ", "  |", "|_|", "|_|"]
    private static let bottom = ["|_|", "  |", "|_ ", " _|", "  |", " _|", "|_|", "  |", "|_|", " _|"]

    /// The rows of `digits`, with a wider gap in the middle; other characters are left out.
    static func rows(of digits: String) -> [String] {
        let values = digits.compactMap(\.wholeNumberValue).filter { (0...9).contains($0) }
        return [top, middle, bottom].map { segments in
            values.enumerated().map { index, value in
                (index == values.count / 2 ? "   " : " ") + segments[value]
            }.joined()
        }
    }
}
