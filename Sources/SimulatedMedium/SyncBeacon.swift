internal import NANFrames
internal import Octets

/// What a NAN synchronisation beacon says (Wi-Fi Aware v4.0: Master Indication and Cluster attributes).
struct SyncBeacon: Equatable {
    var source: NMI
    var cluster: ClusterID
    /// The sender's own.
    var masterPreference: UInt8
    var randomFactor: UInt8
    /// Preference, random factor, reversed address as one number, preference most significant.
    var anchorRank: UInt64

    static func rank(preference: UInt8, randomFactor: UInt8, address: MACAddress) -> UInt64 {
        let reversed = address.octets.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return UInt64(preference) << 56 | UInt64(randomFactor) << 48 | reversed
    }

    /// Clusters merge to the higher grade; the clocks being one here, the anchor's rank decides, then the number.
    func outranks(rank: UInt64, cluster: ClusterID) -> Bool {
        (anchorRank, self.cluster.address.bits) > (rank, cluster.address.bits)
    }
}

extension SyncBeacon {
    private static let bodyLength = 12
    private static let element: [UInt8] = [0xDD, 0x19, 0x50, 0x6F, 0x9A, 0x13]

    func encode(timestamp: UInt64, sequence: UInt16) -> [UInt8] {
        var writer = ByteWriter(reserving: MACHeader.length + 12 + 27)
        writer.octets([0x80, 0x00, 0x00, 0x00])
        writer.octets([UInt8](repeating: 0xFF, count: 6))
        source.address.encode(into: &writer)
        cluster.address.encode(into: &writer)
        writer.u16(sequence << 4)
        for shift in 0..<4 { writer.u16(UInt16(truncatingIfNeeded: timestamp >> UInt64(16 * shift))) }
        writer.u16(512)
        writer.u16(0x0420)
        writer.octets(Self.element)
        writer.octets([0x00, 0x02, 0x00, masterPreference, randomFactor])
        writer.octets([0x01, 0x0D, 0x00])
        for shift in 0..<8 { writer.u8(UInt8(truncatingIfNeeded: anchorRank >> UInt64(8 * shift))) }
        writer.u8(1)  // hop count
        writer.octets([0, 0, 0, 0])  // AMBTT
        return writer.bytes
    }

    init?(_ octets: [UInt8], header: MACHeader) {
        let at = MACHeader.length + Self.bodyLength
        guard header.kind == .beacon, octets.count >= at + 27, header.a3.bits >> 16 == 0x506F_9A01 else { return nil }
        guard Array(octets[at..<at + 6]) == Self.element, octets[at + 6] == 0, octets[at + 11] == 1 else { return nil }
        source = NMI(header.a2)
        cluster = ClusterID(header.a3)
        masterPreference = octets[at + 9]
        randomFactor = octets[at + 10]
        anchorRank = (0..<8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(octets[at + 14 + $1]) }
    }
}
