internal import Ports

extension Wiphy {
    /// Why this radio cannot serve, and what to do about it; nil when it can.
    var unfitness: RadioFailure? {
        guard interfaceTypes.contains(NL80211.interfaceTypeNAN), limit(of: NL80211.interfaceTypeNAN) > 0 else {
            return RadioFailure(
                .noNAN,
                "\(name): its driver has no Wi-Fi Aware (NAN); use a radio whose driver has, on a kernel of 7.2 or later"
            )
        }
        guard let nan else {
            return RadioFailure(
                .noNAN, "\(name): the kernel tells nothing of its NAN capabilities; it needs Linux 7.2 or later")
        }
        guard nan.hasUserSpaceDiscovery, nan.isSyncConfigurable else {
            return RadioFailure(
                .noUserSpaceDiscovery,
                "\(name): its discovery engine is in firmware only, and pairing needs one in user space; "
                    + "update driver and firmware, or use another radio")
        }
        guard interfaceTypes.contains(NL80211.interfaceTypeNANData), dataInterfaceLimit > 0, nan.station != nil else {
            return RadioFailure(
                .noDataPath, "\(name): no data path, its driver has no NAN data interfaces; use another radio")
        }
        guard admits([NL80211.interfaceTypeNAN, NL80211.interfaceTypeNANData]) else {
            return RadioFailure(
                .noDataPath,
                "\(name): no data path, its driver has no NAN data interface beside NAN's own; use another radio")
        }
        guard has(feature: NL80211.featureSecureNAN) else {
            return RadioFailure(
                .noDataPath,
                "\(name): it does not encrypt NAN management frames, which pairing needs; use another radio")
        }
        guard allowsBeaconing(2437) else {
            return RadioFailure(
                .regulatory,
                "\(name): 2437 MHz is not allowed here; set the regulatory domain (`iw reg set` and a country)")
        }
        return nil
    }

    var dataInterfaceLimit: Int { limit(of: NL80211.interfaceTypeNANData) }

    /// As the engines take it.
    var capabilities: RadioCapabilities? {
        guard let nan, let station = nan.station else { return nil }
        return RadioCapabilities(
            supportedBands: hasFiveGigahertz ? 0x14 : 0x04, operationMode: nan.operationMode, antennas: nan.antennas,
            maxChannelSwitchTime: nan.maxChannelSwitchTime, capabilities: nan.capabilities, station: station,
            protectsManagementFrames: has(feature: NL80211.featureSecureNAN),
            ciphers: Set(ciphers.compactMap { PairwiseCipher(rawValue: $0) }), dataInterfaceLimit: dataInterfaceLimit,
            frequencies: [2437, 5180, 5220, 5745].filter { allowsBeaconing(UInt32($0)) })
    }
}
