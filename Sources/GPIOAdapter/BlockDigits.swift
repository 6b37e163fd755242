/// Large digits for a terminal, five dots wide and seven high, each dot two inverted spaces.
///
/// Inverted spaces are in every terminal's character set, whatever the locale.
enum BlockDigits {
    static let height = 7
    static let columns = 5

    /// Each row's dots, the leftmost in bit 4.
    static let dots: [[UInt8]] = [
        [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
        [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
        [0b01110, 0b10001, 0b00001, 0b00010, 0b00100, 0b01000, 0b11111],
        [0b11111, 0b00010, 0b00100, 0b00010, 0b00001, 0b10001, 0b01110],
        [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
        [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
        [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
        [0b11111, 0b00001, 0b00010, 0b00100, 0b01000, 0b01000, 0b01000],
        [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
        [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
    ]

    /// Columns of a terminal that `count` digits take, with a wider gap in the middle.
    static func width(of count: Int, dotWidth: Int) -> Int { count * (columns + 1) * dotWidth + dotWidth }

    /// Appends the digits (values 0…9) as rows of text that end in line breaks.
    static func append(_ digits: [UInt8], dotWidth: Int, to text: inout [UInt8]) {
        for row in 0..<height {
            text.append(UInt8(ascii: " "))
            for (index, digit) in digits.enumerated() {
                if index == digits.count / 2 { append(run: dotWidth, isDot: false, to: &text) }
                let bits = dots[Int(digit)][row]
                for column in (0..<columns).reversed() {
                    append(run: dotWidth, isDot: bits >> UInt8(column) & 1 == 1, to: &text)
                }
                append(run: dotWidth, isDot: false, to: &text)
            }
            text += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        }
    }

    private static func append(run count: Int, isDot: Bool, to text: inout [UInt8]) {
        if isDot { text += Array("\u{1B}[7m".utf8) }
        for _ in 0..<count { text.append(UInt8(ascii: " ")) }
        if isDot { text += Array("\u{1B}[0m".utf8) }
    }
}
