/// What up to eight seven-segment digits show: one number, so that no copy of it is left behind on the heap.
package struct SegmentPicture: Equatable, Sendable, BitwiseCopyable {
    /// Digits at most.
    package static let capacity = 8

    /// The leftmost digit in the lowest octet.
    private var patterns: UInt64 = 0

    package init() {}

    /// The segments of one digit, counted from the left.
    package subscript(index: Int) -> UInt8 {
        get { UInt8(truncatingIfNeeded: patterns >> UInt64(index * 8)) }
        set {
            let shift = UInt64(index * 8)
            let mask: UInt64 = 0xFF << shift
            patterns = (patterns & ~mask) | (UInt64(newValue) << shift)
        }
    }

    package var isBlank: Bool { patterns == 0 }

    /// Puts characters, in ASCII, from digit `first` on.
    fileprivate mutating func put(_ characters: some Sequence<UInt8>, from first: Int) {
        var index = first
        for character in characters where index < Self.capacity {
            self[index] = SegmentFont.pattern(character)
            index += 1
        }
    }
}

/// What a row of digits shows: one picture, or two in turn where the row is too short for six digits.
package struct SegmentPages: Equatable, Sendable {
    package var first = SegmentPicture()
    package var second: SegmentPicture?

    /// How long each of two pictures is shown.
    package static let pageTime = Duration.milliseconds(1500)
    package static let digitCounts = 4...SegmentPicture.capacity

    package init() {}

    /// A word, from the left.
    package init(_ word: StaticString) {
        word.withUTF8Buffer { first.put($0, from: 0) }
    }

    /// Six digits in ASCII: in two groups where there is room, on two pages where there is too little.
    package init(code: UnsafeRawBufferPointer, digits: Int) {
        let half = code.count / 2
        if digits >= code.count {
            first.put(code.prefix(half), from: 0)
            first.put(code.dropFirst(half), from: half + digits - code.count)
        } else {
            first.put(code.prefix(half), from: 0)
            first.put(CollectionOfOne(UInt8(ascii: "-")), from: half)
            var second = SegmentPicture()
            second.put(CollectionOfOne(UInt8(ascii: "-")), from: digits - half - 1)
            second.put(code.dropFirst(half), from: digits - half)
            self.second = second
        }
    }
}
