internal import Cryptography
internal import NANFrames
internal import Octets
internal import Ports

/// Frames and schedules that the cases send and set.
enum TestFrame {
    static let networkID = MACAddress(bits: 0x516F_9A01_0000)

    static func header(_ kind: UInt8, to: MACAddress, from: MACAddress, in cluster: MACAddress) -> [UInt8] {
        var writer = ByteWriter()
        writer.octets([kind, 0, 0, 0])
        to.encode(into: &writer)
        from.encode(into: &writer)
        cluster.encode(into: &writer)
        writer.u16(0)
        return writer.bytes
    }

    /// A publish's or follow-up's frame, with a Service Descriptor that carries `tag`.
    static func discovery(
        to: MACAddress, from: MACAddress, in cluster: ClusterID, category: UInt8 = 4, tag: UInt8
    ) -> [UInt8] {
        header(0xD0, to: to, from: from, in: cluster.address)
            + [category, 0x09, 0x50, 0x6F, 0x9A, 0x13, 0x03, 0x09, 0x00, 1, 2, 3, 4, 5, 6, tag, 0, 0x02]
    }

    /// A data path request's frame.
    static func dataPath(
        to: MACAddress, from: MACAddress, in cluster: ClusterID, category: UInt8, tag: UInt8
    ) -> [UInt8] {
        header(0xD0, to: to, from: from, in: cluster.address)
            + [category, 0x09, 0x50, 0x6F, 0x9A, 0x18, 0x05, 0x0F, 0x09, 0, 0, 0x49, 0x04, 0x14, 0x17, 0x22, 0, tag, 8]
    }

    /// PASN's first frame, as far as a radio looks at it.
    static func authentication(to: NMI, from: NMI, in cluster: ClusterID, tag: UInt8) -> [UInt8] {
        header(0xB0, to: to.address, from: from.address, in: cluster.address) + [7, 0, 1, 0, 0, 0, 0xDD, 1, tag]
    }

    static func key(_ octet: UInt8) -> PairwiseKey {
        PairwiseKey(cipher: .ccmp128, key: SecretKey(copying: [UInt8](repeating: octet, count: 16)))
    }

    static func groupKey(_ kind: GroupKey.Kind, _ number: UInt16) -> GroupKey {
        GroupKey(
            kind, keyID: number, packetNumber: [UInt8](repeating: 0, count: 6), key: key(UInt8(number)).key)
    }
}

extension RadioChannel {
    static let two = RadioChannel(
        frequency: 2437, centerFrequency: 2437, width: 20, entry: [0x51, 0x20, 0, 0, 0, 0], rxNSS: 2)
    static let five = RadioChannel(
        frequency: 5180, centerFrequency: 5210, width: 80, entry: [0x80, 0x01, 0, 0x01, 0, 0], rxNSS: 2)
    static let five20 = RadioChannel(
        frequency: 5180, centerFrequency: 5180, width: 20, entry: [0x73, 0x01, 0, 0, 0, 0], rxNSS: 2)
    static let high = RadioChannel(
        frequency: 5745, centerFrequency: 5745, width: 20, entry: [0x7D, 0x01, 0, 0, 0, 0], rxNSS: 2)
    static let higher = RadioChannel(
        frequency: 5765, centerFrequency: 5765, width: 20, entry: [0x7D, 0x02, 0, 0, 0, 0], rxNSS: 2)
}

extension SlotMap {
    /// Slots 1…3 on channel 0 and 4…31 on channel 1, as hostap's tests schedule two bands.
    static let twoBands = SlotMap([unavailable] + [UInt8](repeating: 0, count: 3) + [UInt8](repeating: 1, count: 28))

    /// The given slots on one channel.
    static func only(_ range: ClosedRange<Int>, channel: UInt8 = 0) -> SlotMap {
        SlotMap((0..<slotCount).map { range.contains($0) ? channel : unavailable })
    }
}

extension LocalRadioSchedule {
    /// 2437 and 5180 MHz, captured from hostap on kernel 7.3.4.
    static let twoBands = LocalRadioSchedule(
        channels: [.two, .five], slots: .twoBands,
        availability: [
            0x12, 0x23, 0x00, 0x01, 0x31, 0x00,
            0x0E, 0x00, 0xE1, 0x12, 0x18, 0x00, 0x04, 0x0E, 0x00, 0x00, 0x00, 0x11, 0x51, 0x20, 0x00, 0x00,
            0x0E, 0x00, 0xE1, 0x12, 0x18, 0x00, 0x04, 0xF0, 0xFF, 0xFF, 0xFF, 0x11, 0x80, 0x01, 0x00, 0x01,
        ])

    /// One channel, with the availability that says so.
    static func one(_ channel: RadioChannel, _ slots: SlotMap, sequence: UInt8 = 1) -> LocalRadioSchedule {
        var bits: UInt32 = 0
        for (index, slot) in slots.slots.enumerated() where slot == 0 { bits |= 1 << UInt32(index) }
        let bitmap = (0..<4).map { UInt8(truncatingIfNeeded: bits >> UInt32(8 * $0)) }
        let entry: [UInt8] = [0x0E, 0x00, 0xE1, 0x12, 0x18, 0x00, 0x04] + bitmap + [0x11] + channel.entry.prefix(4)
        return LocalRadioSchedule(
            channels: [channel], slots: slots, availability: [0x12, 0x13, 0x00, sequence, 0x31, 0x00] + entry)
    }
}

extension PeerRadioSchedule {
    static let twoBands = PeerRadioSchedule(
        committedDW: 0x0449, sequenceID: 1, channels: [.two, .five], maps: [PeerMap(mapID: 1, slots: .twoBands)])
    static let windowsOnly = PeerRadioSchedule(committedDW: 0x0449)
}

extension RadioEvent {
    /// A received frame with the body of `frame`.
    func carries(_ frame: [UInt8]) -> Bool {
        if case .received(let received) = self { return received.octets.dropFirst(24) == frame.dropFirst(24) }
        return false
    }

    var isDataLink: Bool { if case .dataLinkOpened = self { true } else { false } }
}
