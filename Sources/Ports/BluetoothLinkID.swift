/// One ATT bearer, numbered by the adapter; never used twice.
package struct BluetoothLinkID: Hashable, Sendable {
    package let rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
