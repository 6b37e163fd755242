package import NANFrames
package import Ports

/// The address in 127.0.0.0/8 that stands for a data interface of a simulated radio.
///
/// Both ends compute it from the NDI, so nothing has to be exchanged, and each radio of a machine has its own.
package enum LoopbackAddress {
    /// Never in 127.0.0.0/16, where a machine has its own services, and never ending in .0 or .255.
    package static func address(of ndi: NDI) -> IPAddress {
        // Fowler-Noll-Vo, FNV-1a, 64 bits, folded: neighbouring NDIs must not be neighbours in every octet.
        let hash = ndi.address.octets.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3
        }
        let folded = UInt32(truncatingIfNeeded: hash ^ hash >> 32)
        let second = 1 + (folded >> 16 & 0xFF) % 254
        let third = folded >> 8 & 0xFF
        let fourth = 1 + (folded & 0xFF) % 254
        return .v4(127 << 24 | second << 16 | third << 8 | fourth)
    }
}
