package import Octets

/// NAN Management Interface address: identifies a device within a cluster; peers re-randomise it.
package struct NMI: Hashable, Sendable, CustomStringConvertible {
    package let address: MACAddress
    package init(_ address: MACAddress) { self.address = address }
    package var description: String { "NMI(\(address))" }
}
