package import Octets

/// NDC attribute: the base slots of a data link, with an ID of their own (Wi-Fi Aware v4.0).
package struct NDC: WireCodable {
    package let ndcID: MACAddress
    /// As received; bit 0 says that this is the NDC chosen.
    package let control: UInt8
    package let entries: [ScheduleEntry]

    package init(ndcID: MACAddress, isSelected: Bool = true, _ entries: [ScheduleEntry]) {
        precondition(entries.count <= ScheduleEntry.maximumCount, "more entries than a receiver keeps")
        self.ndcID = ndcID
        control = isSelected ? 0x01 : 0
        self.entries = entries
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        ndcID = try MACAddress(from: &reader)
        control = try reader.u8("NDC control")
        entries = try ScheduleEntry.decodeAll(&reader)
    }

    package func encode(into writer: inout ByteWriter) {
        ndcID.encode(into: &writer)
        writer.u8(control)
        for entry in entries { entry.encode(into: &writer) }
    }

    package var isSelected: Bool { control & 0x01 != 0 }
}

/// NDL attribute: the schedule part of a data path negotiation (Wi-Fi Aware v4.0).
package struct NDL: WireCodable {
    package enum Kind: UInt8, Equatable, Sendable {
        case request = 0
        case response = 1
        case confirm = 2
    }

    package struct Control: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// An NDC attribute is in the same frame.
        package static let ndcPresent = Self(rawValue: 1 << 2)
        /// An NDL QoS attribute is in the same frame.
        package static let qosPresent = Self(rawValue: 1 << 3)
        package static let paged = Self(rawValue: 1 << 5)

        fileprivate static let peerIDPresent = Self(rawValue: 1 << 0)
        fileprivate static let immutablePresent = Self(rawValue: 1 << 1)
        fileprivate static let maximumIdlePresent = Self(rawValue: 1 << 4)
        fileprivate static let presence: Self = [.peerIDPresent, .immutablePresent, .maximumIdlePresent]
    }

    /// The same as in the NDP attribute beside it.
    package let dialogToken: DialogToken
    package let kind: Kind
    package let status: NegotiationStatus
    package let reason: ReasonCode
    /// Without the bits that say what is present in this attribute, which the fields below say.
    package let control: Control
    /// Reserved in v4.0.
    package let peerID: UInt8?
    /// Seconds.
    package let maximumIdlePeriod: UInt16?
    /// Slots the sender will not give up.
    package let immutableSchedule: [ScheduleEntry]?
    package let tail: [UInt8]

    package init(
        dialogToken: DialogToken, kind: Kind, status: NegotiationStatus, reason: ReasonCode = .none,
        control: Control = [], maximumIdlePeriod: UInt16? = nil, immutableSchedule: [ScheduleEntry]? = nil
    ) {
        self.dialogToken = dialogToken
        self.kind = kind
        self.status = status
        self.reason = reason
        self.control = control.subtracting(.presence)
        peerID = nil
        self.maximumIdlePeriod = maximumIdlePeriod
        self.immutableSchedule = immutableSchedule
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        dialogToken = DialogToken(try reader.u8("NDL dialog token"))
        let at = reader.offset
        let typeAndStatus = try reader.u8("NDL type and status")
        guard let kind = Kind(rawValue: typeAndStatus & 0x0F) else {
            throw .invalid(field: "NDL type", offset: at, value: UInt64(typeAndStatus & 0x0F))
        }
        guard let status = NegotiationStatus(rawValue: typeAndStatus >> 4) else {
            throw .invalid(field: "NDL status", offset: at, value: UInt64(typeAndStatus >> 4))
        }
        self.kind = kind
        self.status = status
        reason = ReasonCode(rawValue: try reader.u8("NDL reason"))
        let bits = Control(rawValue: try reader.u8("NDL control"))
        control = bits.subtracting(.presence)
        peerID = bits.contains(.peerIDPresent) ? try reader.u8("NDL peer ID") : nil
        maximumIdlePeriod = bits.contains(.maximumIdlePresent) ? try reader.u16("NDL maximum idle period") : nil
        immutableSchedule = bits.contains(.immutablePresent) ? try ScheduleEntry.decodeAll(&reader) : nil
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(dialogToken.rawValue)
        writer.u8(kind.rawValue | status.rawValue << 4)
        writer.u8(reason.rawValue)
        var bits = control
        if peerID != nil { bits.insert(.peerIDPresent) }
        if maximumIdlePeriod != nil { bits.insert(.maximumIdlePresent) }
        if immutableSchedule != nil { bits.insert(.immutablePresent) }
        writer.u8(bits.rawValue)
        if let peerID { writer.u8(peerID) }
        if let maximumIdlePeriod { writer.u16(maximumIdlePeriod) }
        for entry in immutableSchedule ?? [] { entry.encode(into: &writer) }
        writer.octets(tail)
    }
}

/// NDL QoS attribute: what a data link's schedule has to give (Wi-Fi Aware v4.0).
package struct NDLQoS: WireCodable {
    package static let noLatencyPreference: UInt16 = 0xFFFF

    /// Per 512 TU; 0 is no preference.
    package let minimumSlots: UInt8
    /// Longest gap in slots; 0xFFFF is no preference.
    package let maximumLatency: UInt16
    package let tail: [UInt8]

    package init(minimumSlots: UInt8, maximumLatency: UInt16 = Self.noLatencyPreference) {
        self.minimumSlots = minimumSlots
        self.maximumLatency = maximumLatency
        tail = []
    }

    package init(from reader: inout ByteReader) throws(WireError) {
        minimumSlots = try reader.u8("NDL QoS minimum slots")
        maximumLatency = try reader.u16("NDL QoS maximum latency")
        tail = reader.rest()
    }

    package func encode(into writer: inout ByteWriter) {
        writer.u8(minimumSlots)
        writer.u16(maximumLatency)
        writer.octets(tail)
    }
}
