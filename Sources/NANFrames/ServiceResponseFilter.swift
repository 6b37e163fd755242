internal import Octets

/// Service Response Filter, SRF: who should answer a subscribe, by list or by Bloom filter (Wi-Fi Aware v4.0).
package struct ServiceResponseFilter: Equatable, Sendable {
    /// Control octet and address set, at most 255 octets.
    package let octets: [UInt8]

    /// As received; what makes no sense admits nobody.
    package init(_ octets: [UInt8]) {
        precondition(octets.count <= 255, "a service response filter has an 8-bit length")
        self.octets = octets
    }

    /// A plain list of the devices that shall answer, or with `include` false shall not.
    package init(_ devices: [NMI], include: Bool = true) {
        precondition(devices.count <= 42, "42 addresses fill a service response filter")
        var writer = ByteWriter()
        writer.u8(include ? 0x02 : 0)
        for device in devices { device.address.encode(into: &writer) }
        octets = writer.bytes
    }

    /// A Bloom filter of `length` octets over the devices; `index`, 0…3, picks the hash functions.
    package init(bloomIndex index: Int, length: Int, _ devices: [NMI], include: Bool = true) {
        precondition(0...3 ~= index && 1...254 ~= length, "a Bloom filter has an index of 0…3 and 1…254 octets")
        var filter: [UInt8] = Array(repeating: 0, count: length)
        for device in devices {
            for bit in Self.bloomBits(device, index: index, length: length) { filter[bit / 8] |= 1 << (bit % 8) }
        }
        octets = [0x01 | (include ? 0x02 : 0) | UInt8(index << 2)] + filter
    }

    /// Whether the device should answer.
    package func admits(_ device: NMI) -> Bool {
        guard octets.count > 1 else { return false }
        let control = octets[0]
        let isIncluded = control & 0x02 != 0
        if control & 0x01 != 0 {
            let length = octets.count - 1
            let bits = Self.bloomBits(device, index: Int(control >> 2 & 0x03), length: length)
            return bits.allSatisfy { octets[1 + $0 / 8] & 1 << ($0 % 8) != 0 } == isIncluded
        }
        guard (octets.count - 1) % 6 == 0 else { return false }
        let address = device.address.encoded
        let isListed = stride(from: 1, to: octets.count, by: 6).contains { start in
            (0..<6).allSatisfy { octets[start + $0] == address[$0] }
        }
        return isListed == isIncluded
    }

    /// Four bits of a device: CRC-32 without its final inversion over hash number and address, low 16 bits.
    package static func bloomBits(_ device: NMI, index: Int, length: Int) -> [Int] {
        let address = device.address.encoded
        return (4 * index..<4 * index + 4).map { hash in
            Int(rawCRC32([UInt8(hash)] + address) & 0xFFFF) % (8 * length)
        }
    }

    private static func rawCRC32(_ octets: [UInt8]) -> UInt32 {
        octets.reduce(0xFFFF_FFFF) { crc, octet in
            (0..<8).reduce(crc ^ UInt32(octet)) { value, _ in
                value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
            }
        }
    }
}
