package import Octets

/// Identifies a NAN cluster, 50-6F-9A-01-xx-xx; the third address of every NAN frame.
package struct ClusterID: Hashable, Sendable, CustomStringConvertible {
    package let address: MACAddress
    package init(_ address: MACAddress) { self.address = address }
    package var description: String { "cluster(\(address))" }
}
