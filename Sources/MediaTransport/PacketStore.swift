package import Octets

/// The last packets sent to one viewer, each written once: first the kernel, then a resend reads them from here.
///
/// All memory is there after `init`; a slot is a packet's sequence number modulo the number of slots.
package struct PacketStore: Sendable {
    package let slotSize: Int
    private let mask: UInt16
    private var octets: [UInt8]
    private var slots: [Slot]

    fileprivate struct Slot {
        var sequence: UInt16 = 0
        var length: UInt16 = 0
        var resends: UInt8 = 0
        var sentAt = MonotonicInstant(nanoseconds: 0)
    }

    /// - Precondition: `slotCount` is a power of two up to 32768, `slotSize` at most 65535.
    package init(slotCount: Int, slotSize: Int) {
        precondition(slotCount > 0 && slotCount <= 32768 && slotCount & (slotCount - 1) == 0)
        precondition(slotSize > 0 && slotSize <= Int(UInt16.max))
        self.slotSize = slotSize
        mask = UInt16(slotCount - 1)
        octets = Array(repeating: 0, count: slotCount * slotSize)
        slots = Array(repeating: Slot(), count: slotCount)
    }

    /// Has `body` write the packet numbered `sequence` and return its length; its slot's last owner is forgotten.
    package mutating func write(
        _ sequence: UInt16, at now: MonotonicInstant, _ body: (UnsafeMutableRawBufferPointer) -> Int
    ) -> Int {
        let index = Int(sequence & mask)
        let start = index * slotSize
        let end = start + slotSize
        let length = octets.withUnsafeMutableBytes { body(UnsafeMutableRawBufferPointer(rebasing: $0[start..<end])) }
        precondition(length > 0 && length <= slotSize)
        slots[index] = Slot(sequence: sequence, length: UInt16(length), resends: 0, sentAt: now)
        return length
    }

    /// Whether `sequence` is still here, not older than `age` and resent fewer than `limit` times; counts one resend.
    package mutating func takeForResend(
        _ sequence: UInt16, now: MonotonicInstant, age: Duration, limit: UInt8
    ) -> Bool {
        let index = Int(sequence & mask)
        let slot = slots[index]
        guard slot.length > 0, slot.sequence == sequence, slot.resends < limit, slot.sentAt.advanced(by: age) >= now
        else { return false }
        slots[index].resends += 1
        return true
    }

    /// Lends `count` packets from `first` on, in sending order, for the length of `body`.
    package func withPackets<Result>(first: UInt16, count: Int, _ body: (Packets) -> Result) -> Result {
        octets.withUnsafeBytes { octets in
            slots.withUnsafeBufferPointer { slots in
                body(Packets(octets: octets, slots: slots, first: first, count: count, mask: mask, slotSize: slotSize))
            }
        }
    }

    /// Packets lent by `withPackets`; not to be kept.
    package struct Packets {
        private let octets: UnsafeRawBufferPointer
        private let slots: UnsafeBufferPointer<Slot>
        private let first: UInt16
        package let count: Int
        private let mask: UInt16
        private let slotSize: Int

        fileprivate init(
            octets: UnsafeRawBufferPointer, slots: UnsafeBufferPointer<Slot>, first: UInt16, count: Int, mask: UInt16,
            slotSize: Int
        ) {
            self.octets = octets
            self.slots = slots
            self.first = first
            self.count = count
            self.mask = mask
            self.slotSize = slotSize
        }

        package subscript(position: Int) -> UnsafeRawBufferPointer {
            precondition(position >= 0 && position < count)
            let index = Int((first &+ UInt16(truncatingIfNeeded: position)) & mask)
            let start = index * slotSize
            return UnsafeRawBufferPointer(rebasing: octets[start..<start + Int(slots[index].length)])
        }
    }
}
