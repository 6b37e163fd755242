package import Octets

/// Master Indication attribute of beacons, which the kernel writes (Wi-Fi Aware v4.0).
package struct MasterIndication: WireCodable {
    package let masterPreference: UInt8
    package let randomFactor: UInt8
    package let tail: [UInt8]

    package init(masterPreference: UInt8, randomFactor: UInt8) {
        self.masterPreference = masterPreference
        self.randomFactor = randomFactor
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        masterPreference = try reader.u8("master preference")
        randomFactor = try reader.u8("random factor")
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(masterPreference)
        writer.u8(randomFactor)
        writer.octets(tail)
    }
}

/// Cluster attribute of beacons: who the anchor master is and how far away.
package struct ClusterAttribute: WireCodable {
    /// Preference, random factor and reversed address as one number, preference most significant.
    package let anchorMasterRank: UInt64
    package let hopCount: UInt8
    /// Anchor master beacon transmission time, the low half of its TSF.
    package let transmissionTime: UInt32
    package let tail: [UInt8]

    package init(anchorMasterRank: UInt64, hopCount: UInt8, transmissionTime: UInt32) {
        self.anchorMasterRank = anchorMasterRank
        self.hopCount = hopCount
        self.transmissionTime = transmissionTime
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        anchorMasterRank = try reader.u64("anchor master rank")
        hopCount = try reader.u8("hop count")
        transmissionTime = try reader.u32("anchor master beacon transmission time")
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u64(anchorMasterRank)
        writer.u8(hopCount)
        writer.u32(transmissionTime)
        writer.octets(tail)
    }
}
