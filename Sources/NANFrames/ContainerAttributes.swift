package import Dot11Frames
package import Octets

/// Element Container attribute: 802.11 elements that describe the radio (Wi-Fi Aware v4.0).
package struct ElementContainer: WireCodable {
    /// Bit 0 valid, bits 1…4 map ID.
    package let mapID: UInt8
    package let elements: [Element]

    package init(mapID: UInt8 = 0, _ elements: [Element]) {
        precondition(elements.count <= Element.maximumCount, "more elements than a receiver keeps")
        self.mapID = mapID
        self.elements = elements
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        mapID = try reader.u8("element container map ID")
        elements = try Element.decodeAll(&reader)
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(mapID)
        for element in elements { element.encode(into: &writer) }
    }
}

/// Unaligned Schedule attribute, ULW: time outside the slots; originated and consumed by the kernel alone.
package struct UnalignedSchedule: WireCodable {
    /// Low nibble the schedule's number.
    package let scheduleID: UInt8
    package let sequenceID: UInt8
    package let startTime: UInt32
    package let duration: UInt32
    package let period: UInt32
    package let countDown: UInt8
    /// Bit 0 overwrite all, bits 1…4 map ID.
    package let overwrite: UInt8
    /// Control and band or channel entry, if any.
    package let entry: [UInt8]

    package init(
        scheduleID: UInt8, sequenceID: UInt8, startTime: UInt32, duration: UInt32, period: UInt32, countDown: UInt8,
        overwrite: UInt8, entry: [UInt8] = []
    ) {
        self.scheduleID = scheduleID
        self.sequenceID = sequenceID
        self.startTime = startTime
        self.duration = duration
        self.period = period
        self.countDown = countDown
        self.overwrite = overwrite
        self.entry = entry
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        scheduleID = try reader.u8("ULW schedule ID")
        sequenceID = try reader.u8("ULW sequence ID")
        startTime = try reader.u32("ULW start time")
        duration = try reader.u32("ULW duration")
        period = try reader.u32("ULW period")
        countDown = try reader.u8("ULW count-down")
        overwrite = try reader.u8("ULW overwrite")
        entry = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(scheduleID)
        writer.u8(sequenceID)
        writer.u32(startTime)
        writer.u32(duration)
        writer.u32(period)
        writer.u8(countDown)
        writer.u8(overwrite)
        writer.octets(entry)
    }
}

/// Vendor specific attribute: OUI and octets that mean something to its vendor.
package struct VendorSpecific: WireCodable {
    package let oui: OUI
    package let body: [UInt8]

    package init(_ oui: OUI, _ body: [UInt8]) {
        self.oui = oui
        self.body = body
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        oui = try OUI(from: &reader)
        body = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        oui.encode(into: &writer)
        writer.octets(body)
    }
}

/// The NAN attributes of a PASN frame, in a vendor element of type 0x13.
package struct NANElement: Equatable, Sendable {
    package static let type: UInt8 = 0x13

    package let attributes: AttributeList

    package init(_ attributes: AttributeList) { self.attributes = attributes }

    /// Nil when the frame has no NAN element and is therefore none of ours.
    package init?(in body: AuthenticationBody) throws(WireError) {
        guard let octets = body.vendorBody(.wifiAlliance, type: Self.type) else { return nil }
        attributes = try AttributeList.decode(octets)
    }

    /// One element, or a full one and its fragments.
    package var elements: [Element] { VendorElement(.wifiAlliance, type: Self.type, attributes.encoded).elements }
}
