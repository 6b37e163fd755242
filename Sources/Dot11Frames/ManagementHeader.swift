package import Octets

/// The 24 octets in front of every management frame body (802.11-2020, 9.3.3.1).
///
/// User space supplies addresses and leaves duration and sequence number to the kernel.
package struct ManagementHeader: WireCodable {
    package static let length = 24

    package struct FrameControl: RawRepresentable, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }

        package static let action = Self(rawValue: 0x00D0)
        package static let authentication = Self(rawValue: 0x00B0)

        /// Type and subtype alone, so that flags do not matter to a comparison.
        package var kind: Self { Self(rawValue: rawValue & 0x00FC) }
        /// Set by the kernel on a frame that arrived encrypted; never by us.
        package var isProtected: Bool { rawValue & 0x4000 != 0 }
        /// The same with the Protected bit as given: the form captures and the simulated air carry.
        package func protected(_ isProtected: Bool) -> Self {
            Self(rawValue: isProtected ? rawValue | 0x4000 : rawValue & ~0x4000)
        }
    }

    package var frameControl: FrameControl
    package var duration: UInt16
    /// Destination, A1.
    package var destination: MACAddress
    /// Source, A2.
    package var source: MACAddress
    /// A3: the cluster ID in every NAN frame.
    package var bssid: MACAddress
    package var sequenceControl: UInt16

    package init(
        _ frameControl: FrameControl, destination: MACAddress, source: MACAddress, bssid: MACAddress,
        duration: UInt16 = 0, sequenceControl: UInt16 = 0
    ) {
        self.frameControl = frameControl
        self.duration = duration
        self.destination = destination
        self.source = source
        self.bssid = bssid
        self.sequenceControl = sequenceControl
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        frameControl = FrameControl(rawValue: try reader.u16("frame control"))
        duration = try reader.u16("duration")
        destination = try MACAddress(from: &reader)
        source = try MACAddress(from: &reader)
        bssid = try MACAddress(from: &reader)
        sequenceControl = try reader.u16("sequence control")
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u16(frameControl.rawValue)
        writer.u16(duration)
        destination.encode(into: &writer)
        source.encode(into: &writer)
        bssid.encode(into: &writer)
        writer.u16(sequenceControl)
    }
}
