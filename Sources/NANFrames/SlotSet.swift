/// Slots of 16 TU within the 8192 TU that every schedule period divides (Wi-Fi Aware v4.0; hostap expands likewise).
package struct SlotSet: Hashable, Sendable {
    /// 8192 TU; the longest period a time bitmap can have.
    package static let slotCount = 512
    /// Slots between two 2.4 GHz discovery windows, 512 TU: the period of our own schedules and of the kernel's.
    package static let slotsPerPeriod = 32

    private var words: [UInt64]

    private init(words: [UInt64]) { self.words = words }

    package static let none = Self(words: Array(repeating: 0, count: 8))
    package static let all = Self(words: Array(repeating: .max, count: 8))

    /// Those slots of every 512 TU.
    package init(everyPeriod slots: some Sequence<Int>) {
        self = .none
        for slot in slots {
            precondition(0..<Self.slotsPerPeriod ~= slot, "512 TU have slots 0…31")
            for start in stride(from: 0, to: Self.slotCount, by: Self.slotsPerPeriod) { insert(start + slot) }
        }
    }

    package func contains(_ slot: Int) -> Bool { words[slot / 64] & 1 << UInt64(slot % 64) != 0 }
    package mutating func insert(_ slot: Int) { words[slot / 64] |= 1 << UInt64(slot % 64) }

    package func intersection(_ other: Self) -> Self {
        Self(words: zip(words, other.words).map { $0 & $1 })
    }

    package func union(_ other: Self) -> Self { Self(words: zip(words, other.words).map { $0 | $1 }) }
    package func subtracting(_ other: Self) -> Self { Self(words: zip(words, other.words).map { $0 & ~$1 }) }
    package func isSubset(of other: Self) -> Bool { zip(words, other.words).allSatisfy { $0 & ~$1 == 0 } }
    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
    package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Slots in ascending order.
    package var slots: [Int] { (0..<Self.slotCount).filter(contains) }

    /// The first 512 TU, which is what the kernel and our own schedules know; slot 0 is bit 0.
    package var firstPeriod: UInt32 { UInt32(truncatingIfNeeded: words[0]) }

    /// Slots that are in the set in every one of the sixteen periods of 512 TU.
    package var everyPeriod: UInt32 {
        words.reduce(UInt32.max) { $0 & UInt32(truncatingIfNeeded: $1) & UInt32(truncatingIfNeeded: $1 >> 32) }
    }

    /// Slots from the end of one run of the set to the start of the next, the longest there is, wrapping around.
    ///
    /// The whole length when the set is empty, 0 when it is full.
    package var longestGap: Int {
        let slots = slots
        guard let first = slots.first, let last = slots.last else { return Self.slotCount }
        var longest = first + Self.slotCount - last - 1
        for (slot, next) in zip(slots, slots.dropFirst()) { longest = max(longest, next - slot - 1) }
        return longest
    }
}
