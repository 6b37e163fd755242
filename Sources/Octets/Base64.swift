extension Array where Element == UInt8 {
    private static let base64Alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The octets in base64 with padding (RFC 4648 4), to carry them in JSON.
    package var base64: String {
        var text: [UInt8] = []
        text.reserveCapacity((count + 2) / 3 * 4)
        var offset = 0
        while offset < count {
            let available = Swift.min(3, count - offset)
            var word: UInt32 = 0
            for index in 0..<3 { word = word << 8 | (index < available ? UInt32(self[offset + index]) : 0) }
            for index in 0..<4 {
                let digit = Int(word >> (18 - 6 * UInt32(index)) & 0x3F)
                text.append(index <= available ? Self.base64Alphabet[digit] : UInt8(ascii: "="))
            }
            offset += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Octets from base64; nil unless it is whole, padded and in its one canonical form.
    package init?(base64 text: String) {
        let digits = [UInt8](text.utf8)
        guard digits.count % 4 == 0 else { return nil }
        let padding = digits.suffix(2).reduce(0) { $0 + ($1 == UInt8(ascii: "=") ? 1 : 0) }
        var octets: [UInt8] = []
        octets.reserveCapacity(digits.count / 4 * 3)
        var word: UInt32 = 0
        for (index, digit) in digits.enumerated() {
            let isPadding = digit == UInt8(ascii: "=") && index >= digits.count - padding
            guard let value = isPadding ? 0 : Self.base64Value(digit) else { return nil }
            word = word << 6 | value
            if index % 4 == 3 {
                for shift in [16, 8, 0] as [UInt32] { octets.append(UInt8(truncatingIfNeeded: word >> shift)) }
                word = 0
            }
        }
        octets.removeLast(padding)
        self = octets
        // Bits that padding hides must be zero, and "=" nowhere but last.
        guard base64 == text else { return nil }
    }

    private static func base64Value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
