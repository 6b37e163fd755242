internal import NANFrames
internal import Octets

extension Part {
    static func list(_ availability: Availability) -> [NamedValue] {
        let prefix = "wifi_nan.availability"
        return [
            NamedValue("\(prefix).sequence_id", availability.sequenceID),
            NamedValue("\(prefix).map_id", availability.mapID),
            NamedValue("\(prefix).committed_changed", availability.changes.contains(.committed)),
            NamedValue("\(prefix).potential_changed", availability.changes.contains(.potential)),
            NamedValue("\(prefix).public_availability_changed", availability.changes.contains(.publicAvailability)),
            NamedValue("\(prefix).ndc_changed", availability.changes.contains(.ndc)),
        ] + availability.entries.flatMap(list)
    }

    private static func list(_ entry: Availability.Entry) -> [NamedValue] {
        let prefix = "wifi_nan.availability.entry"
        var values = [
            NamedValue("\(prefix).len", entry.encoded.count - 2),
            NamedValue("\(prefix).ctr.type", entry.control.kind.rawValue),
            NamedValue("\(prefix).ctr.pref", entry.control.usagePreference),
            NamedValue("\(prefix).ctr.utilization", entry.control.utilization),
            NamedValue("\(prefix).ctr.rx_nss", entry.control.rxNSS),
            NamedValue("\(prefix).ctr.time_bitmap", entry.timeBitmap != nil),
        ]
        if let bitmap = entry.timeBitmap { values += list(bitmap) }
        switch entry.list.content {
        case .bands(let bands):
            values.append(NamedValue("\(prefix).entries.type", false))
            values.append(NamedValue("\(prefix).entries.num_entries", bands.count))
            values += bands.map { NamedValue("\(prefix).entries.band", $0.rawValue) }
        case .channels(let channels):
            let isNonContiguous = channels.contains { $0.auxiliaryBitmap != nil }
            values.append(NamedValue("\(prefix).entries.type", true))
            values.append(NamedValue("\(prefix).entries.non_contiguous_bw", isNonContiguous))
            values.append(NamedValue("\(prefix).entries.num_entries", channels.count))
            values += channels.flatMap(list)
        }
        return values
    }

    private static func list(_ entry: ChannelEntry) -> [NamedValue] {
        var values = [
            NamedValue("wifi_nan.av.entry.start.freq", entry.operatingClass.rawValue),
            NamedValue("wifi_nan.av.entry.bandwidth", entry.operatingClass.rawValue),
            NamedValue("wifi_nan.availability.entry.entries.channel.primary_bitmap", entry.primaryBitmap),
            NamedValue("wifi_nan.ava.chan.set", text: numbers(entry)),
        ]
        if let bitmap = entry.auxiliaryBitmap {
            values.append(NamedValue("wifi_nan.availability.entry.entries.channel.aux_bitmap", bitmap))
        }
        return values
    }

    /// Channel numbers as tshark prints them: of the centre from 80 MHz on, of the control channel below.
    private static func numbers(_ entry: ChannelEntry) -> String {
        var numbers: [Int] = []
        for channel in entry.channels {
            let isWide = channel.width == .mhz80 || channel.width == .mhz160
            let frequency = isWide ? channel.centerFrequency : channel.controlFrequency
            let number = (frequency - (frequency < 3000 ? 2407 : 5000)) / 5
            if !numbers.contains(number) { numbers.append(number) }
        }
        return numbers.map(String.init).joined(separator: " ")
    }

    private static func list(_ bitmap: TimeBitmap) -> [NamedValue] {
        [
            NamedValue("wifi_nan.time_bitmap.ctrl.bit_duration", bitmap.control & 0x07),
            NamedValue("wifi_nan.time_bitmap.ctrl.period", bitmap.control >> 3 & 0x07),
            NamedValue("wifi_nan.time_bitmap.ctrl.start_offset", bitmap.startOffset),
            NamedValue("wifi_nan.time_bitmap.len", bitmap.octets.count),
            NamedValue("wifi_nan.time_bitmap", bitmap.octets),
        ]
    }

    private static func list(_ entry: ScheduleEntry) -> [NamedValue] {
        [NamedValue("wifi_nan.map_id", entry.rawMapID)] + list(entry.timeBitmap)
    }

    static func list(_ ndc: NDC) -> [NamedValue] {
        [
            NamedValue("wifi_nan.ndc.id", ndc.ndcID.encoded),
            NamedValue("wifi_nan.ndc.ctrl.selected", ndc.isSelected),
        ] + ndc.entries.flatMap(list)
    }

    static func list(_ ndl: NDL) -> [NamedValue] {
        var values = [
            NamedValue("wifi_nan.dialog_token", ndl.dialogToken.rawValue),
            NamedValue("wifi_nan.ndl.type", ndl.kind.rawValue),
            NamedValue("wifi_nan.status", ndl.status.rawValue),
            NamedValue("wifi_nan.reason_code", ndl.reason.rawValue),
            NamedValue("wifi_nan.ndl.ctrl.peer_id", ndl.peerID != nil),
            NamedValue("wifi_nan.ndl.ctrl.immutable_schedule_pres", ndl.immutableSchedule != nil),
            NamedValue("wifi_nan.ndl.ctrl.ndc_pres", ndl.control.contains(.ndcPresent)),
            NamedValue("wifi_nan.ndl.ctrl.qos_pres", ndl.control.contains(.qosPresent)),
            NamedValue("wifi_nan.ndl.ctrl.max_idle_period_pres", ndl.maximumIdlePeriod != nil),
        ]
        if let peerID = ndl.peerID { values.append(NamedValue("wifi_nan.ndl.peer_id", peerID)) }
        if let period = ndl.maximumIdlePeriod { values.append(NamedValue("wifi_nan.ndl.max.idle", period)) }
        return values + (ndl.immutableSchedule ?? []).flatMap(list)
    }

    static func list(_ ndp: NDP) -> [NamedValue] {
        let isExtension = ndp.attributeID == .ndpExtension
        let control = isExtension ? "wifi_nan.ndpe.ctrl" : "wifi_nan.ndp.ctrl"
        var values = [
            NamedValue("wifi_nan.dialog_token", ndp.dialogToken.rawValue),
            NamedValue("wifi_nan.ndp.type", ndp.kind.rawValue),
            NamedValue("wifi_nan.status", ndp.status.rawValue),
            NamedValue("wifi_nan.reason_code", ndp.reason.rawValue),
            NamedValue("wifi_nan.ndp.initiator_ndi", ndp.initiatorNDI.address.encoded),
            NamedValue("wifi_nan.ndp.id", ndp.ndpID.rawValue),
            NamedValue("\(control).confirm", ndp.control.contains(.confirmRequired)),
            NamedValue("\(control).security_pres", ndp.control.contains(.securityPresent)),
            NamedValue("\(control).publish_id_pres", ndp.publishID != nil),
            NamedValue("\(control).responder_ndi_pres", ndp.responderNDI != nil),
        ]
        if let publishID = ndp.publishID { values.append(NamedValue("wifi_nan.publish_id", publishID.rawValue)) }
        if let ndi = ndp.responderNDI { values.append(NamedValue("wifi_nan.ndp.responder.ndi", ndi.address.encoded)) }
        switch ndp.content {
        case .ndp(let info):
            values.append(NamedValue("\(control).specific_info_pres", info != nil))
            if let info { values.append(NamedValue("wifi_nan.ndp.specific_info", info)) }
        case .ndpe(let tlvs):
            values.append(NamedValue("\(control).gtk_required", ndp.control.contains(.gtkRequired)))
            values += tlvs.flatMap(list)
        }
        return values
    }

    private static func list(_ tlv: NDP.TLV) -> [NamedValue] {
        let prefix = "wifi_nan.ndpe.tlv"
        switch tlv {
        case .interfaceIdentifier(let identifier):
            return [
                NamedValue("\(prefix).type", 0), NamedValue("\(prefix).len", 8),
                NamedValue("\(prefix).ipv6_interface_identifier", identifier.encoded),
            ]
        case .serviceInfo(let info):
            return [
                NamedValue("\(prefix).type", 1), NamedValue("\(prefix).len", info.octets.count),
                NamedValue("wifi_nan.oui", Array(info.octets.prefix(3))),
                NamedValue("wifi_nan.vendor_specific.body", Array(info.octets.dropFirst(3))),
            ]
        case .unknown(let type, let octets):
            return [NamedValue("\(prefix).type", type), NamedValue("\(prefix).len", octets.count)]
        }
    }
}
