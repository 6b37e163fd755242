internal import NANFrames
internal import Octets

extension MACAddress {
    /// The six octets as they are sent, and as key derivations take them.
    var wireOctets: [UInt8] {
        var writer = ByteWriter(reserving: 6)
        encode(into: &writer)
        return writer.bytes
    }
}

extension NMI {
    var wireOctets: [UInt8] { address.wireOctets }
}

extension NDI {
    var wireOctets: [UInt8] { address.wireOctets }
}
