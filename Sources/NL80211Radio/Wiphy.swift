internal import Octets
internal import Ports

/// One radio as GET_WIPHY describes it: what matters to NAN.
struct Wiphy: Equatable {
    /// How many interfaces of some types may be there at once.
    struct Limit: Equatable {
        var maximum: UInt32
        var types: Set<UInt32>
    }

    /// One combination of interfaces that the radio can run together.
    struct Combination: Equatable {
        var limits: [Limit]
        var maximum: UInt32
        var channelCount: UInt32
    }

    struct Frequency: Equatable {
        var megahertz: UInt32
        /// Disabled, or no radiation before somebody else's: what a device without a country has on 5 GHz.
        var forbidsBeaconing: Bool
    }

    /// NL80211_ATTR_NAN_CAPABILITIES.
    struct NAN: Equatable {
        var isSyncConfigurable = false
        var hasUserSpaceDiscovery = false
        var operationMode: UInt8 = 0
        var antennas: UInt8 = 0x11
        var maxChannelSwitchTime: UInt16 = 0
        var capabilities: UInt8 = 0
        var station: StationCapabilities?
    }

    var index: UInt32
    var name = ""
    var interfaceTypes: Set<UInt32> = []
    var combinations: [Combination] = []
    var features: [UInt8] = []
    var ciphers: Set<UInt32> = []
    /// NL80211_ATTR_BANDS: bands that NAN can use.
    var nanBands: UInt32 = 0
    var frequencies: [Frequency] = []
    var nan: NAN?

    func has(feature: Int) -> Bool {
        features.indices.contains(feature / 8) && features[feature / 8] & 1 << UInt8(feature % 8) != 0
    }

    /// The most interfaces of a type that any combination admits.
    func limit(of type: UInt32) -> Int {
        Int(combinations.flatMap(\.limits).filter { $0.types.contains(type) }.map(\.maximum).max() ?? 0)
    }

    /// Whether some combination has room for interfaces of all these types at once.
    ///
    /// Monitors take no part, and every interface takes the first limit with room, as cfg80211 counts.
    func admits(_ types: [UInt32]) -> Bool {
        let types = types.filter { $0 != NL80211.interfaceTypeMonitor }
        if types.count <= 1 { return true }
        return combinations.contains { combination in
            guard types.count <= combination.maximum else { return false }
            var room = combination.limits
            return types.allSatisfy { type in
                guard let at = room.firstIndex(where: { $0.types.contains(type) && $0.maximum > 0 }) else {
                    return false
                }
                room[at].maximum -= 1
                return true
            }
        }
    }

    func allowsBeaconing(_ megahertz: UInt32) -> Bool {
        frequencies.contains { $0.megahertz == megahertz && !$0.forbidsBeaconing }
    }

    var hasFiveGigahertz: Bool { nanBands & 1 << UInt32(NL80211.band5GHz) != 0 }
}

extension Wiphy {
    /// Adds what one message of a split dump tells.
    mutating func merge(_ attributes: NetlinkAttributes) {
        if let text = attributes.string(NL80211Attribute.wiphyName) { name = text }
        if let types = attributes.nest(NL80211Attribute.supportedInterfaceTypes) {
            interfaceTypes = Set(types.all.map { UInt32($0.type) })
        }
        if let nest = attributes.nest(NL80211Attribute.interfaceCombinations) {
            combinations += nest.all.map { Combination($0.nest) }
        }
        if let octets = attributes[NL80211Attribute.extendedFeatures] { features = octets }
        ciphers.formUnion(attributes.words(NL80211Attribute.cipherSuites))
        if let bands = attributes.u32(NL80211Attribute.bands) { nanBands = bands }
        for band in attributes.nest(NL80211Attribute.wiphyBands)?.all ?? [] {
            frequencies += (band.nest.nest(NL80211Attribute.Frequency.list)?.all ?? []).compactMap {
                Frequency($0.nest)
            }
        }
        if let nest = attributes.nest(NL80211Attribute.nanCapabilities) { nan = NAN(nest) }
    }
}

extension Wiphy.Combination {
    init(_ attributes: NetlinkAttributes) {
        typealias Name = NL80211Attribute.Combination
        limits = (attributes.nest(Name.limits)?.all ?? []).map { limit in
            Wiphy.Limit(
                maximum: limit.nest.u32(Name.limitMaximum) ?? 0,
                types: Set((limit.nest.nest(Name.limitTypes)?.all ?? []).map { UInt32($0.type) }))
        }
        maximum = attributes.u32(Name.maximum) ?? 0
        channelCount = attributes.u32(Name.channelCount) ?? 0
    }
}

extension Wiphy.Frequency {
    init?(_ attributes: NetlinkAttributes) {
        typealias Name = NL80211Attribute.Frequency
        guard let megahertz = attributes.u32(Name.frequency) else { return nil }
        self.megahertz = megahertz
        forbidsBeaconing = attributes.has(Name.disabled) || attributes.has(Name.noInitiatingRadiation)
    }
}

extension Wiphy.NAN {
    init(_ attributes: NetlinkAttributes) {
        typealias Name = NL80211Attribute.Capabilities
        isSyncConfigurable = attributes.has(Name.configurableSync)
        hasUserSpaceDiscovery = attributes.has(Name.userSpaceDiscovery)
        operationMode = attributes.u8(Name.operationMode) ?? operationMode
        antennas = attributes.u8(Name.antennas) ?? antennas
        maxChannelSwitchTime = attributes.u16(Name.maxChannelSwitchTime) ?? maxChannelSwitchTime
        capabilities = attributes.u8(Name.capabilities) ?? capabilities
        station = attributes.nest(Name.phy).flatMap { StationCapabilities(phy: $0) }
    }
}

extension StationCapabilities {
    /// The elements that NL80211_NAN_CAPA_PHY's parts make (802.11-2020, 9.4.2.55 and 9.4.2.157); nil without HT.
    init?(phy: NetlinkAttributes) {
        typealias Name = NL80211Attribute.PHY
        guard let mcs = phy[Name.htMCSSet], mcs.count == 16, let capabilities = phy.u16(Name.htCapabilities) else {
            return nil
        }
        var ht = ByteWriter(reserving: 26)
        ht.u16(capabilities)
        ht.u8((phy.u8(Name.htAMPDUFactor) ?? 0) & 3 | (phy.u8(Name.htAMPDUDensity) ?? 0) << 2 & 0x1C)
        ht.octets(mcs)
        ht.octets([UInt8](repeating: 0, count: 7))
        var vht: ByteWriter?
        if let set = phy[Name.vhtMCSSet], set.count == 8, let capabilities = phy.u32(Name.vhtCapabilities) {
            var writer = ByteWriter(reserving: 12)
            writer.u32(capabilities)
            writer.octets(set)
            vht = writer
        }
        self.init(ht: ht.bytes, vht: vht?.bytes)
    }
}
