internal import Octets

/// Puts received packets back in order, notes which are missing and says for how long they are worth waiting for.
struct ReorderBuffer: Sendable {
    /// Packets held while one before them is missing: two seconds at 2 Mbit/s; a power of two.
    static let capacity = 512
    /// Times one packet is asked for.
    private static let askLimit: UInt8 = 4

    enum Item: Equatable {
        case packet(RTPPacket)
        /// So many packets were given up.
        case lost(Int)
    }

    enum Arrival: Equatable {
        case first
        /// It had been asked for.
        case repaired
        /// Seen already, or given up already.
        case useless
    }

    private struct Slot {
        var packet: RTPPacket?
        var missingSince: MonotonicInstant?
        var askAt: MonotonicInstant?
        var asked: UInt8 = 0
    }

    private let holdTime: Duration
    private let firstAsk: Duration
    private let askInterval: Duration
    private var slots: [Slot] = Array(repeating: Slot(), count: capacity)
    /// The number of the packet to hand out next.
    private var next: UInt16?
    /// One past the highest number seen.
    private var end: UInt16 = 0
    private var owed = 0
    /// Until when packets sent before the first that came may still put themselves before it.
    private var opensAt: MonotonicInstant?

    init(holdTime: Duration, firstAsk: Duration, askInterval: Duration) {
        self.holdTime = holdTime
        self.firstAsk = firstAsk
        self.askInterval = askInterval
    }

    mutating func insert(_ packet: RTPPacket, now: MonotonicInstant) -> Arrival {
        let number = packet.header.sequenceNumber
        guard let first = next else {
            next = number
            end = number &+ 1
            opensAt = now.advanced(by: firstAsk)
            self[number] = Slot(packet: packet)
            return .first
        }
        if opensAt != nil, (1..<1 << 15).contains(first &- number), end &- number <= Self.capacity {
            next = number
            self[number] = Slot(packet: packet)
            markMissing(number &+ 1, upTo: first, now: now)
            return .first
        }
        let ahead = number &- first
        if ahead >= 1 << 15 { return .useless }
        if ahead >= Self.capacity {
            // Too far ahead to wait for what lies between.
            owed += Int(ahead)
            for index in slots.indices { slots[index] = Slot() }
            next = number
            end = number &+ 1
            self[number] = Slot(packet: packet)
            return .first
        }
        if number &- end < 1 << 15 {
            markMissing(end, upTo: number, now: now)
            end = number &+ 1
            self[number] = Slot(packet: packet)
            return .first
        }
        guard self[number].packet == nil else { return .useless }
        let wasAsked = self[number].asked > 0
        self[number] = Slot(packet: packet)
        return wasAsked ? .repaired : .first
    }

    /// The next packet in order, or the loss before it; nil while waiting.
    mutating func pop(now: MonotonicInstant) -> Item? {
        if let opensAt {
            guard opensAt <= now else { return nil }
            self.opensAt = nil
        }
        while let number = next, number != end {
            if let packet = self[number].packet {
                if owed > 0 { break }
                self[number] = Slot()
                next = number &+ 1
                return .packet(packet)
            }
            guard let since = self[number].missingSince, since.advanced(by: holdTime) <= now else { return nil }
            self[number] = Slot()
            next = number &+ 1
            owed += 1
        }
        guard owed > 0 else { return nil }
        defer { owed = 0 }
        return .lost(owed)
    }

    /// The missing packets that are to be asked for now, in order, `limit` at most.
    mutating func takeMissing(limit: Int, now: MonotonicInstant) -> [UInt16] {
        var missing: [UInt16] = []
        guard var number = next else { return [] }
        while number != end, missing.count < limit {
            if let askAt = self[number].askAt, askAt <= now {
                missing.append(number)
                self[number].asked += 1
                let isLast = self[number].asked == Self.askLimit
                self[number].askAt = isLast ? nil : now.advanced(by: askInterval)
            }
            number = number &+ 1
        }
        return missing
    }

    var nextDeadline: MonotonicInstant? {
        guard var number = next else { return nil }
        var earliest = opensAt
        func take(_ instant: MonotonicInstant?) {
            guard let instant else { return }
            earliest = min(earliest ?? instant, instant)
        }
        while number != end {
            take(self[number].askAt)
            take(self[number].missingSince?.advanced(by: holdTime))
            number = number &+ 1
        }
        return earliest
    }

    private mutating func markMissing(_ first: UInt16, upTo end: UInt16, now: MonotonicInstant) {
        var number = first
        while number != end {
            self[number] = Slot(missingSince: now, askAt: now.advanced(by: firstAsk))
            number = number &+ 1
        }
    }

    private subscript(number: UInt16) -> Slot {
        get { slots[Int(number) & (Self.capacity - 1)] }
        set { slots[Int(number) & (Self.capacity - 1)] = newValue }
    }
}
