/// How an accessory stands, in one octet: the last of its manufacturer data, and the value of its state characteristic.
package struct BeaconState: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A new phone can be paired now.
    package static let pairingWindowOpen = Self(rawValue: 1 << 0)
    /// A phone has a data path.
    package static let connected = Self(rawValue: 1 << 1)
    /// NAN is off until a phone asks for it here.
    package static let asleep = Self(rawValue: 1 << 2)
}
