package import Octets

/// NAN Data Interface address: the link-layer address of data frames on an NDP, never an NMI.
package struct NDI: Hashable, Sendable, CustomStringConvertible {
    package let address: MACAddress
    package init(_ address: MACAddress) { self.address = address }
    package var description: String { "NDI(\(address))" }
}
