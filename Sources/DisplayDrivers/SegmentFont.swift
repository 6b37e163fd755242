/// Characters as seven segments spell them.
///
/// Bit 0 is segment a (top), then clockwise b to f, and g (middle) in bit 6; bit 7, the decimal point, is never lit.
enum SegmentFont {
    static let digits: [UInt8] = [0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F]

    /// What an ASCII character looks like; nothing for one that seven segments cannot spell.
    static func pattern(_ character: UInt8) -> UInt8 {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digits[Int(character - UInt8(ascii: "0"))]
        case UInt8(ascii: "-"): 0x40
        case UInt8(ascii: "A"): 0x77
        case UInt8(ascii: "C"): 0x39
        case UInt8(ascii: "d"): 0x5E
        case UInt8(ascii: "F"): 0x71
        case UInt8(ascii: "I"): 0x30
        case UInt8(ascii: "L"): 0x38
        case UInt8(ascii: "O"): 0x3F
        case UInt8(ascii: "P"): 0x73
        case UInt8(ascii: "r"): 0x50
        case UInt8(ascii: "S"): 0x6D
        case UInt8(ascii: "y"): 0x6E
        default: 0
        }
    }
}
