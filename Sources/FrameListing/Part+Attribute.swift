internal import Dot11Frames
internal import NANFrames
internal import Octets

extension Part {
    /// Lists an attribute; one whose kind has no values here is still compared octet by octet.
    init(_ attribute: Attribute) {
        let values: [NamedValue]
        switch attribute {
        case .serviceDescriptor(let value): values = Self.list(value)
        case .serviceDescriptorExtension(let value): values = Self.list(value)
        case .deviceCapability(let value): values = Self.list(value)
        case .ndp(let value): values = Self.list(value)
        case .availability(let value): values = Self.list(value)
        case .ndc(let value): values = Self.list(value)
        case .ndl(let value): values = Self.list(value)
        case .ndlQoS(let value):
            values = [
                NamedValue("wifi_nan.ndl_qos.min_time_slots", value.minimumSlots),
                NamedValue("wifi_nan.ndl_qos.max_latency", value.maximumLatency),
            ]
        case .elementContainer(let value): values = Self.list(value)
        case .cipherSuiteInformation(let value): values = Self.list(value)
        case .securityContextInformation(let value): values = Self.list(value)
        case .sharedKeyDescriptor(let value):
            values = [
                NamedValue("wifi_nan.publish_id", value.publishID.rawValue),
                NamedValue("wifi_nan.shared_key.rsna_key_descriptor", Array(value.encoded.dropFirst())),
            ]
        case .deviceCapabilityExtension(let value): values = Self.list(value)
        case .identityResolution(let value):
            values = [
                NamedValue("wifi_nan.identity_resolution.cipher_version", value.cipherVersion),
                NamedValue("wifi_nan.identity_resolution.nonce", value.nonce),
                NamedValue("wifi_nan.identity_resolution.tag", value.tag),
            ]
        case .pairingBootstrapping(let value): values = Self.list(value)
        case .masterIndication, .cluster, .unalignedSchedule, .vendorSpecific, .unknown: values = []
        }
        self.init(id: [attribute.id.rawValue], octets: attribute.encoded, values: values)
    }

    private static func list(_ descriptor: ServiceDescriptor) -> [NamedValue] {
        var values = [
            NamedValue("wifi_nan.service_id", descriptor.serviceID.encoded),
            NamedValue("wifi_nan.instance_id", descriptor.instanceID.rawValue),
            NamedValue("wifi_nan.sda.requestor_instance_id", descriptor.requestorInstanceID.rawValue),
            NamedValue("wifi_nan.sda.sc.type", descriptor.kind.rawValue),
            NamedValue("wifi_nan.sda.sc.matching_filter", descriptor.matchingFilter != nil),
            NamedValue("wifi_nan.sda.sc.service_response", descriptor.serviceResponseFilter != nil),
            NamedValue("wifi_nan.sda.sc.service_info", descriptor.serviceInfo != nil),
            NamedValue("wifi_nan.sda.sc.discovery_range", descriptor.isRangeLimited),
            NamedValue("wifi_nan.sda.sc.binding_bitmap", descriptor.bindingBitmap != nil),
        ]
        if let bitmap = descriptor.bindingBitmap { values.append(NamedValue("wifi_nan.sda.binding_bitmap", bitmap)) }
        if let info = descriptor.serviceInfo {
            values.append(NamedValue("wifi_nan.sda.service_info_len", info.count))
            values.append(NamedValue("wifi_nan.sda.service_info", info))
        }
        return values
    }

    private static func list(_ descriptor: ServiceDescriptorExtension) -> [NamedValue] {
        let control = descriptor.control
        var values = [
            NamedValue("wifi_nan.instance_id", descriptor.instanceID.rawValue),
            NamedValue("wifi_nan.sdea.ctr_fsd", control.contains(.fsdRequired)),
            NamedValue("wifi_nan.sdea.ctr_fsd_w_gas", control.contains(.fsdWithGAS)),
            NamedValue("wifi_nan.sdea.ctr_data_path", control.contains(.dataPathRequired)),
            NamedValue("wifi_nan.sdea.ctr_data_path_type", control.contains(.multicastDataPath)),
            NamedValue("wifi_nan.sdea.ctr_qos", control.contains(.qosRequired)),
            NamedValue("wifi_nan.sdea.ctr_security", control.contains(.securityRequired)),
            NamedValue("wifi_nan.sdea.ctr_ranging", control.contains(.rangingRequired)),
            NamedValue("wifi_nan.sdea.ctr_range_limit", descriptor.rangeLimit != nil),
            NamedValue("wifi_nan.sdea.ctr_service_update_indicator", descriptor.serviceUpdateIndicator != nil),
        ]
        if let limit = descriptor.rangeLimit {
            values.append(NamedValue("wifi_nan.sdea.range_limit_ingress", limit.ingress))
            values.append(NamedValue("wifi_nan.sdea.range_limit_egress", limit.egress))
        }
        if let indicator = descriptor.serviceUpdateIndicator {
            values.append(NamedValue("wifi_nan.sdea.service_update_indicator", indicator))
        }
        if let info = descriptor.serviceInfo {
            values.append(NamedValue("wifi_nan.sdea.service_info_len", info.octets.count))
            if let type = info.protocolType, let payload = info.payload {
                values.append(NamedValue("wifi_nan.oui", OUI.wifiAlliance.encoded))
                values.append(NamedValue("wifi_nan.sdea.service_info_protocol_type", type.rawValue))
                values.append(NamedValue("wifi_nan.sdea.service_info_specific", payload))
            }
        }
        return values
    }

    private static func list(_ capability: DeviceCapability) -> [NamedValue] {
        let bands = capability.bands
        let modes = capability.operationMode
        let capabilities = capability.capabilities
        return [
            NamedValue("wifi_nan.map_id", capability.mapID),
            NamedValue("wifi_nan.device_cap.committed_dw_info", capability.committedDW.rawValue),
            NamedValue("wifi_nan.device_cap.supported_bands", bands.rawValue),
            NamedValue("wifi_nan.device_cap.supported_bands.sub_1ghz", bands.contains(.sub1GHz)),
            NamedValue("wifi_nan.device_cap.supported_bands.24ghz", bands.contains(.band24GHz)),
            NamedValue("wifi_nan.device_cap.supported_bands.5ghz", bands.contains(.band5GHz)),
            NamedValue("wifi_nan.device_cap.supported_bands.6ghz", bands.contains(.band6GHz)),
            NamedValue("wifi_nan.device_cap.op_mode", modes.rawValue),
            NamedValue("wifi_nan.device_cap.op_mode.phy.vht", modes.contains(.vht)),
            NamedValue("wifi_nan.device_cap.op_mode.phy.he", modes.contains(.he)),
            NamedValue("wifi_nan.device_cap.op_mode.vht8080", modes.contains(.vht80Plus80)),
            NamedValue("wifi_nan.device_cap.op_mode.vht160", modes.contains(.vht160)),
            NamedValue("wifi_nan.device_cap.antennas", capability.antennas),
            NamedValue("wifi_nan.device_cap.antennas.rx", capability.receiveAntennas),
            NamedValue("wifi_nan.device_cap.max_channel_switch_time", capability.maximumChannelSwitchTime),
            NamedValue("wifi_nan.device_cap.capabilities", capabilities.rawValue),
            NamedValue("wifi_nan.device_cap.capabilities.dfs_master", capabilities.contains(.dfsMaster)),
            NamedValue("wifi_nan.device_cap.capabilities.extended_key_id", capabilities.contains(.extendedKeyID)),
            NamedValue("wifi_nan.device_cap.capabilities.ndpe_attr_support", capabilities.contains(.ndpeSupported)),
        ]
    }

    private static func list(_ capability: DeviceCapabilityExtension) -> [NamedValue] {
        let prefix = "wifi_nan.device_capability_extension"
        return [
            NamedValue("\(prefix).paring_enable", capability.pairing.contains(.setupEnabled)),
            NamedValue("\(prefix).npk_nik_caching_enable", capability.pairing.contains(.cachingEnabled)),
        ]
    }

    private static func list(_ container: ElementContainer) -> [NamedValue] {
        [NamedValue("wifi_nan.map_id", container.mapID)]
            + container.elements.flatMap { element in
                let ext = element.id.ext.map { [$0] } ?? []
                return [
                    NamedValue("wifi_nan.container.element.id", element.id.rawValue),
                    NamedValue("wifi_nan.container.element.len", ext.count + element.body.count),
                ]
            }
    }

    private static func list(_ information: CipherSuiteInformation) -> [NamedValue] {
        let capabilities = information.capabilities
        let prefix = "wifi_nan.cipher_suite.capabilities"
        return [
            NamedValue("\(prefix).replay_counters.ndtksa", capabilities.has16NDTKSAReplayCounters),
            NamedValue("\(prefix).group_key_support", capabilities.groupKeySupport.rawValue),
            NamedValue("\(prefix).replay_counters.gtksa", capabilities.has16GTKSAReplayCounters),
            NamedValue("\(prefix).integrity_key_cipher", capabilities.groupManagementCipher == .bipGMAC256),
        ]
            + information.entries.flatMap {
                [
                    NamedValue("wifi_nan.cipher_suite.id", $0.suite.rawValue),
                    NamedValue("wifi_nan.publish_id", $0.publishID.rawValue),
                ]
            }
    }

    private static func list(_ information: SecurityContextInformation) -> [NamedValue] {
        information.entries.flatMap {
            [
                NamedValue("wifi_nan.security_context.identifier_len", $0.identifier.count),
                NamedValue("wifi_nan.security_context.identifier_type", $0.type),
                NamedValue("wifi_nan.publish_id", $0.publishID.rawValue),
                NamedValue("wifi_nan.security_context.identifier", $0.identifier),
            ]
        }
    }

    private static func list(_ bootstrapping: PairingBootstrapping) -> [NamedValue] {
        let prefix = "wifi_nan.nan_pairing_bootstrapping"
        var values = [
            NamedValue("\(prefix).dialog_token", bootstrapping.dialogToken.rawValue),
            NamedValue("wifi_nan.reserved", [bootstrapping.reason.rawValue]),
        ]
        let type: UInt8
        let status: UInt8
        var cookie: PairingBootstrapping.Cookie?
        switch bootstrapping.message {
        case .advertise: (type, status) = (0, 0)
        case .request: (type, status) = (1, 0)
        case .accept: (type, status) = (2, 0)
        case .reject: (type, status) = (2, 1)
        case .comebackRequest(let sent):
            (type, status) = (1, 2)
            cookie = sent
        case .comeback(let timeUnits, let sent):
            (type, status) = (2, 2)
            cookie = sent
            values.append(NamedValue("\(prefix).comeback_after", timeUnits))
        }
        values += [NamedValue("\(prefix).type", type), NamedValue("\(prefix).status", status)]
        if let cookie {
            values.append(NamedValue("\(prefix).cookie_len", cookie.octets.count))
            values.append(NamedValue("\(prefix).cookie", cookie.octets))
        }
        let raw = bootstrapping.methods.rawValue
        if case .comeback = bootstrapping.message {
            // To tshark the methods of this one message are reserved.
            return values + [NamedValue("wifi_nan.reserved", [UInt8(truncatingIfNeeded: raw), UInt8(raw >> 8)])]
        }
        let methods = bootstrapping.methods
        let named: [(String, BootstrappingMethods)] = [
            ("opportunistic", .opportunistic), ("pin_code_display", .pinDisplay),
            ("passphrase_display", .passphraseDisplay), ("qr_code_display", .qrDisplay), ("nfc_tag", .nfcTag),
            ("pin_code_keypad", .pinKeypad), ("passphrase_keypad", .passphraseKeypad), ("qr_code_scan", .qrScan),
            ("nfc_reader", .nfcReader), ("service_managed", .serviceManaged),
            ("bootstrapping_handshakes_skipped", .handshakeSkipped),
        ]
        values.append(NamedValue("\(prefix).bootstrapping_methods", raw))
        return values
            + named.map { NamedValue("\(prefix).bootstrapping_methods.\($0.0)", methods.contains($0.1)) }
    }
}
