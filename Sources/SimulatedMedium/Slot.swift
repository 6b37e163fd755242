package import Octets

/// A slot of 16 TU of the cluster's time; 32 of them make the 512 TU from one discovery window to the next.
package struct Slot: Hashable, Comparable, Sendable {
    package static let length = Duration.timeUnits(16)
    static let perPeriod: Int64 = 32
    /// Discovery windows on 2437 MHz, and on 5745 MHz where 5 GHz is used (reference: hwsim, kernel 7.3).
    static let lowBandPosition = 0
    static let highBandPosition = 8
    package static let lowBandFrequency = 2437
    package static let highBandFrequency = 5745

    private static let nanoseconds: Int64 = 16 * 1024 * 1000

    /// Counted from TSF 0.
    package let index: Int64

    package init(index: Int64) { self.index = index }

    package init(at instant: MonotonicInstant) { index = max(0, instant.nanoseconds) / Self.nanoseconds }

    package var start: MonotonicInstant { MonotonicInstant(nanoseconds: index * Self.nanoseconds) }
    package var next: Slot { Slot(index: index + 1) }
    /// 0…31, the index into a slot map.
    package var position: Int { Int(index % Self.perPeriod) }
    /// DW0, DW1, …: which discovery window period this slot lies in.
    package var period: Int64 { index / Self.perPeriod }

    package static func < (left: Slot, right: Slot) -> Bool { left.index < right.index }

    /// MHz, when this slot is a discovery window.
    func windowFrequency(usesFiveGigahertz: Bool) -> Int? {
        switch position {
        case Self.lowBandPosition: Self.lowBandFrequency
        case Self.highBandPosition where usesFiveGigahertz: Self.highBandFrequency
        default: nil
        }
    }
}
