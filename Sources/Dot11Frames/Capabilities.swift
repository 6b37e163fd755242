/// HT Capabilities element body, 26 octets nobody but the kernel looks into (802.11-2020, 9.4.2.55).
package struct HTCapabilities: Hashable, Sendable {
    package let octets: [UInt8]

    package init?(_ octets: [UInt8]) {
        guard octets.count == 26 else { return nil }
        self.octets = octets
    }

    package var element: Element { Element(.htCapabilities, octets) }
}

/// VHT Capabilities element body, 12 octets nobody but the kernel looks into (802.11-2020, 9.4.2.157).
package struct VHTCapabilities: Hashable, Sendable {
    package let octets: [UInt8]

    package init?(_ octets: [UInt8]) {
        guard octets.count == 12 else { return nil }
        self.octets = octets
    }

    package var element: Element { Element(.vhtCapabilities, octets) }
}

extension Sequence where Element == Dot11Frames.Element {
    /// Nil when absent or not of the one length it can have.
    package var htCapabilities: HTCapabilities? {
        first { $0.id == .htCapabilities }.flatMap { HTCapabilities($0.body) }
    }

    package var vhtCapabilities: VHTCapabilities? {
        first { $0.id == .vhtCapabilities }.flatMap { VHTCapabilities($0.body) }
    }
}
