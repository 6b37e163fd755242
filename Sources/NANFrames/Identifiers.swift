package import Octets

/// NAN Management Interface address: identifies a device within a cluster; peers re-randomise it.
package struct NMI: Hashable, Sendable, CustomStringConvertible {
    package let address: MACAddress
    package init(_ address: MACAddress) { self.address = address }
    package var description: String { "NMI(\(address))" }
}

/// NAN Data Interface address: the link-layer address of data frames on an NDP, never an NMI.
package struct NDI: Hashable, Sendable, CustomStringConvertible {
    package let address: MACAddress
    package init(_ address: MACAddress) { self.address = address }
    package var description: String { "NDI(\(address))" }
}

/// Identifies a NAN cluster, 50-6F-9A-01-xx-xx; the third address of every NAN frame.
package struct ClusterID: Hashable, Sendable, CustomStringConvertible {
    package let address: MACAddress
    package init(_ address: MACAddress) { self.address = address }
    package var description: String { "cluster(\(address))" }
}

/// A publish or subscribe instance of one device, 1…255; both kinds share one number space.
package struct InstanceID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }
    /// The requestor instance of a frame that answers nobody.
    package static let none = Self(0)
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    package var description: String { "#\(rawValue)" }
}

/// Pairs a request with its answers; never zero in a request.
package struct DialogToken: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }
    package var description: String { "token \(rawValue)" }
}

/// A data path's number, chosen by its initiator and unique together with the initiator's NDI; never zero.
package struct NDPID: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8
    package init(_ rawValue: UInt8) { self.rawValue = rawValue }
    package var description: String { "NDP \(rawValue)" }
}
